import { Compile } from 'typebox/compile'
import { readCost } from '../events/event.cost.ts'
import { urlOf } from '../http/rules.ts'
import type { OrganizerFields } from '../organizers/organizer.ts'
import { isStatus, type Status } from '../records/record.ts'
import type { Taxonomy } from '../terms/term.ts'
import { holdsLongText, isLongLine, mostLineCharacters, mostTextBytes } from '../text/bounds.ts'
import { decodeEntities } from '../text/escape.ts'
import { plainText } from '../text/sanitize.ts'
import { isWall, type Wall } from '../time/wall.ts'
import { parseZone } from '../time/zone.ts'
import type { VenueFields } from '../venues/venue.ts'
import { unrendered } from './rendered.ts'
import type { Place, Recording, Remark, SourceEntry, SourceEvent, SourceTerm } from './source.ts'
import { EventSchema, type TecEvent, type TecOrganizer, type TecTerm, type TecVenue } from './tec.schema.ts'

const pageSchemes = ['http:', 'https:']
const eventSchemes = [...pageSchemes, 'ftp:', 'mailto:']
/** Made once: every event is held against it. */
const eventShape = Compile(EventSchema)

/**
 * Reads a recorded answer of the events list of a `tribe/events/v1` interface (or of ours, which speaks the same).
 * Never throws on what it is given: what cannot be read is named with its place.
 *
 * @param file How the file is called in what is said about it.
 */
export function readTecRecording(file: string, text: string): Recording {
  const events = eventsIn(text)
  if (!events) {
    const fault = { file, path: '', text: 'is not a recorded list of events: JSON with a list “events”' }
    return { events: [], faults: [fault] }
  }
  const read = events.map((raw, index) => readEvent(raw, { file, path: `events[${index}]` }))
  return {
    events: read.flatMap((outcome) => ('event' in outcome ? [outcome.event] : [])),
    faults: read.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : [])),
  }
}

