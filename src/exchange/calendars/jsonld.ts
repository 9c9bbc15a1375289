import { setTimeout as pause } from 'node:timers/promises'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { decodeEntities, escapeHtml } from '../../base/text/escape.ts'
import { directoryOf, externalIdFrom, type ForeignCalendar, type ForeignRecord } from './foreign.records.ts'
import type { CalendarReading } from './ics.events.ts'

// Events that a site shows to search engines (schema.org, JSON-LD), page by page of its sitemap.

/** How the pages of a site are read. */
export interface SiteReading extends CalendarReading {
  readonly site: URL
  /** Only pages whose addresses contain it. */
  readonly match?: string | undefined
  readonly pauseMs: number
  /** Returns a document; undefined if there is none. */
  readonly fetch: (url: string) => Promise<string | undefined>
  readonly onPage?: ((done: number, total: number) => void) | undefined
}

const maxPages = 5000
const maxSitemaps = 500
const sitemaps = ['/sitemap.xml', '/sitemap_index.xml', '/wp-sitemap.xml']

/** Reads the events of all pages that a sitemap names. The address is that of the site, or of a sitemap. */
export async function readSite(reading: SiteReading): Promise<ForeignCalendar> {
  const { site, fetch, pauseMs, onPage } = reading
  const pages = await pagesOf(reading)
  let place = 0
  const directory = directoryOf(() => place)
  const records = new Map<string, ForeignRecord>()
  for (const page of pages) {
    if (place > 0) await pause(pauseMs)
    place += 1
    onPage?.(place, pages.length)
    for (const event of eventsIn((await fetch(page)) ?? '')) {
      const record = recordOf(event, { page, reading, named: directory.named })
      records.set(record.externalId, { ...record, place })
    }
  }
  const events = [...records.values()]
  return {
    name: site.hostname,
    found: events.length,
    directory: directory.records(),
    events,
    dates: [],
    series: [],
    notes: [],
  }
}

/** Returns the pages of a site, those of sitemaps within a sitemap too. */
async function pagesOf({ site, match = '', fetch }: SiteReading): Promise<readonly string[]> {
  const waiting = site.pathname.endsWith('.xml') ? [site.href] : sitemaps.map((path) => new URL(path, site).href)
  const [pages, known] = [new Set<string>(), new Set<string>()]
  for (let next = waiting.shift(); next !== undefined && pages.size < maxPages; next = waiting.shift()) {
    // A site may make up sitemaps for ever.
    if (known.has(next) || known.size >= maxSitemaps) continue
    known.add(next)
    for (const [, text = ''] of ((await fetch(next)) ?? '').matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]+)/gi)) {
      const url = decodeEntities(text.trim())
      // Other sites are not asked.
      if (!URL.canParse(url) || new URL(url).host !== site.host) continue
      if (/\.xml$/i.test(new URL(url).pathname)) {
        if (waiting.length < maxSitemaps) waiting.push(url)
      } else if (url.includes(match) && pages.size < maxPages) pages.add(url)
    }
  }
  return [...pages]
}

type Thing = Readonly<Record<string, unknown>>

/** Returns the events in the scripts of a page, also those within lists and graphs. */
function eventsIn(html: string): readonly Thing[] {
  // All is bounded, so that the work does not grow with the square of a page that is made for it.
  return html.split(/<\/script/i).flatMap((part) => {
    const start = /<script\b[^<>]{0,500}application\/ld\+json[^<>]{0,500}>/i.exec(part)
    if (!start) return []
    try {
      return eventsOf(JSON.parse(part.slice(start.index + start[0].length)), 8)
    } catch {
      return []
    }
  })
}

const nesting = ['@graph', 'itemListElement', 'item', 'mainEntity', 'subEvent', 'event', 'events']

function eventsOf(value: unknown, depth: number): readonly Thing[] {
  if (typeof value !== 'object' || value === null || depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((one) => eventsOf(one, depth - 1))
  const thing = value as Thing
  if ([thing['@type']].flat().some((type) => /(?:^|[a-z:/])Event$|(?:^|[:/])Festival$/.test(String(type))))
    return [thing]
  return nesting.flatMap((name) => eventsOf(thing[name], depth - 1))
}

const textOf = (value: unknown): string => (typeof value === 'string' ? decodeEntities(value).trim() : '')
const thingOf = (value: unknown): Thing => {
  const [first] = [value].flat()
  return typeof first === 'object' && first !== null ? (first as Thing) : { name: first }
}
const webAddress = (value: unknown) => (/^https?:\/\/\S+$/i.test(textOf(value)) ? textOf(value) : '')

function recordOf(
  event: Thing,
  {
    page,
    reading,
    named,
  }: { readonly page: string; readonly reading: SiteReading; readonly named: ReturnType<typeof directoryOf>['named'] },
): Omit<ForeignRecord, 'place'> {
  const { siteZone, status = 'publish', category } = reading
  const [start, end] = [textOf(event.startDate), textOf(event.endDate)]
  const isAllDay = /^\d{4}-\d\d-\d\d$/.test(start)
  const url = webAddress(event.url) || page
  const places = [event.location].flat().filter(Boolean).map(thingOf)
  const online = places.find((one) => one['@type'] === 'VirtualLocation')
  const place = places.find((one) => one !== online && textOf(one.name) !== '')
  const organizer = textOf(thingOf(event.organizer).name)
  const isOnline = online !== undefined || /Online/.test(textOf(event.eventAttendanceMode) + textOf(event.eventStatus))
  const sent: RawParameters = {
    ...{ title: escapeHtml(textOf(event.name)), description: textOf(event.description), status },
    ...{
      timezone: siteZone.name,
      all_day: isAllDay,
      start_date: start,
      end_date: isAllDay ? end.slice(0, 10) || start : endAfter(start, end),
    },
    event_status: /Cancell?ed/.test(textOf(event.eventStatus))
      ? 'canceled'
      : /Postponed/.test(textOf(event.eventStatus))
        ? 'postponed'
        : 'scheduled',
    attendance: isOnline ? (place ? 'mixed' : 'online') : 'offline',
    ...{ virtual_url: webAddress(online?.url), website: url, source_url: url },
    venue: place ? named('venue', JSON.stringify(venueOf(place)), venueOf(place)) : [],
    organizer: organizer === '' ? [] : named('organizer', organizer, { organizer: escapeHtml(organizer) }),
    categories: category ? [escapeHtml(category)] : [],
  }
  return { kind: 'event', externalId: externalIdFrom(`${textOf(event['@id']) || url} ${start}`), sent }
}

/** Returns the end of an event that starts at a time. A site may only say on which day it ends. */
function endAfter(start: string, end: string): string {
  if (!/^\d{4}-\d\d-\d\d$/.test(end)) return end || start
  return end > start.slice(0, 10) ? `${end} 23:59:59` : start
}

function venueOf(place: Thing): RawParameters {
  const address = thingOf(place.address)
  const geo = thingOf(place.geo)
  const parts = {
    address: address.streetAddress ?? address.name,
    ...{ city: address.addressLocality, stateprovince: address.addressRegion, zip: address.postalCode },
    country: textOf(address.addressCountry) || thingOf(address.addressCountry).name,
  }
  const named = Object.entries(parts).flatMap(([name, value]) =>
    textOf(value) === '' ? [] : [[name, escapeHtml(textOf(value))]],
  )
  const [latitude, longitude] = [Number(geo.latitude), Number(geo.longitude)]
  const placed = latitude && longitude ? { geo_lat: latitude, geo_lng: longitude } : {}
  return { venue: escapeHtml(textOf(place.name)), ...Object.fromEntries(named), ...placed }
}
