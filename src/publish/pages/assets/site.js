// Enhances pages. Without this file everything works as well, with a full page load for each step.

import { capitalised, createDateWriter } from '../../../base/languages/dates.js'
import { firstDayLink, followFocus, keepOneStop, stepByKey } from './day.keys.js'

/* global dateRules: defined by the service before these modules. */

const main = document.querySelector('main')
const status = document.querySelector('[data-status]')
/** The delay in milliseconds between typing and a search. It is longer for a date, whose digits take more time. */
const pauseMs = 300
const datePauseMs = 600
const shownLanguage = document.documentElement.lang

/** Announces a text to screen readers. */
function announce(text) {
  status.textContent = ''
  requestAnimationFrame(() => {
    status.textContent = text
  })
}

/** Returns the main message of a page: the number of events, or why there are none, else its title. */
function told() {
  const found = ['[data-count]', '[data-results] .empty', 'h1'].map((one) => document.querySelector(one)).find(Boolean)
  return found?.textContent ?? ''
}

// Pages without reload

let asked = 0
/** The form that made the newest history entry. All choices made before the visitor leaves it share one entry. */
let narrowed

/**
 * Replaces this page with another page of the calendar.
 *
 * @param part The part to replace, if both pages have the same number of such parts; else the whole content.
 * @param form The form that requests it.
 */
async function swap(url, { part, isBack = false, focus, form } = {}) {
  const number = ++asked
  main.setAttribute('aria-busy', 'true')
  try {
    const answer = await fetch(url, { headers: { Accept: 'text/html' } })
    const text = await answer.text()
    if (number !== asked) return
    const page = new DOMParser().parseFromString(text, 'text/html')
    const [olds, news] = [document, page].map((one) => [...one.querySelectorAll(part ?? 'main')])
    if (part && olds.length !== news.length) return await swap(url, { isBack, focus, form })
    if (olds.length === 0 || news.length === 0) return location.assign(url)
    for (const [place, old] of olds.entries()) old.replaceChildren(...news[place].childNodes)
    document.title = page.title
    const views = '123'.split('').map((place) => `.views li:nth-child(${place}) a`)
    for (const link of ['.language', '[data-past]', ...views]) {
      const [here, there] = [document, page].map((one) => one.querySelector(link))
      if (here && there) here.href = there.getAttribute('href')
    }
    if (part) showFaults(page)
    if (!isBack) history[form && form === narrowed ? 'replaceState' : 'pushState']({ part }, '', url)
    narrowed = form?.matches(':focus-within') ? form : undefined
    enhance()
    if (focus) (focus(document) ?? main).focus({ preventScroll: true })
    else if (!part && !isBack) {
      scrollTo(0, 0)
      main.focus({ preventScroll: true })
    }
    announce(part === '[data-agenda]' ? (document.querySelector(`${part} h2`)?.textContent ?? '') : told())
  } catch {
    // On a network error or a response without a page, the browser loads the address itself and shows the error.
    if (number === asked) location.assign(url)
  } finally {
    if (number === asked) main.removeAttribute('aria-busy')
  }
}

/** Reports if a click opens no other window. */
function isPlain(event) {
  return event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
}

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[data-swap]')
  if (!link || !isPlain(event) || event.defaultPrevented) return
  event.preventDefault()
  const url = link.href.baseVal ?? link.href
  // The same link on the next page gets the focus, so that keyboard users can continue.
  const steps = link.closest('.steps, .map-controls')
  const place = steps && [...steps.querySelectorAll('a')].indexOf(link) + 1
  const own = link.getAttribute('rel')
    ? `.steps a[rel="${link.getAttribute('rel')}"]`
    : `.${steps?.className} a:nth-of-type(${place})`
  const focus = steps ? (page) => page.querySelector(own) : undefined
  void swap(new URL(url, location.href).href, { focus })
})

addEventListener('popstate', () => void swap(location.href, { isBack: true }))

// Filters

let pause
let naming

function sendFilters(form) {
  clearTimeout(pause)
  const values = [...new FormData(form)].filter(([, value]) => value !== '')
  const url = new URL(form.action)
  url.search = new URLSearchParams(values).toString()
  void swap(url.href, { part: '[data-results]', form })
}

/** Copies the error messages of the fetched page to the fields of the form. */
function showFaults(page) {
  for (const field of document.querySelectorAll('form[data-live] .field [name]')) {
    const made = page.getElementById(field.id)
    for (const name of ['aria-invalid', 'aria-describedby']) {
      const value = made?.getAttribute(name)
      if (value) field.setAttribute(name, value)
      else field.removeAttribute(name)
    }
    field.parentElement.querySelector('.fault')?.remove()
    const fault = made?.parentElement.querySelector('.fault')
    if (fault) field.after(fault)
  }
}

/** Suggests names that contain the typed text, if there are too many for a list. */
async function suggest(field) {
  const text = field.value.trim()
  if (text.length < 2) return
  const answer = await fetch(`${field.dataset.names}&search=${encodeURIComponent(text)}`).catch(() => undefined)
  if (!answer?.ok || field.value.trim() !== text) return
  const found = Object.values(await answer.json()).find(Array.isArray) ?? []
  const plain = (html) => new DOMParser().parseFromString(html, 'text/html').body.textContent
  field.list.replaceChildren(...found.map(({ venue, name }) => new Option('', plain(venue ?? name))))
}

