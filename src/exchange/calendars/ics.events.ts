import type ICAL from 'ical.js'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import {
  addMonths,
  addSeconds,
  dayOf,
  type LocalDateTime,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import { epochSecondsOf, localDateTimeAt, offsetAt, parseZone, utcZone, type Zone } from '../../base/time/zone.ts'
import { longestYears, maxExceptions, maxExtraDates } from '../../calendar/recurrence/recurrence.limits.ts'
import { readRecurrence } from '../../calendar/recurrence/recurrence.text.ts'
import { isRecurrenceFault, type Recurrence } from '../../calendar/recurrence/recurrence.ts'
import { datesOf } from '../../calendar/recurrence/rule.dates.ts'
import {
  type CalendarNote,
  directoryOf,
  externalIdFrom,
  type ForeignCalendar,
  type ForeignRecord,
  type ForeignSeries,
} from './foreign.records.ts'
import { type CalendarComponent, maxComponents, type Properties, readCalendarParts, textOf } from './ics.parts.ts'
import {
  type CalendarZones,
  calendarZones,
  instantText,
  localIn,
  type Moment,
  sentTime,
  zoneNamed,
} from './ics.times.ts'

/** What a calendar does not say itself. */
export interface CalendarReading {
  readonly siteZone: Zone
  /** Whole seconds since 1970, UTC. */
  readonly now: number
  /** The status of public events. */
  readonly status?: string
  /** A category of all events, beside those that they name. */
  readonly category?: string | undefined
}

/** Rules that are not followed here are expanded until so many months from now. */
const monthsAhead = 24

/**
 * Reads a calendar of others (RFC 5545). A short file can take forever, so only `readCalendar` calls it, in a thread.
 *
 * @throws not-a-calendar, rest_request_too_large
 */
export async function parseCalendar(bytes: Uint8Array, reading: CalendarReading): Promise<ForeignCalendar> {
  const parts = await readCalendarParts(bytes)
  const { default: ical } = await import('ical.js')
  const ownZone = zoneNamed(textOf(parts.properties, 'x-wr-timezone'))
  const usual = ownZone ?? reading.siteZone
  const zones = calendarZones({ ical, usual, defined: parts.zones })
  // Programs name UTC in calendars of every place, because their instants are written in it.
  const shown = usual.id === utcZone.id ? reading.siteZone : usual
  return calendarOf({ ...reading, ...parts, ical, zones, usual, shown, calendar: parts.properties })
}

interface Context extends CalendarReading {
  readonly ical: typeof ICAL
  readonly calendar: Properties
  readonly events: readonly CalendarComponent[]
  readonly zones: CalendarZones
  /** The zone of times that have none. */
  readonly usual: Zone
  /** The zone in which days and instants are shown. */
  readonly shown: Zone
}

/** The times of a component, in its zone. */
interface Times {
  readonly zone: Zone
  readonly isAllDay: boolean
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly sent: RawParameters
}

function calendarOf(context: Context): ForeignCalendar {
  const { zones, usual, events, calendar } = context
  let place = 0
  const directory = directoryOf(() => place)
  const fieldsOf = (component: CalendarComponent) => {
    place = component.place
    return fieldsOfComponent(context, component.properties, directory.named)
  }
  const [single, dates, series]: [ForeignRecord[], ForeignRecord[], ForeignSeries[]] = [[], [], []]
  const told = { doubles: 0, stray: 0, expanded: 0, later: 0 }
  const groups = Map.groupBy(events, ({ properties }) => uidOf(properties))
  for (const [uid, components] of groups) {
    const isDate = ({ properties }: CalendarComponent) => properties.has('recurrence-id')
    const masters = newest(
      components.filter((one) => !isDate(one)),
      () => '',
    )
    const overrides = newest(components.filter(isDate), ({ properties }) => stampOf(context, properties))
    told.doubles += components.length - masters.length - overrides.length
    const [master] = masters
    const times = master && timesOf(context, master.properties)
    const found = times && recurrenceOf(context, master.properties, { times, overrides })
    if (found?.isExpanded) told.expanded += 1
    const fields = master && fieldsOf(master)
    if (master && !found?.isEmpty) {
      const sent = { ...fields, ...times?.sent, ...(found?.sent && { recurrence: found.sent }) }
      single.push({ place: master.place, kind: 'event', externalId: uid, sent })
    }
    const laterFrom = overrides
      .filter(isForLater)
      .flatMap((one) => (times && recurrenceIdOf(context, one.properties, times)) ?? [])
    for (const override of overrides) {
      const own = timesOf(context, override.properties)
      const date = times && found?.sent ? recurrenceIdOf(context, override.properties, times) : undefined
      const isOfSeries = date !== undefined && found?.given.has(date) === true
      const isLost = date !== undefined && !isOfSeries && isCanceled(context, override.properties)
      if (isLost) continue
      if (!isOfSeries) told.stray += 1
      // A rule in it would make a series of each date.
      // A date of a private series that does not say so is none that the public may see.
      const status = master && !override.properties.has('class') ? { status: fields?.status } : {}
      const sent = { ...fieldsOf(override), ...status, ...own?.sent }
      const externalId = `${uid}#${stampOf(context, override.properties)}`
      const named = isOfSeries ? { recurrence_of: uid, recurrence_id: date } : {}
      const record = { place: override.place, kind: 'event', externalId, sent: { ...sent, ...named } } as const
      if (isOfSeries) dates.push(record)
      else single.push(record)
      if (!isOfSeries || !own || !times || !found || !isForLater(override)) continue
      told.later += 1
      const limit = maxComponents - dates.length
      const until = laterFrom.reduce<LocalDateTime | undefined>(
        (next, one) => (one > date && (next === undefined || one < next) ? one : next),
        undefined,
      )
      dates.push(...laterDates(context, { record, date, own, times, found, until, limit }))
    }
    if (master && times && found?.recurrence) {
      const { recurrence } = found
      series.push({ ...times, externalId: uid, place: master.place, recurrence, sent: fields ?? {} })
    }
  }
  const isFloating = ({ properties }: CalendarComponent) => {
    const start = momentIn(context, properties, 'dtstart')
    return start !== undefined && !start.isDay && start.zone === undefined
  }
  const notes: CalendarNote[] = [
    { key: 'import.calendar.floating', values: { count: events.filter(isFloating).length, zone: usual.name } },
    {
      key: 'import.calendar.zones',
      values: { count: zones.unknown.size, names: [...zones.unknown].slice(0, 5).join(', ') },
    },
    { key: 'import.calendar.doubles', values: { count: told.doubles } },
    { key: 'import.calendar.stray', values: { count: told.stray } },
    { key: 'import.calendar.expanded', values: { count: told.expanded } },
    { key: 'import.calendar.later', values: { count: told.later, most: maxComponents } },
  ]
  return {
    ...{ name: textOf(calendar, 'x-wr-calname') || textOf(calendar, 'name'), found: events.length },
    ...{ directory: directory.records(), events: single, dates, series },
    notes: notes.filter(({ values }) => Number(values.count) > 0),
  }
}

function uidOf(properties: Properties): string {
  const uid = textOf(properties, 'uid')
  return externalIdFrom(
    uid === '' ? `${properties.get('dtstart')?.[0]?.written} ${textOf(properties, 'summary')}` : uid,
  )
}

/** Returns the newest component of each name: that with the highest SEQUENCE, or else the last one. */
function newest(components: readonly CalendarComponent[], nameOf: (one: CalendarComponent) => string) {
  const sequenceOf = ({ properties }: CalendarComponent) => Number(properties.get('sequence')?.[0]?.values[0] ?? 0)
  const found = new Map<string, CalendarComponent>()
  for (const one of components) {
    const other = found.get(nameOf(one))
    if (!other || sequenceOf(one) >= sequenceOf(other)) found.set(nameOf(one), one)
  }
  return [...found.values()]
}

function momentIn({ zones }: Context, properties: Properties, name: string): Moment | undefined {
  return zones.momentsOf(properties.get(name)?.[0])[0]
}

/** The name of a date of a series: a day, or an instant. */
function stampOf(context: Context, properties: Properties): string {
  const moment = momentIn(context, properties, 'recurrence-id')
  if (!moment) return properties.get('recurrence-id')?.[0]?.written ?? ''
  return moment.isDay
    ? moment.local.slice(0, 10)
    : instantText(epochSecondsOf(moment.local, moment.zone ?? context.usual))
}

/** Returns the times of a component; undefined if it has no start that can be read. */
function timesOf(context: Context, properties: Properties): Times | undefined {
  const found = momentIn(context, properties, 'dtstart')
  if (!found) return undefined
  const repeats = properties.has('rrule') || properties.has('rdate')
  const start = found.isDay ? found : { ...found, zone: found.zone ?? context.usual }
  // A rule is followed in the zone in which it is written.
  const isShown = start.isDay || (start.zone?.id === utcZone.id && !repeats)
  const written = isShown ? context.shown : (start.zone ?? context.usual)
  const end = endOf(context, properties, start)
  const isBackwards = localIn(end, written) < localIn(start, written)
  const zone = start.isDay ? written : unambiguous(start, written, isBackwards)
  const shared = { timezone: zone.name, all_day: start.isDay, start_date: sentTime(start, zone) }
  return {
    ...{ zone, isAllDay: start.isDay, start: localIn(start, zone), end: localIn(end, zone) },
    sent: { ...shared, end_date: sentTime(end, zone) },
  }
}

/**
 * Returns the zone, or its offset if a local time in it would mean the first of two equal hours, and not this one. Nor
 * may an event end in the second one before it starts.
 */
function unambiguous({ local, zone: own }: Moment, zone: Zone, isBackwards: boolean): Zone {
  const instant = epochSecondsOf(local, own ?? zone)
  if (!isBackwards && epochSecondsOf(localDateTimeAt(instant, zone), zone) === instant) return zone
  const minutes = offsetAt(instant, zone) / 60
  const [hours, rest] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((one) =>
    String(one).padStart(2, '0'),
  )
  return parseZone(`${minutes < 0 ? '-' : '+'}${hours}:${rest}`) ?? zone
}

const daySeconds = 86_400
/** A hundred years. A longer duration is a mistake, so it is left out. */
const longestDurationSeconds = 36_525 * daySeconds

/** Returns the end: the last day of whole days, because DTEND is the day after it. */
function endOf(context: Context, properties: Properties, start: Moment): Moment {
  const end = momentIn(context, properties, 'dtend')
  if (start.isDay) {
    const { days, seconds } = durationOf(context, properties)
    const next = end?.local ?? addSeconds(start.local, days * daySeconds + seconds || daySeconds)
    const last = addSeconds(dayOf(next) > dayOf(start.local) ? next : addSeconds(start.local, daySeconds), -daySeconds)
    return { ...start, local: last }
  }
  if (end && !end.isDay) return { ...end, zone: end.zone ?? context.usual }
  const zone = start.zone ?? context.usual
  const { days, seconds } = durationOf(context, properties)
  const day = addSeconds(start.local, days * daySeconds)
  return {
    isDay: false,
    zone,
    local: seconds === 0 ? day : localDateTimeAt(epochSecondsOf(day, zone) + seconds, zone),
  }
}

/** Over a change of clocks, days end at the same time of day, and hours are exact (RFC 5545, 3.3.6). */
function durationOf({ ical }: Context, properties: Properties): { readonly days: number; readonly seconds: number } {
  const text = textOf(properties, 'duration')
  // The library also takes “P” for a duration, and then fails.
  const found = /\d/.test(text) && ical.Duration.isValueString(text) ? ical.Duration.fromString(text) : undefined
  const seconds = found?.toSeconds() ?? 0
  if (!found || seconds <= 0 || seconds >= longestDurationSeconds) return { days: 0, seconds: 0 }
  const days = found.weeks * 7 + found.days
  return { days, seconds: seconds - days * daySeconds }
}

/** The local start that a rule gave the date of a component. */
function recurrenceIdOf(context: Context, properties: Properties, times: Times) {
  const found = momentIn(context, properties, 'recurrence-id')
  if (!found) return undefined
  const { local, isDay } = dateIn(found, times)
  return isDay ? (`${dayOf(local)}${times.start.slice(10)}` as LocalDateTime) : local
}

/** Returns a date of a series in its zone. Midnight of any zone means a day if the series has whole days. */
function dateIn(moment: Moment, { zone, isAllDay }: Times): Moment {
  if (isAllDay && moment.local.endsWith('00:00:00')) return { ...moment, isDay: true }
  return { ...moment, isDay: isAllDay || moment.isDay, local: localIn(moment, zone) }
}

const isForLater = ({ properties }: CalendarComponent) =>
  properties.get('recurrence-id')?.[0]?.params.range === 'THISANDFUTURE'

interface LaterDates {
  readonly record: ForeignRecord
  /** The date of the record in the series, and its own times. */
  readonly date: LocalDateTime
  readonly own: Times
  readonly times: Times
  readonly found: FoundRecurrence
  /** The date from which another change counts. */
  readonly until: LocalDateTime | undefined
  readonly limit: number
}

/** Returns the dates after a changed one that change as it does (RFC 5545, 3.2.13), those of the next two years. */
function laterDates(
  { now }: Context,
  { record, date, own, times, found, until, limit }: LaterDates,
): readonly ForeignRecord[] {
  const { recurrence, given } = found
  const ahead = addMonths(localDateTimeAt(now, times.zone), monthsAhead)
  const through = until !== undefined && until < ahead ? until : ahead
  if (!recurrence || limit < 1) return []
  const { dates } = datesOf(recurrence, { start: times.start, from: date, through, limit })
  const later = dates.filter((one) => one > date && one !== until && !given.has(one))
  return later.map((one) => {
    const shifted = (local: LocalDateTime) => {
      const moved = addSeconds(local, secondsOfLocalDateTime(one) - secondsOfLocalDateTime(date))
      return own.isAllDay ? dayOf(moved) : moved
    }
    const stamp = times.isAllDay ? dayOf(one) : instantText(epochSecondsOf(one, times.zone))
    const sent = { ...record.sent, start_date: shifted(own.start), end_date: shifted(own.end), recurrence_id: one }
    return { ...record, externalId: `${record.sent.recurrence_of}#${stamp}`, sent }
  })
}

interface FoundRecurrence {
  /** What is sent; undefined if the event has one date. */
  readonly sent: object | undefined
  readonly recurrence: Recurrence | undefined
  /** The dates of overrides that the series has. */
  readonly given: ReadonlySet<LocalDateTime>
  /** Whether all of its dates are left out. */
  readonly isEmpty: boolean
  readonly isExpanded: boolean
}

function recurrenceOf(
  context: Context,
  properties: Properties,
  { times, overrides }: { readonly times: Times; readonly overrides: readonly CalendarComponent[] },
): FoundRecurrence | undefined {
  const { zones } = context
  const rules = properties.get('rrule')?.map(({ written }) => written) ?? []
  const local = (name: string) =>
    (properties.get(name) ?? []).flatMap((property) => zones.momentsOf(property).map((moment) => dateIn(moment, times)))
  const textsOf = (moments: readonly Moment[]) => moments.map((one) => (one.isDay ? dayOf(one.local) : one.local))
  const further = local('rdate').filter((one) => dayOf(one.local) >= dayOf(times.start))
  if (rules.length === 0 && further.length === 0) return undefined
  const own = new Set(overrides.flatMap(({ properties: of }) => recurrenceIdOf(context, of, times) ?? []))
  const except = textsOf(local('exdate').filter((one) => one.isDay || !own.has(one.local))).slice(-maxExceptions)
  const dates = textsOf(further).slice(-maxExtraDates)
  const wanted = { ...(rules[0] !== undefined && { rrule: rules[0] }), dates, except }
  const read = rules.length > 1 ? undefined : readRecurrence(wanted, times)
  if (read && !isRecurrenceFault(read)) return withOverrides(context, { times, own, sent: wanted, read })
  if (read?.code === 'no-dates')
    return { sent: undefined, recurrence: undefined, given: new Set(), isEmpty: except.length > 0, isExpanded: false }
  const expanded = {
    dates: [...new Set([...dates, ...rules.flatMap((rule) => expand(context, rule, times))])].sort(),
    except,
  }
  const sent = { ...expanded, dates: expanded.dates.filter((date) => date > times.start).slice(-maxExtraDates) }
  const again = readRecurrence(sent, times)
  if (isRecurrenceFault(again)) return undefined
  return { ...withOverrides(context, { times, own, sent, read: again }), isExpanded: true }
}

interface OverriddenRule {
  readonly times: Times
  /** The dates of overrides. */
  readonly own: ReadonlySet<LocalDateTime>
  readonly sent: { readonly dates: readonly string[] }
  readonly read: Recurrence
}

/** Adds the dates of overrides that the rule does not give, or not yet. */
function withOverrides({ now }: Context, { times, own, sent, read }: OverriddenRule): FoundRecurrence {
  const soon = addMonths(localDateTimeAt(now, times.zone), monthsAhead)
  const isGiven = (date: LocalDateTime) =>
    date <= soon && datesOf(read, { start: times.start, through: date, from: date, limit: 1 }).dates.includes(date)
  const last = addMonths(times.start, 12 * longestYears)
  const wanted = [...own].filter((date) => date >= times.start && date < last)
  const added = wanted
    .filter((date) => date !== times.start && !isGiven(date))
    .slice(-(maxExtraDates - sent.dates.length))
  const all = { ...sent, dates: [...sent.dates, ...added] }
  const recurrence = { ...read, dates: [...read.dates, ...added] }
  return { sent: all, recurrence, given: new Set(wanted), isEmpty: false, isExpanded: false }
}

const maxSteps = 20_000

/** Returns the dates of a rule that is not followed here, those of the next two years. */
function expand({ ical, now }: Context, rule: string, { zone, start }: Times): readonly LocalDateTime[] {
  const through = addMonths(localDateTimeAt(now, zone), monthsAhead)
  const dates: LocalDateTime[] = []
  try {
    const dateTime = ical.Time.fromDateTimeString(start.replace(' ', 'T'))
    const iterator = ical.Recur.fromString(rule).iterator(dateTime)
    for (let steps = 0; steps < maxSteps; steps += 1) {
      const next = iterator.next()?.toString().replace('T', ' ') as LocalDateTime | undefined
      if (next === undefined || next > through) break
      dates.push(next)
    }
  } catch {
    return []
  }
  return dates
}

function isCanceled({ calendar }: Context, properties: Properties): boolean {
  return (
    textOf(properties, 'status').toUpperCase() === 'CANCELLED' || textOf(calendar, 'method').toUpperCase() === 'CANCEL'
  )
}

const isWebAddress = (text: string) => /^https?:\/\/\S+$/i.test(text)

/** Returns all that is sent of an event besides its times. What it does not have is cleared. */
function fieldsOfComponent(
  context: Context,
  properties: Properties,
  named: ReturnType<typeof directoryOf>['named'],
): RawParameters {
  const { status = 'publish', category } = context
  const location = textOf(properties, 'location')
  const online = [textOf(properties, 'conference'), textOf(properties, 'x-google-conference'), location].find(
    isWebAddress,
  )
  const hasPlace = location !== '' && !isWebAddress(location)
  const url = textOf(properties, 'url')
  const contact = properties.get('organizer')?.[0]?.params.cn ?? textOf(properties, 'contact').split(/,|\n/, 1)[0]
  const organizer = typeof contact === 'string' && !contact.includes('@') ? contact.trim() : ''
  const categories = (properties.get('categories') ?? []).flatMap(({ values }) => values.map(String))
  const isHidden = /^(PRIVATE|CONFIDENTIAL)$/i.test(textOf(properties, 'class'))
  return {
    ...{ title: escapeHtml(textOf(properties, 'summary')), description: descriptionOf(properties) },
    ...{
      status: isHidden ? 'private' : status,
      event_status: isCanceled(context, properties) ? 'canceled' : 'scheduled',
    },
    ...{ website: isWebAddress(url) ? url : '', source_url: isWebAddress(url) ? url : '' },
    attendance: online === undefined ? 'offline' : hasPlace ? 'mixed' : 'online',
    virtual_url: online ?? '',
    venue: hasPlace ? named('venue', location, venueOf(location, properties)) : [],
    organizer: organizer === '' ? [] : named('organizer', organizer, { organizer: escapeHtml(organizer) }),
    categories: [...new Set([...categories, category ?? ''])]
      .map((one) => one.trim())
      .filter(Boolean)
      .map(escapeHtml),
  }
}

/** Returns a description as HTML. Google and others write HTML where a text belongs. */
function descriptionOf(properties: Properties): string {
  const styled = properties.get('x-alt-desc')?.find(({ params }) => params.fmttype === 'text/html')?.written
  if (styled !== undefined) {
    const html = styled.replace(/\\([\\;,nN])/g, (_, sign: string) => (/n/i.test(sign) ? '\n' : sign))
    return /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)?.[1]?.trim() ?? html
  }
  const text = textOf(properties, 'description')
  return /<(?:a|br|p|b|i|u|ul|ol|li|div|span|strong|em|html)\b[^>]*>/i.test(text) ? text : escapeHtml(text)
}

/** Returns the venue of a location: its first part is the name, unless it is a number of a street. */
function venueOf(location: string, properties: Properties): RawParameters {
  const [first = '', ...rest] = location.split(/,\s+|\n+/)
  const [name, address] = rest.length > 0 && /^\D*\p{L}/u.test(first) ? [first, rest.join(', ')] : [location, '']
  const geo = properties.get('geo')?.[0]?.values[0]
  const [latitude, longitude] = Array.isArray(geo) ? geo : []
  const placed =
    typeof latitude === 'number' && typeof longitude === 'number' ? { geo_lat: latitude, geo_lng: longitude } : {}
  return { venue: escapeHtml(name), ...(address !== '' && { address: escapeHtml(address) }), ...placed }
}
