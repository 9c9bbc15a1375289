import { fieldsNow, form } from './editor.js'

// Keeps the list of checks beside the buttons current while a person types. It never moves the focus.

const checksBox = document.querySelector('.checks')
const checksNews = document.querySelector('[data-checks-news]')
const checksQuietMs = 1200
const linkButton = document.querySelector('.link-check button')
const linkNews = document.querySelector('.link-check p')

let checksTimer
let checksSent
/** What the list shows, and a newer answer that waits until the focus has left the list. */
let checksShown
let checksWaiting
/** Whether somebody has asked for the links. From then on, new ones are checked too. */
let isWithLinks = false

const others = document.querySelector('[data-others]')
const othersMs = 30_000
const mostAsked = 20
let asked = 0
const echo = document.querySelector('[data-echo]')
/** The fields of the times. What was understood of them is shown sooner. */
const times = ['start', 'end', 'all_day', 'timezone']
/** What was changed since the page was made. Remarks about it are those of the last answer. */
const changed = new Set()

function checksSoon({ target: { name } }) {
  const isTime = times.includes(name)
  for (const one of isTime ? times : [name]) changed.add(one)
  clearTimeout(checksTimer)
  checksTimer = setTimeout(askForChecks, isTime ? 300 : checksQuietMs)
}

/** Removes remarks about what is right now, and adds new ones once a field has lost the focus. */
function showFaults(faults) {
  for (const name of changed) {
    const [field, old] = [document.getElementById(`f-${name}`), document.getElementById(`x-${name}`)]
    const text = field?.value ? faults[name] : undefined
    if (!field?.closest('.field') || (text && (text === old?.textContent || document.activeElement === field))) continue
    old?.remove()
    if (!text)
      document
        .querySelector(`.faults a[href="#f-${CSS.escape(name)}"]`)
        ?.closest('li')
        .remove()
    const others = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => id !== `x-${name}`)
    const made = document.createElement('p')
    Object.assign(made, { className: 'fault', id: `x-${name}`, textContent: text })
    if (text) field.closest('.field').append(made)
    field.setAttribute('aria-describedby', [...others, ...(text ? [made.id] : [])].join(' ').trim())
    field.ariaInvalid = text ? 'true' : null
  }
  const summary = document.querySelector('main .faults:has(ul)')
  if (summary && !summary.querySelector('li')) summary.remove()
}

function showOthers(text) {
  if (others.textContent !== text) others.textContent = text
}

/** Asks who else has the event open. Somebody who has done nothing since many questions is not here. */
async function askForOthers() {
  if (document.hidden || asked === mostAsked) return
  asked += 1
  const body = new URLSearchParams({ csrf: form.elements.csrf.value, to: 'others' })
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => undefined)
  if (answer?.status === 200 && /json/.test(answer.headers.get('content-type') ?? ''))
    showOthers((await answer.json()).others)
}

async function askForChecks() {
  checksSent?.abort()
  checksSent = new AbortController()
  const body = new URLSearchParams(fieldsNow())
  body.set('csrf', form.elements.csrf.value)
  body.set('to', 'checks')
  if (isWithLinks) body.set('links', '1')
  // A chosen picture is sent with the form only.
  if (form.elements.picture?.files.length > 0) body.set('image', 'chosen')
  try {
    const answer = await fetch(form.action, { method: 'POST', body, signal: checksSent.signal })
    if (answer.status !== 200 || !/json/.test(answer.headers.get('content-type') ?? '')) throw new Error('no answer')
    const found = await answer.json()
    if (echo.textContent !== found.when) echo.textContent = found.when
    showOthers(found.others)
    showFaults(found.faults)
    showChecks(found)
  } catch (error) {
    // Without a connection, the list stays as it is. The next change asks again.
    if (isWithLinks && error.name !== 'AbortError') linkNews.textContent = linkButton.dataset.failed
  }
}

function showChecks(answer) {
  if (checksBox.querySelector('ul').contains(document.activeElement)) {
    checksWaiting = answer
    return
  }
  checksWaiting = undefined
  const { title, checks, links } = answer
  if (links !== undefined) linkNews.textContent = links
  const texts = checks.map(({ text }) => text)
  if (JSON.stringify(texts) === JSON.stringify(checksShown)) return
  const news = texts.filter((text) => !checksShown.includes(text))
  checksShown = texts
  checksBox.hidden = checks.length === 0
  checksBox.querySelector('summary').textContent = title
  checksBox.querySelector('ul').replaceChildren(
    ...checks.map(({ field, text }) => {
      const [item, link] = [document.createElement('li'), document.createElement('a')]
      link.href = `#f-${field}`
      link.textContent = text
      item.append(link)
      return item
    }),
  )
  // Screen readers say what is new, and how much there is.
  checksNews.textContent = [title, ...news].join(' ')
}

if (form && checksBox) {
  checksShown = [...checksBox.querySelectorAll('li')].map(({ textContent }) => textContent)
  form.addEventListener('input', checksSoon)
  form.addEventListener('change', checksSoon)
  // Nobody else has what is not stored.
  if (!new URL(form.action).pathname.endsWith('/new/')) setInterval(askForOthers, othersMs)
  const isHere = () => {
    asked = 0
  }
  for (const name of ['keydown', 'pointermove', 'scroll']) addEventListener(name, isHere, { passive: true })
  linkButton.addEventListener('click', (event) => {
    event.preventDefault()
    isWithLinks = true
    clearTimeout(checksTimer)
    linkNews.textContent = linkButton.dataset.busy
    askForChecks()
  })
  checksBox.addEventListener('focusout', () => setTimeout(() => checksWaiting && showChecks(checksWaiting)))
}
