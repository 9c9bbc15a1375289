import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { fail } from '../../base/problems.ts'
import { decodeEntities, escapeHtml } from '../../base/text/escape.ts'
import {
  type CalendarNote,
  directoryOf,
  externalIdFrom,
  type ForeignCalendar,
  type ForeignRecord,
} from './foreign.records.ts'
import type { CalendarReading } from './ics.events.ts'
import { maxComponents } from './ics.parts.ts'

// Events that pages show to search engines (schema.org, JSON-LD).

/** A page of a site, and what it says to programs. */
export interface SitePage {
  readonly url: string
  readonly scripts: readonly string[]
}

/**
 * Reads the events of the pages of a site.
 *
 * @throws not-a-calendar if there are none, rest_request_too_large
 */
export function parsePages(pages: readonly SitePage[], reading: CalendarReading): ForeignCalendar {
  let place = 0
  const directory = directoryOf(() => place)
  const records = new Map<string, ForeignRecord>()
  const notes: CalendarNote[] = []
  for (const [number, { url: page, scripts }] of pages.entries()) {
    const events = scripts.flatMap(eventsIn)
    if (place + events.length > maxComponents) {
      if (number === 0) fail('rest_request_too_large', { text: 'rest_request_too_large.calendar' })
      notes.push({ key: 'import.site.part', values: { read: number, total: pages.length } })
      break
    }
    for (const event of events) {
      place += 1
      const { externalId: id, ...record } = recordOf(event, { ...reading, page, named: directory.named })
      const { title } = record.sent
      // Events of one page may have no address of their own, and begin at the same time.
      const externalId = (records.get(id)?.sent.title ?? title) === title ? id : externalIdFrom(`${id} ${title}`)
      records.set(externalId, { ...record, externalId, place })
    }
  }
  const [first] = pages
  if (!first || records.size === 0) return fail('not-a-calendar', { text: 'not-a-calendar.page' })
  return {
    ...{ name: new URL(first.url).hostname, found: records.size, directory: directory.records() },
    ...{ events: [...records.values()], dates: [], series: [], notes },
  }
}

/** Returns the scripts of a page that are data for programs. */
export function scriptsIn(html: string): readonly string[] {
  // All is bounded, so that the work does not grow with the square of a page that is made for it.
  return html.split(/<\/script/i).flatMap((part) => {
    const start = /<script\b[^<>]{0,500}application\/ld\+json[^<>]{0,500}>/i.exec(part)
    return start ? [part.slice(start.index + start[0].length)] : []
  })
}

type Thing = Readonly<Record<string, unknown>>

/** Returns the events in a script, also those within lists and graphs. Some sites break lines within texts. */
function eventsIn(script: string): readonly Thing[] {
  try {
    return eventsOf(JSON.parse(script.replace(/\p{Cc}/gu, ' ')), 8)
  } catch {
    return []
  }
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

interface PageReading extends CalendarReading {
  readonly page: string
  readonly named: ReturnType<typeof directoryOf>['named']
}

function recordOf(
  event: Thing,
  { page, named, siteZone, status = 'publish', category }: PageReading,
): Omit<ForeignRecord, 'place'> {
  const [start, end] = [textOf(event.startDate), textOf(event.endDate)]
  const isAllDay = /^\d{4}-\d\d-\d\d$/.test(start)
  const path = /^\/(?!\/)/.test(textOf(event.url)) ? new URL(textOf(event.url), page).href : page
  const url = webAddress(event.url) || path
  const places = [event.location].flat().filter(Boolean).map(thingOf)
  const online = places.find((one) => one['@type'] === 'VirtualLocation')
  const place = places.find((one) => one !== online && venueOf(one).venue !== '')
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
  const name = [place.name, parts.address, parts.city].map(textOf).find((text) => text !== '')
  return { venue: escapeHtml(name ?? ''), ...Object.fromEntries(named), ...placed }
}
