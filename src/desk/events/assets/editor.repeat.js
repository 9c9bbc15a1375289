import { fieldsNow, form } from './editor.js'

// Shows the dates of what repeats while a person types. It never moves the focus.

const datesBox = document.querySelector('[data-repeat-dates]')
const datesNews = document.querySelector('[data-repeat-news]')
const datesTexts = datesBox ? JSON.parse(datesBox.dataset.texts) : {}
const datesQuietMs = 500
const datesAtOnce = 12
/** The fields on which the dates depend. */
const datesDependOn = /^(?:repeat.*|start|end|all_day|timezone|venue)$/

let datesTimer
let datesSent
let datesAsked
/** A newer answer that waits until the focus has left the list. */
let datesWaiting

function datesKey() {
  return JSON.stringify(fieldsNow().filter(([name]) => datesDependOn.test(name)))
}

function datesSoon() {
  clearTimeout(datesTimer)
  datesTimer = setTimeout(askForDates, datesQuietMs)
}

async function askForDates() {
  if (datesKey() === datesAsked) return
  datesAsked = datesKey()
  datesSent?.abort()
  if (form.elements.repeat.value === '') return showDates(null)
  datesSent = new AbortController()
  const body = new URLSearchParams(fieldsNow().filter(([name]) => name !== 'leave_out'))
  body.set('csrf', form.elements.csrf.value)
  body.set('to', 'live-dates')
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: datesSent.signal })
    if (answer.status === 200 && /json/.test(answer.headers.get('content-type') ?? ''))
      showDates((await answer.json()).dates)
    else datesAsked = undefined
  } catch (error) {
    // Without a connection, the list stays as it is. The next change asks again.
    if (error.name !== 'AbortError') datesAsked = undefined
  }
}

function element(name, text, kind) {
  const made = document.createElement(name)
  if (text) made.textContent = text
  if (kind) made.className = kind
  return made
}

function showDates(dates) {
  if (datesBox.contains(document.activeElement)) {
    datesWaiting = { dates }
    return
  }
  datesWaiting = undefined
  if (dates === null) {
    datesNews.textContent = ''
    return datesBox.replaceChildren()
  }
  if (dates.text !== undefined) {
    datesNews.textContent = dates.text
    return datesBox.replaceChildren(element('p', dates.text, 'fault'))
  }
  const parts = [element('p', dates.summary)]
  if (dates.clash) parts.push(element('p', dates.clash, 'fault'))
  parts.push(listOfDates(dates.dates.slice(0, datesAtOnce)))
  const others = dates.dates.slice(datesAtOnce)
  if (others.length > 0) {
    const more = element('details', '', 'more')
    more.open = datesBox.querySelector('details')?.open ?? false
    more.append(
      element('summary', datesTexts.all.replace('{count}', others.length)),
      listOfDates(others, datesAtOnce + 1),
    )
    parts.push(more)
  }
  datesBox.replaceChildren(...parts)
  datesNews.textContent = [dates.summary, dates.clash].filter(Boolean).join(' ')
}

function listOfDates(dates, start = 1) {
  const list = element('ol', '', 'date-list')
  list.start = start
  list.append(...dates.map(dateItem))
  return list
}

function dateItem({ date, text, clash, isFirst }) {
  const item = element('li', '', clash ? 'clash' : '')
  item.append(element('span', text))
  if (!isFirst) {
    const button = element('button', datesTexts.leaveOut, 'plain')
    button.type = 'button'
    button.append(element('span', ` – ${text}`, 'unseen'))
    button.addEventListener('click', () => leaveOut(date, text))
    item.append(button)
  }
  if (clash) item.append(element('span', datesTexts.clash.replace('{title}', clash), 'hint'))
  return item
}

/** Adds a date to those that are left out. The focus goes to them, because the button disappears. */
function leaveOut(date) {
  const field = form.elements.repeat_except
  field.value = [...field.value.split('\n').filter((line) => line.trim() !== ''), date].join('\n')
  field.focus()
  field.dispatchEvent(new Event('input', { bubbles: true }))
}

if (form && datesBox) {
  datesAsked = datesKey()
  form.addEventListener('input', datesSoon)
  form.addEventListener('change', datesSoon)
  datesBox.addEventListener('focusout', () => setTimeout(() => datesWaiting && showDates(datesWaiting.dates)))
  // Boxes of the page are for browsers without scripts.
  if (form.elements.repeat.value !== '') {
    datesAsked = undefined
    datesSoon()
  }
}
