import { addDays, addMonths, dateWriter, isDay, todayIn } from './days.js'
import { button, element } from './dom.js'
import { calendarFrame } from './frame.js'
import { dayView, listView } from './list.view.js'
import { eventsOfMonth, gridOf, monthView } from './month.view.js'
import { EventSource } from './source.js'
import { fill } from './text.js'

/* global settings, styleTexts: defined by the service before these modules. */

const views = { list: listView, month: monthView, day: dayView }
const emptyKeys = { list: 'nothing-upcoming', month: 'nothing-that-month', day: 'nothing-that-day' }
const filterNames = ['category', 'tag', 'venue', 'organizer', 'search', 'featured', 'status', 'attendance']
const usualLimit = 20
const maxLimit = 500
const base = new URL('.', import.meta.url).href.replace(/\/$/, '')
const lastDay = '9998-12-31'
const focusTitle = (region) => region.querySelector('.title')

const sheets = styleTexts.map((text) => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(text)
  return sheet
})

/** `<cal-events>`: the events of the site that serves this script, in a page of another site. */
class CalEvents extends HTMLElement {
  static observedAttributes = [
    'view',
    'views',
    'date',
    'limit',
    'language',
    'heading',
    'pictures',
    'target',
    'label',
    'occurrences',
    ...filterNames,
  ]

  #root = this.attachShadow({ mode: 'open' })
  #frame
  #asking
  #isDue = false
  /** The choices of the visitor: view, day, number of events. */
  #chosen = {}

  connectedCallback() {
    this.#root.adoptedStyleSheets = sheets
    this.#plan()
  }

  disconnectedCallback() {
    this.#asking?.abort()
  }

  attributeChangedCallback(name) {
    if (['view', 'date', 'limit'].includes(name)) this.#chosen = {}
    if (this.isConnected) this.#plan()
  }

  /** Loads the view again. */
  refresh() {
    return this.#load()
  }

  /** Batches attributes that change together. */
  #plan() {
    if (this.#isDue) return
    this.#isDue = true
    queueMicrotask(() => {
      this.#isDue = false
      if (this.isConnected) void this.#load()
    })
  }