function eventsIn(text: string): readonly unknown[] | undefined {
  try {
    const recorded: unknown = JSON.parse(text)
    const events = isObject(recorded) ? recorded.events : undefined
    return Array.isArray(events) ? events : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type ReadEvent = { readonly event: SourceEvent } | { readonly fault: Remark }

function readEvent(raw: unknown, place: Place): ReadEvent {
  const faulty = (text: string): ReadEvent => ({ fault: { ...place, text } })
  if (!isObject(raw)) return faulty('is not an object')
  const sent = { ...raw, venue: listOf(raw.venue), organizer: listOf(raw.organizer) }
  if (!eventShape.Check(sent)) return faulty(firstError(sent))

  const { start_date: start, end_date: end } = sent
  const site = siteOfEvent(sent)
  const zone = parseZone(sent.timezone)
  if (site === undefined) return faulty('has neither a global_id nor a rest_url to know it by')
  if (!isStatus(sent.status)) return faulty(`has the unknown status “${sent.status}”`)
  if (!isWall(start)) return faulty(`start_date “${start}” is not a date and time`)
  if (!isWall(end)) return faulty(`end_date “${end}” is not a date and time`)
  if (!zone) return faulty(`timezone “${sent.timezone}” is not known`)

  const website = readWebsite(sent.website, sent.url, eventSchemes)
  const terms = (taxonomy: Taxonomy, list: readonly TecTerm[] = []) =>
    list.map((term) => readTerm(term, taxonomy, site, place))
  const event: SourceEvent = {
    ...shared(sent, sent.status, site, place),
    remarks: website.remarks,
    title: unrendered(sent.title),
    excerpt: unrendered(textOf(sent.excerpt)),
    start,
    end,
    zone,
    isAllDay: sent.all_day ?? false,
    cost: readCost(costOf(sent)),
    website: website.isOwnPage ? undefined : website.url,
    showMap: sent.show_map ?? false,
    showMapLink: sent.show_map_link ?? false,
    isHidden: sent.hide_from_listings ?? false,
    isSticky: sent.sticky ?? false,
    isFeatured: sent.featured ?? false,
    categories: terms('category', sent.categories),
    tags: terms('tag', sent.tags),
    venues: sent.venue.map((venue) => readVenue(venue, site, place)),
    organizers: sent.organizer.map((organizer) => readOrganizer(organizer, site, place)),
  }
  // The bounds of what is sent over HTTP.
  if (holdsLongText(event)) return faulty(`has a text of more than ${mostTextBytes / 1024} KB`)
  if (linesOf(event).some(isLongLine)) return faulty(`has a line of more than ${mostLineCharacters} characters`)
  return { event }
}

/** Its title, and names and fields of what it is linked to. */
function linesOf({ title, venues, organizers }: SourceEvent): readonly string[] {
  const entries = [...venues, ...organizers].flatMap(({ name, fields }) => [name, ...Object.values(fields)])
  return [title, ...entries.filter((value) => typeof value === 'string')]
}

/** One, several or none: an object, a list, or an empty form. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return value === null || value === undefined || value === false ? [] : [value]
}

function firstError(sent: unknown): string {
  const [error] = eventShape.Errors(sent)
  const path = (error?.instancePath ?? '')
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.')
  return `${path} ${error?.message ?? 'has an unknown shape'}`.trim()
}

/** The site of an event: the host of its address in the API, else what its global id begins with. */
function siteOfEvent({ global_id, rest_url }: TecEvent): string | undefined {
  const url = textOf(rest_url)
  return URL.canParse(url) ? new URL(url).hostname : globalIdOf(global_id)?.replace(/\?.*/, '')
}

/** `host?id=12`, or undefined for all else. */
function globalIdOf(raw: unknown): string | undefined {
  return /^[^?\s]+\?id=\d+$/.exec(textOf(raw))?.[0]
}

type TecRecord = TecEvent | TecVenue | TecOrganizer

/** What all records share. */
function shared(
  { id, global_id, slug, description, date_utc, modified_utc, image }: TecRecord,
  status: Status,
  site: string,
  place: Place,
) {
  const date = textOf(date_utc)
  return {
    ...place,
    source: globalIdOf(global_id) ?? `${site}?id=${id}`,
    slug: textOf(slug),
    description: unrendered(textOf(description)),
    status,
    publishedAt: isWall(date) ? date : (undefined as Wall | undefined),
    modifiedAt: textOf(modified_utc),
    hasImage: isObject(image) || (typeof image === 'string' && image !== ''),
  }
}

function readTerm(term: TecTerm, taxonomy: Taxonomy, site: string, place: Place): SourceTerm {
  return {
    ...place,
    taxonomy,
    source: `${site}?term=${term.id}`,
    name: unrendered(term.name),
    slug: textOf(term.slug),
    description: unrendered(textOf(term.description)),
    parent: taxonomy === 'category' && term.parent ? `${site}?term=${term.parent}` : undefined,
  }
}

function readVenue(sent: TecVenue, site: string, place: Place): SourceEntry<VenueFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const latitude = degrees(sent.geo_lat, 90)
  const longitude = degrees(sent.geo_lng, 180)
  const isPlaced = latitude !== undefined && longitude !== undefined
  const fields = {
    address: lineOf(sent.address),
    city: lineOf(sent.city),
    country: lineOf(sent.country),
    province: lineOf(sent.province),
    state: lineOf(sent.state),
    stateprovince: lineOf(sent.stateprovince),
    zip: lineOf(sent.zip),
    phone: lineOf(sent.phone),
    website: website.isOwnPage ? '' : website.url,
    show_map: sent.show_map ?? true,
    show_map_link: sent.show_map_link ?? true,
    geo_lat: isPlaced ? latitude : null,
    geo_lng: isPlaced ? longitude : null,
  }
  const name = unrendered(textOf(sent.venue))
  const standIn = name.trim() === '' ? placeName(fields) || `Venue ${sent.id}` : undefined
  return {
    ...shared(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields,
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the venue ${sent.id} has no name and is called “${standIn}”`]),
    ],
  }
}

/** The source has venues without a name, which we have not: where it is says which it is. */
function placeName({ address, city, province, state, stateprovince, country }: Partial<VenueFields>): string {
  return [address, city, stateprovince || state || province, country].filter(Boolean).join(', ')
}

function readOrganizer(sent: TecOrganizer, site: string, place: Place): SourceEntry<OrganizerFields> {
  const website = readWebsite(sent.website, sent.url, pageSchemes)
  const email = lineOf(sent.email)
  const name = unrendered(textOf(sent.organizer))
  const standIn = name.trim() === '' ? email || `Organizer ${sent.id}` : undefined
  return {
    ...shared(sent, entryStatus(sent.status), site, place),
    name: standIn ?? name,
    fields: { phone: lineOf(sent.phone), website: website.isOwnPage ? '' : website.url, email },
    remarks: [
      ...website.remarks,
      ...(standIn === undefined ? [] : [`the organizer ${sent.id} has no name and is called “${standIn}”`]),
    ],
  }
}

/** Venues and organizers of an unknown state are of no use to a published event: they are taken as published. */
function entryStatus(raw: unknown): Status {
  return isStatus(raw) ? raw : 'publish'
}

/**
 * A website as we keep it. The source keeps what was typed: `beltline.org` is read as an address, and what is none is
 * left out. Where there is none it shows the record's own page.
 */
function readWebsite(raw: unknown, ownPage: unknown, schemes: readonly string[]) {
  const sent = decodeEntities(textOf(raw)).trim()
  if (sent === '') return { url: '', isOwnPage: false, remarks: [] }
  const isBareHost = /^[a-z\d-]+(\.[a-z\d-]+)+([/?#:]|$)/i.test(sent)
  const url = urlOf(isBareHost ? `http://${sent}` : sent, schemes) ?? ''
  const remarks = url === '' ? [`the website “${sent}” is not a web address and was left out`] : []
  return { url, isOwnPage: url !== '' && url === textOf(ownPage), remarks }
}

/** The cost as it was typed. A cost of nothing is shown as a word in the language of the source: its details tell. */
function costOf({ cost, cost_details: details }: TecEvent): string {
  const shown = decodeEntities(textOf(cost))
  const isNothing = details?.values.length === 1 && String(details.values[0]) === '0'
  if (!isNothing || /\d/.test(shown)) return shown
  const symbol = decodeEntities(textOf(details.currency_symbol))
  return details.currency_position === 'postfix' ? `0${symbol}` : `${symbol}0`
}

function degrees(raw: unknown, most: number): number | undefined {
  const number = Number.parseFloat(textOf(raw))
  return Math.abs(number) <= most ? number : undefined
}

/** The text that was sent, a number in digits, or `''` for null, false and nothing. */
function textOf(raw: unknown): string {
  return typeof raw === 'string' || typeof raw === 'number' ? String(raw) : ''
}

function lineOf(raw: unknown): string {
  return plainText(decodeEntities(textOf(raw)))
}