document.addEventListener('input', (event) => {
  const form = event.target.closest('form[data-live]')
  if (!form) return
  if (event.target.matches('[data-names]')) {
    clearTimeout(naming)
    naming = setTimeout(() => suggest(event.target), pauseMs)
  }
  clearTimeout(pause)
  // A partly typed date is invalid, or a date in one of the first years.
  if (!form.checkValidity()) return
  const wait = event.target.matches('[type="date"]') ? datePauseMs : pauseMs
  pause = setTimeout(() => sendFilters(form), event.target.matches('select') ? 0 : wait)
})

document.addEventListener('focusout', ({ relatedTarget }) => {
  if (!narrowed?.contains(relatedTarget)) narrowed = undefined
})

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form[data-live]')
  if (!form) return
  event.preventDefault()
  sendFilters(form)
})

document.addEventListener('submit', (event) => {
  const form = event.target.closest('form.choose')
  const { month, ...kept } = form ? Object.fromEntries(new FormData(form)) : {}
  // If the browser has no month picker, the service interprets the text.
  if (!/^\d{4}-\d\d$/.test(month)) return
  event.preventDefault()
  const url = new URL(`${month}/`, form.action)
  url.search = new URLSearchParams(kept).toString()
  void swap(url.href)
})

// Months

document.addEventListener('keydown', (event) => {
  const grid = event.target.closest('[data-days]')
  if (!grid) return
  const { day, month } = stepByKey(event, grid)
  const to = month && document.querySelector(`.month-head a[rel="${month}"]`)
  if (to) void swap(to.href, { focus: firstDayLink })
  day?.focus()
})

document.addEventListener('focusin', followFocus)

// On narrow screens, a click on a day shows its events below the month.
document.addEventListener('click', (event) => {
  const link = event.target.closest('[data-days] .day-link')
  const agenda = document.querySelector('[data-agenda]')
  if (!link || !isPlain(event) || !agenda?.checkVisibility()) return
  event.preventDefault()
  const url = new URL(location.href)
  url.searchParams.set('day', link.querySelector('time').dateTime)
  document.querySelector('[data-days] .chosen')?.classList.remove('chosen')
  link.closest('li').classList.add('chosen')
  history.replaceState(history.state, '', url)
  void swap(url.href, { part: '[data-agenda]', isBack: true })
})

// Sharing

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button')
  const address = document.querySelector('link[rel="canonical"]')?.href ?? location.href
  if (button?.matches('[data-share]')) {
    // The promise rejects if the visitor closes the share dialog.
    await navigator.share({ title: document.querySelector('h1').textContent, url: address }).catch(() => {})
  }
  if (button?.matches('[data-copy]')) {
    const code = button.dataset.copy === 'code' && button.parentElement.querySelector('code')
    await navigator.clipboard.writeText(code ? code.textContent : address)
    announce(button.dataset.done)
    const text = button.textContent
    button.textContent = button.dataset.done
    setTimeout(() => {
      button.textContent = text
    }, 2000)
  }
  if (button?.matches('[data-zone]')) toggleZone(button)
})

// Times in the time zone of the visitor

function isElsewhere(time) {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(time.dateTime) ?? []
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  return -new Date(time.dateTime).getTimezoneOffset() !== offset
}

/** The texts of times in the time zone of the event. */
const timesThere = new WeakMap()

function toggleZone(button) {
  const isOwn = button.getAttribute('aria-pressed') !== 'true'
  const { when } = createDateWriter(dateRules[shownLanguage])
  for (const time of document.querySelectorAll('time[data-until]')) {
    if (!timesThere.has(time)) timesThere.set(time, [...time.childNodes])
    const own = capitalised(when(Date.parse(time.dateTime), Date.parse(time.dataset.until), false))
    time.replaceChildren(...(isOwn ? [own] : timesThere.get(time)))
  }
  for (const zone of document.querySelectorAll('.zone')) zone.hidden = isOwn
  button.setAttribute('aria-pressed', String(isOwn))
  const text = button.textContent
  button.textContent = button.dataset.back
  button.dataset.back = text
  announce(document.querySelector('time[data-until]').textContent)
}

/** Shows the controls that need this file, on load and after each swap. */
function enhance() {
  const show = (selector, isShown) => {
    for (const element of document.querySelectorAll(selector)) element.hidden = !isShown
  }
  show('[data-share]', Boolean(navigator.share))
  show('[data-copy]', Boolean(navigator.clipboard))
  for (const place of document.querySelectorAll('[data-streets]:not([data-started])')) {
    place.dataset.started = ''
    import(place.dataset.streets).then(({ showStreets }) => showStreets(place)).catch(() => (place.hidden = true))
  }
  for (const grid of document.querySelectorAll('[data-days]')) keepOneStop(grid)
  show('[data-zone]', [...document.querySelectorAll('.event-head time[data-until]')].some(isElsewhere))
}

enhance()
