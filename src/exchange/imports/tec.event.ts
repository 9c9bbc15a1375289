import { Compile } from 'typebox/compile'
import type { ReadResult } from '../../access/http/arguments/argument.ts'
import { containsLongText, isLongLine, maxLineCharacters, maxTextBytes } from '../../base/text/bounds.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { isLocalDateTime } from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, parseZone, utcZone } from '../../base/time/zone.ts'
import { readCost } from '../../calendar/events/model/cost.ts'
import { availabilityRule, capacityRule, readOffers } from '../../calendar/events/model/offers.arguments.ts'
import { offerFields } from '../../calendar/events/model/offers.fields.ts'
import {
  attendanceRule,
  eventStatusRule,
  reasonRule,
  stateFields,
  virtualAccessRule,
  virtualSourceRule,
  virtualUrlRule,
} from '../../calendar/events/model/state.fields.ts'
import { isStatus } from '../../calendar/records/record.ts'
import type { Taxonomy } from '../../calendar/terms/term.ts'
import { isObject } from '../pull/pull.lists.ts'
import { type ImportText, shapeText } from './import.texts.ts'
import { decodeRenderedEntities } from './rendered.ts'
import type { ImportFault, SourceEvent, SourceLocation, SourceState } from './source.ts'
import { parseTecOrganizer, parseTecTerm, parseTecVenue } from './tec.entries.ts'
import { EventSchema, type TecEvent, type TecTerm } from './tec.schema.ts'
import { globalIdOf, listOf, pageSchemes, readWebsite, sharedFields, trimmedText } from './tec.values.ts'

const eventSchemes = [...pageSchemes, 'ftp:', 'mailto:']
/** Compiled once: it validates every event. */
const eventShape = Compile(EventSchema)

type ParsedEvent = { readonly event: SourceEvent } | { readonly fault: ImportFault }

/** Parses an event of a recorded response. Never throws: returns faults with their location. */
export function parseTecEvent(raw: unknown, place: SourceLocation): ParsedEvent {
  const faulty = (text: ImportText): ParsedEvent => ({ fault: { ...place, text } })
  if (!isObject(raw)) return faulty({ key: 'import.shape.object' })
  const sent = { ...raw, venue: listOf(raw.venue), organizer: listOf(raw.organizer) }
  if (!eventShape.Check(sent)) return faulty(shapeText(eventShape.Errors(sent)[0]))

  const { start_date: start, end_date: end } = sent
  const site = siteOfEvent(sent)
  const zone = parseZone(sent.timezone)
  if (site === undefined) return faulty({ key: 'import.event.site' })
  // The response omits password-protected content. An import would publish the event without protection.
  if (sent.all_day === null) {
    const protectedSource = globalIdOf(sent.global_id) ?? `${site}?id=${sent.id}`
    return { fault: { ...place, text: protectedText(sent), protectedSource } }
  }
  if (!isStatus(sent.status)) return faulty({ key: 'import.event.status', values: { status: sent.status } })
  if (!isLocalDateTime(start)) return faulty({ key: 'import.event.start', values: { date: start } })
  if (!isLocalDateTime(end)) return faulty({ key: 'import.event.end', values: { date: end } })
  if (!zone) return faulty({ key: 'import.event.zone', values: { zone: sent.timezone } })

  const origin = { ...place, site }
  const website = readWebsite(sent.website, sent.url, eventSchemes)
  const { state, remarks } = readState(sent)
  const terms = (taxonomy: Taxonomy, list: readonly TecTerm[] = []) =>
    list.map((term) => parseTecTerm(term, taxonomy, origin))
  const event: SourceEvent = {
    ...sharedFields(sent, sent.status, origin),
    remarks: [
      ...website.remarks,
      ...remarks,
      ...timeRemarks({ start, end, zone }, trimmedText(raw.utc_start_date)),
      ...embedRemarks(trimmedText(sent.description)),
    ],
    removedEmbeds: embedsIn(trimmedText(sent.description)).length,
    title: decodeRenderedEntities(sent.title),
    excerpt: decodeRenderedEntities(trimmedText(sent.excerpt)),
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
    state,
    categories: terms('category', sent.categories),
    tags: terms('tag', sent.tags),
    venues: sent.venue.map((venue) => parseTecVenue(venue, origin)),
    organizers: sent.organizer.map((organizer) => parseTecOrganizer(organizer, origin)),
  }
  // The limits of requests over HTTP.
  if (containsLongText(event)) return faulty({ key: 'import.long.text', values: { most: maxTextBytes / 1024 } })
  if (linesOf(event).some(isLongLine)) return faulty({ key: 'import.long.line', values: { most: maxLineCharacters } })
  return { event }
}