  /** Returns the view of the attributes and the choices of the visitor. */
  #view() {
    const language = this.#language()
    const spoken = settings.catalogues[settings.textLanguages[language]]
    const say = (key, values) => fill(spoken.texts[key], spoken.dates.locale, values)
    const today = todayIn(settings.zone)
    const asked = (this.getAttribute('date') ?? '').replace(/^\d{4}-\d\d$/, '$&-01')
    const name = this.#chosen.view ?? this.getAttribute('view')
    const shown = Object.hasOwn(views, name) ? name : 'list'
    const limit = Math.trunc(Number(this.getAttribute('limit')))
    const step = limit >= 1 ? Math.min(limit, maxLimit) : usualLimit
    const heading = Math.trunc(Number(this.getAttribute('heading')))
    const level = heading >= 1 && heading <= 4 ? heading : 2
    return {
      ...{ settings, language, spoken, say, today, base, step },
      write: dateWriter(spoken.dates),
      name: shown,
      regionName: this.#regionName(say('events')),
      names: (this.getAttribute('views') ?? '').split(/[\s,]+/).filter((one) => Object.hasOwn(views, one)),
      date: this.#chosen.date ?? (isDay(asked) ? asked : today),
      limit: this.#chosen.limit ?? step,
      emptyText: say(filterNames.some((filter) => this.#filter(filter)) ? 'nothing-found' : emptyKeys[shown]),
      hasPictures: this.getAttribute('pictures') !== 'none',
      isFolded: shown === 'list' && this.getAttribute('occurrences') === 'next',
      count: (number) => say('events-found', { count: number }),
      heading: (below, attributes, ...children) => element(`h${level + below}`, attributes, ...children),
      link: (event, ...children) => this.#link(event, children),
      seriesLink: (event, text) => element('a', { href: event.allUrl, ...this.#target(), part: 'series-link' }, text),
      show: (view, date) => this.#choose({ view, date }, focusTitle),
      announce: (text) => this.#frame.announce(text),
      goBy: (steps, focus) => this.#goBy(steps, focus),
      choose: (change, focus) => this.#choose(change, focus),
    }
  }

  /** Returns a name that is unique on the page, for screen readers: the label, or a number. */
  #regionName(usual) {
    const label = this.getAttribute('label')?.trim()
    if (label) return label
    const others = [...this.ownerDocument.querySelectorAll('cal-events:not([label])')]
    const place = others.indexOf(this)
    return others.length > 1 && place >= 0 ? `${usual} ${place + 1}` : usual
  }

  /** Returns the available language nearest to the attribute, or to the language of the page. */
  #language() {
    const { textLanguages, defaultLanguage } = settings
    const languages = Object.keys(textLanguages)
    const asked = this.getAttribute('language') ?? this.closest('[lang]')?.lang ?? ''
    const exact = languages.find((language) => language.toLowerCase() === asked.toLowerCase())
    const near = [defaultLanguage, ...languages].find(
      (language) => language.split('-')[0] === asked.split('-')[0].toLowerCase(),
    )
    return exact ?? near ?? defaultLanguage
  }

  #link(event, children) {
    const link = element(
      'a',
      { href: event.url, lang: event.language, dir: 'auto', ...this.#target(), part: 'link' },
      ...children,
    )
    link.addEventListener('click', (click) => {
      if (!this.#tell('cal-select', event.told, true)) click.preventDefault()
    })
    return link
  }

  /** Returns where links open. */
  #target() {
    const target = this.getAttribute('target') ?? undefined
    return { target, rel: target === '_blank' ? 'noopener' : undefined }
  }

  /** @returns Whether no listener prevented the default. */
  #tell(name, detail, cancelable = false) {
    return this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true, cancelable }))
  }

  #choose(change, focus) {
    this.#chosen = { ...this.#chosen, ...change }
    void this.#load(focus)
  }

  #goBy(steps, focus) {
    const { name, date } = this.#view()
    const to = name === 'month' ? addMonths(date, steps) : addDays(date, steps)
    if (to >= '0002' && to <= lastDay) this.#choose({ date: to }, focus)
  }

  /** @param focus Finds the element to focus, if the focus was in the calendar. */
  async #load(focus) {
    const view = this.#view()
    this.#asking?.abort()
    this.#asking = new AbortController()
    const { signal } = this.#asking
    this.#frame ??= calendarFrame(this.#root)
    this.#frame.wait(view)
    try {
      const filters = Object.fromEntries(filterNames.map((name) => [name, this.#filter(name)]))
      const source = new EventSource(settings, base, filters, view)
      const [{ events, total }, feed] = await Promise.all([ask(view, source, signal), source.calendarUrl()])
      if (signal.aborted) return
      // Events of neighbouring months are not counted if all events are loaded.
      const isWhole = view.name === 'month' && events.length === total
      const counted = isWhole ? eventsOfMonth(view, events).length : total
      this.#frame.show(view, {
        content: views[view.name](view, events),
        total: counted,
        events,
        feed,
        focus,
      })
      this.#tell('cal-load', { view: view.name, date: view.date, total: counted })
    } catch (error) {
      if (signal.aborted) return
      const retry = button({ part: 'retry' }, view.say('embed.retry'), () => void this.#load(focusTitle))
      this.#frame.fail(view, error.isTold ? error.message : '', retry)
      this.#tell('cal-error', { message: error.message })
    }
  }

  #filter(name) {
    const value = this.getAttribute(name)?.trim()
    return name === 'featured' && value === '' ? 'true' : value
  }
}

function ask(view, source, signal) {
  const { name, date, today, limit, isFolded } = view
  if (name === 'month') return source.between(...gridOf(view), { signal })
  if (name === 'day') return source.between(date, date, { signal })
  return source.between(date > today ? date : today, undefined, {
    most: limit,
    signal,
    occurrences: isFolded && 'next',
  })
}

if (!customElements.get('cal-events')) customElements.define('cal-events', CalEvents)
