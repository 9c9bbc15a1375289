import { withNonBreakingSpaces } from '../../../base/text/spaces.js'
import { addDays } from './days.js'
import { safeUrl } from './dom.js'
import { bareTitle, stateOf } from './states.js'
import { plainText } from './text.js'

/** The maximum number of response pages for one view. */
const maxPages = 5

/** Ids of venues and organizers by the address of their slug. Kept for the life of the page. */
const idsBySlug = new Map()

/** Reads events from the service with the filters of a calendar. */
export class EventSource {
  /**
   * @param settings Settings of the service.
   * @param base Address of its site.
   * @param filters Values of the attributes by name.
   * @param languages `language` of events, `spoken` of texts.
   */
  constructor(settings, base, filters, { language, spoken }) {
    this.settings = settings
    this.filters = filters
    this.language = language
    this.root = `${base}${spoken.api}`
  }

  /**
   * Returns events that overlap these days, in order; without a last day, up to `most` upcoming ones. If `occurrences`
   * is `next`, only the next date of each series.
   *
   * @returns `{ events, total }`
   * @throws Error with the message of the service.
   */
  async between(from, to, { most, signal, occurrences }) {
    const { maxPerPage } = this.settings
    const limit = most ?? maxPerPage * maxPages
    const query = await this.query({ ...daysQuery(from, to), per_page: Math.min(limit, maxPerPage), occurrences })
    const events = []
    let total = 0
    for (let page = 1, pages = 1; page <= pages && events.length < limit; page += 1) {
      query.set('page', page)
      const answer = await this.ask(`/events?${query}`, signal)
      events.push(...answer.events.map((told) => eventOf(told, this.settings)))
      total = answer.total
      pages = answer.total_pages
    }
    return { events: events.slice(0, limit), total }
  }

  /** Returns the address of these events as a calendar feed. */
  async calendarUrl() {
    return this.url(`/events.ics?${await this.query({})}`)
  }

  async query(more) {
    const { search, category, tag, venue, organizer, featured, status, attendance } = this.filters
    const asked = {
      ...more,
      search,
      categories: category,
      tags: tag,
      venue: await this.idsOf('venues', venue),
      organizer: await this.idsOf('organizers', organizer),
      featured,
      event_status: status,
      attendance,
      [this.settings.languageParameter]: this.language,
    }
    return new URLSearchParams(Object.entries(asked).filter(([, value]) => value))
  }

  /** Returns ids for a list of ids or slugs. */
  async idsOf(kind, names) {
    if (!names) return undefined
    const ids = names.split(',').map((name) => {
      const text = name.trim()
      return /^\d+$/.test(text) ? text : this.idAt(`/${kind}/by-slug/${encodeURIComponent(text)}`)
    })
    return (await Promise.all(ids)).join()
  }

  idAt(path) {
    const url = this.url(path)
    if (!idsBySlug.has(url)) {
      const asked = this.ask(path).then(({ id }) => id)
      idsBySlug.set(url, asked)
      asked.catch(() => idsBySlug.delete(url))
    }
    return idsBySlug.get(url)
  }

  url(path) {
    return `${this.root}${path}`
  }

  async ask(path, signal) {
    // Public data: a request without cookies and without a CORS preflight.
    const answer = await fetch(this.url(path), { signal, credentials: 'omit' })
    const body = await answer.json()
    // Past the last page, and for an empty list, the service answers 404.
    if (answer.status === 404 && path.startsWith('/events?')) return { events: [], total: 0, total_pages: 0 }
    if (!answer.ok) throw Object.assign(new Error(plainText(body.message)), { isTold: true })
    return body
  }
}

function daysQuery(from, to) {
  return { ends_after: addDays(from, -1), ...(to && { starts_before: to }) }
}

/** Returns an event for views. A protected event has few fields. */
function eventOf(told, settings) {
  const { languageParameter } = settings
  const place = Array.isArray(told.venue) ? told.venue[0] : told.venue
  const [name, city] = [plainText(place?.venue), plainText(place?.city)]
  return {
    title: withNonBreakingSpaces(bareTitle(plainText(told.title), told, settings)),
    ...stateOf(told),
    language: told[languageParameter],
    url: safeUrl(told.url),
    repeats: plainLine(told.series?.text),
    allUrl: safeUrl(told.series?.all_url),
    start: told.start_date,
    end: told.end_date,
    isAllDay: told.all_day === true,
    isFeatured: told.featured === true,
    placeLanguage: place?.[languageParameter],
    place: withNonBreakingSpaces(city === '' || name.includes(city) ? name : `${name}, ${city}`),
    picture: pictureOf(told.image),
    told,
  }
}

function plainLine(text) {
  return typeof text === 'string' ? text : ''
}

function pictureOf(image) {
  if (!image) return undefined
  const url = safeUrl(image.sizes?.medium?.url ?? image.url)
  return url && { url, width: image.width, height: image.height, alt: plainLine(image.alt) }
}