/** Returns what is said about times that this service does not have. */
function timeRemarks(
  { start, end, zone }: Pick<SourceEvent, 'start' | 'end' | 'zone'>,
  utc: string,
): readonly ImportText[] {
  const isSecondHour =
    isLocalDateTime(utc) &&
    epochSecondsOf(start, zone) !== epochSecondsOf(utc, utcZone) &&
    localDateTimeAt(epochSecondsOf(utc, utcZone), zone) === start
  return [
    ...(end < start ? [{ key: 'import.event.reversed' } as const] : []),
    ...(isSecondHour ? [{ key: 'import.event.second-hour' } as const] : []),
  ]
}

function protectedText({ id, title }: TecEvent): ImportText {
  return { key: 'import.event.protected', values: { id, title } }
}

/** Returns the names of the elements that sanitising removes together with their content. */
function embedsIn(description: string): readonly string[] {
  return [...description.matchAll(/<(iframe|script|form|object|embed)\b/gi)].map(([, name = '']) => name.toLowerCase())
}

function embedRemarks(description: string): readonly ImportText[] {
  const names = embedsIn(description)
  if (names.length === 0) return []
  return [{ key: 'import.removed', values: { names: [...new Set(names)].join(', ') } }]
}

/** Returns the title, and the names and fields of linked records. */
function linesOf({ title, venues, organizers }: SourceEvent): readonly string[] {
  const entries = [...venues, ...organizers].flatMap(({ name, fields }) => [name, ...Object.values(fields)])
  return [title, ...entries.filter((value) => typeof value === 'string')]
}

/** Returns the site of an event: the host of its address in the API, or else the beginning of its global id. */
function siteOfEvent({ global_id, rest_url }: TecEvent): string | undefined {
  const url = trimmedText(rest_url)
  return URL.canParse(url) ? new URL(url).hostname : globalIdOf(global_id)?.replace(/\?.*/, '')
}

/**
 * Returns the cost as it was typed. The source shows a cost of 0 as a word in its language; the cost details have the
 * number.
 */
function costOf({ cost, cost_details: details }: TecEvent): string {
  const shown = decodeEntities(trimmedText(cost))
  const isNothing = details?.values.length === 1 && String(details.values[0]) === '0'
  if (!isNothing || /\d/.test(shown)) return shown
  const symbol = decodeEntities(trimmedText(details.currency_symbol))
  return details.currency_position === 'postfix' ? `0${symbol}` : `${symbol}0`
}

const fields = { ...stateFields, ...offerFields }

/** An event of a recording. */
type Recorded = Readonly<Record<string, unknown>>

/** How the value of each property is read. */
const rules: { readonly [P in keyof SourceState]-?: (raw: unknown) => ReadResult<NonNullable<SourceState[P]>> } = {
  eventStatus: eventStatusRule,
  statusReason: reasonRule,
  attendance: attendanceRule,
  virtualUrl: virtualUrlRule,
  virtualSource: virtualSourceRule,
  virtualAccess: virtualAccessRule,
  // Recorded prices have a currency.
  offers: (raw) => readOffers(raw, ''),
  availability: availabilityRule,
  capacity: capacityRule,
}

/**
 * Reads the state and the offers of a recorded event. A value that no event may have is left out, and a remark names it.
 * The lists of the source do not say whether an event is canceled. Its single events do, in their structured data.
 */
function readState(sent: Recorded): { readonly state: SourceState; readonly remarks: readonly ImportText[] } {
  const state: Record<string, unknown> = {}
  const remarks: ImportText[] = []
  const { eventStatus, eventAttendanceMode } = isObject(sent.json_ld) ? sent.json_ld : {}
  const recorded: Recorded = {
    ...{ event_status: eventStatus, attendance: attendanceOf(sent, eventAttendanceMode) },
    ...sent,
    virtual_url: typeof sent.virtual_url === 'string' ? decodeEntities(sent.virtual_url) : sent.virtual_url,
  }
  for (const [property, read] of Object.entries(rules)) {
    const { name } = fields[property as keyof typeof fields]
    if (recorded[name] === undefined || recorded[name] === null) continue
    const result = read(recorded[name])
    if ('fault' in result) remarks.push({ key: 'import.state', values: { name } })
    else state[property] = result.value
  }
  // A reason belongs to a status.
  if (state.eventStatus === undefined) delete state.statusReason
  return { state, remarks }
}

/** Returns how people attend an event, by the members of the source. Undefined if it has none of them. */
function attendanceOf({ is_virtual: isVirtual, virtual_event_type: type }: Recorded, mode: unknown) {
  if (isVirtual === false) return 'offline'
  const form = /^https?:\/\/schema\.org\/(Online|Mixed)EventAttendanceMode$/
  const inData = typeof mode === 'string' ? form.exec(mode)?.[1]?.toLowerCase() : undefined
  return type === 'hybrid' ? 'mixed' : (inData ?? (isVirtual === true ? 'online' : undefined))
}
