import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import rrule from 'rrule'
import { eventWith, feedOf } from '../../../test/support/arbitraries/feed.arbitrary.ts'
import { rules } from '../../../test/support/arbitraries/rule.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import type { FeedLimits } from '../../base/limits/feed.limits.ts'
import { createStreams } from '../../base/limits/stream.slots.ts'
import { addSeconds, endOfDay, type LocalDateTime, startOfDay } from '../../base/time/local.date.time.ts'
import { localDateTimeAt, parseZone, utcZone, type Zone } from '../../base/time/zone.ts'
import { type EventId, type LinkedEvent, timesOf } from '../../calendar/events/model/event.ts'
import type { SeriesMembership, SeriesSegment } from '../../calendar/occurrences/occurrence.ts'
import type { Recurrence } from '../../calendar/recurrence/recurrence.ts'
import { datesOf } from '../../calendar/recurrence/rule.dates.ts'
import { generateFeed } from './feed.generation.ts'
import { seriesUuid } from './feed.identity.ts'
import { repeatingCalendar } from './ical.series.ts'

const seriesId = 812
const segmentId = 41
const horizon = '2040-01-01 00:00:00' as LocalDateTime

const zones = [
  ...['America/Toronto', 'America/St_Johns', 'America/Halifax', 'America/Regina', 'Europe/Dublin'],
  ...['Australia/Lord_Howe', 'UTC'],
]
const zoneOf = (name: string): Zone => parseZone(name) ?? utcZone

/** What happens to a date of a series. */
const FATES = ['as the rule says', 'left out', 'moved', 'canceled', 'renamed', 'in another zone'] as const
type Fate = (typeof FATES)[number]

const drawnSeries = fc.record({
  rule: rules.map(({ bySetPos, count: _count, until: _until, ...rule }) => ({
    // The oracle reads other positions in a way of its own: see rule.oracle.test.ts.
    ...{ ...rule, bySetPos: (bySetPos.length > 0 && rule.frequency !== 'WEEKLY' ? [-1] : []) as readonly number[] },
    interval: Math.min(rule.interval, 12),
  })),
  // Near the nights on which clocks change, more often than not.
  day: fc.constantFrom('2030-03-09', '2030-10-26', '2030-11-02', '2030-05-03', '2031-01-31', '2032-02-29'),
  time: fc.constantFrom('01:30:00', '02:15:00', '19:00:00', '22:00:00', '00:00:00'),
  hours: fc.constantFrom(0, 1, 5, 30),
  zone: fc.constantFrom(...zones).map(zoneOf),
  isAllDay: fc.integer({ min: 0, max: 4 }).map((draw) => draw === 0),
  extra: fc.uniqueArray(fc.integer({ min: 1, max: 400 }), { maxLength: 2 }),
  except: fc.uniqueArray(fc.nat(10), { maxLength: 2 }),
  fates: fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.constant<Fate>('as the rule says') }, fc.constantFrom(...FATES)),
    {
      minLength: 25,
      maxLength: 25,
    },
  ),
})
type DrawnSeries = typeof drawnSeries extends fc.Arbitrary<infer T> ? T : never

interface SeriesEvents {
  readonly segment: SeriesSegment
  readonly events: readonly (LinkedEvent & { readonly recurrenceId: LocalDateTime })[]
}

/** Makes the events of a series as the room `series` does, without a database. */
function eventsOf({ rule, day, time, hours, zone, isAllDay, extra, except, fates }: DrawnSeries): SeriesEvents {
  const start = `${day} ${isAllDay ? '00:00:00' : time}` as LocalDateTime
  const end = isAllDay ? endOfDay(addSeconds(start, hours * 3600)) : addSeconds(start, hours * 3600)
  const bare: Recurrence = { rule, dates: extra.map((days) => addSeconds(start, days * 86_400)), except: [] }
  const all = datesOf(bare, { start, through: horizon, limit: fates.length + 10 }).dates
  const recurrence = { ...bare, except: except.flatMap((place) => all[place] ?? []) }
  const segment = { id: segmentId, position: 0, from: start, start, end, zone, isAllDay, recurrence }
  const length = (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.parse(`${start.replace(' ', 'T')}Z`)) / 1000
  const { dates } = datesOf(recurrence, { start, through: horizon, limit: fates.length })
  const events = dates.flatMap((recurrenceId, place) => {
    const fate = fates[place] ?? 'as the rule says'
    const at = fate === 'moved' ? addSeconds(recurrenceId, 26 * 3600 + 900) : recurrenceId
    const from = isAllDay ? startOfDay(at) : at
    const where = fate === 'in another zone' ? zoneOf('Asia/Kolkata') : zone
    const times = timesOf({ start: from, end: addSeconds(from, length), zone: where, isAllDay })
    const event = eventWith({
      ...{ id: (100 + place) as EventId, seriesId, path: `yoga/${place}`, ...times },
      ...(fate === 'canceled' ? { eventStatus: 'canceled' as const } : {}),
      titleHtml: fate === 'renamed' ? `Yoga ${place}` : 'Yoga',
    })
    return fate === 'left out' ? [] : [{ ...event, recurrenceId }]
  })
  return { segment, events }
}

/** Whether events and segment are as if the feed were of a filter that leaves out the others. */
function feedSource({ segment, events }: SeriesEvents) {
  const memberships = new Map(
    events.map(({ id, recurrenceId }): [number, SeriesMembership] => [
      id,
      {
        ...{ eventId: id, seriesId, templateId: seriesId, recurrenceId, path: '', ownFields: [], isDropped: false },
        ...{ base: 'yoga', rules: [segment], madeUntil: undefined, isWhole: false },
      },
    ]),
  )
  const inOrder = events.toSorted((one, other) => (one.start < other.start ? -1 : 1))
  const keys = inOrder.map(({ id, changeCount }) => ({
    id,
    changeCount,
    seriesId,
    passwordDigest: undefined,
    octets: 10,
  }))
  return {
    ...{
      writer: repeatingCalendar,
      feed: feedOf([]),
      state: '',
      streams: createStreams(),
      client: '',
    },
    series: { memberships, states: new Map([[seriesId, { sequence: 3, modifiedAt: 0 }]]) },
    found: {
      ...{ items: keys, total: keys.length, isMasked: () => false },
      read: async (ids: readonly number[]) => ids.flatMap((id) => events.find((event) => event.id === id) ?? []),
    },
  }
}

const roomy: FeedLimits = {
  ...{ whole: 10_000_000, written: 10_000_000, piece: 1000, batchEvents: 100, batchOctets: 1_000_000 },
}

async function calendarOf(series: SeriesEvents, bounds = roomy): Promise<string> {
  const { document } = await generateFeed(feedSource(series), bounds)
  return 'text' in document ? String(document.text) : (await Array.fromAsync(document.pieces)).join('')
}

/** What a person sees of an event in a calendar. Days are days, other times are seconds since 1970. */
interface Seen {
  readonly start: number | string
  readonly end: number | string
  readonly title: string
  readonly isCanceled: boolean
}

const inTime = (seen: readonly Seen[]) =>
  seen.toSorted((one, other) => JSON.stringify(Object.values(one)).localeCompare(JSON.stringify(Object.values(other))))

function expected({ events }: SeriesEvents): readonly Seen[] {
  return inTime(
    events.map(({ start, end, startUtc, endUtc, isAllDay, titleHtml, eventStatus }) => ({
      start: isAllDay ? start.slice(0, 10) : startUtc,
      end: isAllDay ? addSeconds(startOfDay(end), 86_400).slice(0, 10) : endUtc,
      title: eventStatus === 'canceled' ? `Canceled: ${titleHtml}` : titleHtml,
      isCanceled: eventStatus === 'canceled',
    })),
  )
}

const asUtc = (local: string) => new Date(`${local.slice(0, 10)}T${local.slice(11) || '00:00:00'}Z`)
const asLocal = (date: Date) => date.toISOString().slice(0, 19) as LocalDateTime

/** Reads a calendar with `ical.js`, which parses, and with the package `rrule`, which follows rules in local time. */
function seenByIcalJs(text: string, zone: Zone): readonly Seen[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const clocks = new Map(
    calendar.getAllSubcomponents('vtimezone').map((component) => {
      const clock = new ICAL.Timezone(component)
      return [clock.tzid, clock] as const
    }),
  )
  const secondsOf = (time: ICAL.Time, property: ICAL.Property): number | string => {
    if (time.isDate) return time.toString()
    const clock = clocks.get(property.getFirstParameter('tzid') ?? '')
    const inZone = time.clone()
    if (clock) inZone.zone = clock
    return inZone.toUnixTime()
  }
  /** The same local time on another day. */
  const moved = (time: ICAL.Time, by: number) => {
    const other = time.clone()
    if (time.isDate) other.adjust(by / 86_400, 0, 0, 0)
    else other.adjust(0, 0, 0, by)
    return other
  }
  const localOf = (time: ICAL.Time) => time.toString().replace('Z', '')
  const entries = calendar.getAllSubcomponents('vevent')
  const replaced = new Set(
    entries.flatMap((entry) => {
      const id = entry.getFirstPropertyValue('recurrence-id') as ICAL.Time | null
      return id ? [`${entry.getFirstPropertyValue('uid')} ${localOf(id)}`] : []
    }),
  )
  const seen = entries.flatMap((entry) => {
    const begin = entry.getFirstProperty('dtstart')
    assert.ok(begin)
    const endProperty = entry.getFirstProperty('dtend') ?? begin
    const [start, end] = [begin.getFirstValue() as ICAL.Time, endProperty.getFirstValue() as ICAL.Time]
    const uid = entry.getFirstPropertyValue('uid')
    const told = {
      title: String(entry.getFirstPropertyValue('summary')),
      isCanceled: entry.getFirstPropertyValue('status') === 'CANCELLED',
    }
    const listed = (name: string) =>
      entry.getAllProperties(name).flatMap((property) => {
        // These repeat exceptions for other programs.
        if (String(property.getFirstValue()).endsWith('Z') && zone.id !== 'UTC') return []
        assert.equal(property.getFirstParameter('tzid'), begin.getFirstParameter('tzid'))
        return (property.getValues() as ICAL.Time[]).map(localOf)
      })
    const dates = new Set([localOf(start), ...listed('rdate')])
    const rule = entry.getFirstPropertyValue('rrule') as ICAL.Recur | null
    if (rule) {
      const { until: _, ...options } = rrule.RRule.parseString(rule.toString())
      assert.ok(rule.until)
      const until =
        rule.until.isDate || !rule.until.toString().endsWith('Z')
          ? asUtc(localOf(rule.until))
          : asUtc(localDateTimeAt(rule.until.toUnixTime(), zone))
      const found = new rrule.RRule({ ...options, dtstart: asUtc(localOf(start)), until }).all()
      for (const date of found) dates.add(start.isDate ? asLocal(date).slice(0, 10) : asLocal(date))
    }
    for (const date of listed('exdate')) assert.ok(dates.delete(date), `${date} is no date of the rule`)
    return [...dates].flatMap((date) => {
      const isReplaced = !entry.hasProperty('recurrence-id') && replaced.has(`${uid} ${date}`)
      if (isReplaced) return []
      const by = (asUtc(date).getTime() - asUtc(localOf(start)).getTime()) / 1000
      return [{ start: secondsOf(moved(start, by), begin), end: secondsOf(moved(end, by), endProperty), ...told }]
    })
  })
  return inTime(seen)
}

/** Reads a calendar with a parser that follows rules by itself, in its own time zones. It knows no RDATE. */
function seenByNodeIcal(text: string): readonly Seen[] {
  const found = Object.values(nodeIcal.sync.parseICS(text)).filter((item) => item?.type === 'VEVENT') as VEvent[]
  const range = { from: new Date('2029-01-01'), to: new Date('2042-01-01') }
  const seen = found.flatMap((event) =>
    nodeIcal.expandRecurringEvent(event, range).map((instance) => ({
      start: instance.start.getTime() / 1000,
      end: instance.end.getTime() / 1000,
      title: String(instance.summary),
      isCanceled: instance.event.status === 'CANCELLED',
    })),
  )
  return inTime(seen)
}

test('whatever happens to the dates of a series, a calendar with its rule shows exactly its dates', async () => {
  let ruled = 0
  let replacing = 0
  await fc.assert(
    fc.asyncProperty(drawnSeries, async (drawn) => {
      const series = eventsOf(drawn)

      const text = await calendarOf(series)

      assert.deepEqual(seenByIcalJs(text, drawn.zone), expected(series), text)
      ruled += text.split('\r\nRRULE').length - 1
      replacing += text.split('\r\nRECURRENCE-ID').length - 1
    }),
    { numRuns: runs(300, 3000) },
  )
  assert.ok(ruled > 50 && replacing > 100, `${ruled} rules, ${replacing} replaced dates`)
})

test('a parser that follows rules in its own time zones shows the same', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(drawnSeries, async (drawn) => {
      // It follows rare combinations of the parts of a rule in a way of its own.
      const { byMonthDay } = drawn.rule
      // In years with 52 of a weekday, it shows another one as the 53rd.
      const byDay = drawn.rule.byDay.filter(({ ordinal = 0 }) => Math.abs(ordinal) < 53)
      const rule = { ...drawn.rule, byDay, byMonthDay: byDay.length > 0 ? [] : byMonthDay, bySetPos: [] }
      const series = eventsOf({ ...drawn, rule, isAllDay: false, extra: [] })
      const text = await calendarOf(series)
      // It does not know further dates.
      if (/^RDATE/m.test(text)) return

      assert.deepEqual(seenByNodeIcal(text), expected(series), text)
      compared += 1
    }),
    { numRuns: runs(100, 1000) },
  )
  assert.ok(compared > 30, `Only ${compared} were compared.`)
})

test('a calendar with rules is the same text however it is read and sent', async () => {
  await fc.assert(
    fc.asyncProperty(drawnSeries, fc.integer({ min: 1, max: 7 }), async (drawn, batchEvents) => {
      const series = eventsOf(drawn)
      const inPieces = { ...roomy, whole: 0, batchEvents, piece: 500 }

      assert.equal(await calendarOf(series, inPieces), await calendarOf(series))
    }),
    { numRuns: runs(40, 200) },
  )
})

test('the id of a series lasts, and it says how often its dates have changed', async () => {
  const weekly = { frequency: 'WEEKLY', interval: 1, byDay: [], byMonthDay: [], byMonth: [], bySetPos: [] } as const
  const series = eventsOf({
    ...{ rule: { ...weekly, weekStart: 'MO' }, day: '2030-05-03', time: '19:00:00', hours: 1 },
    ...{ zone: zoneOf('America/Toronto'), isAllDay: false, extra: [], except: [2] },
    fates: ['as the rule says', 'as the rule says', 'moved', 'as the rule says'],
  })

  const text = await calendarOf(series)

  const uid = seriesUuid(feedOf([]).identity, seriesId, segmentId)
  assert.equal(text.split(`UID:${uid}\r\n`).length - 1, 2)
  assert.deepEqual(text.match(/^(?:SEQUENCE|DTSTART;|RRULE|EXDATE|RECURRENCE-ID|URL;VALUE=URI:.*event).*$/gm), [
    'SEQUENCE:3',
    'DTSTART;TZID=America/Toronto:20300503T190000',
    'RRULE:FREQ=WEEKLY;BYDAY=FR;UNTIL=20300601T035959Z',
    'EXDATE;TZID=America/Toronto:20300517T190000',
    'URL;VALUE=URI:https://calendar.test/event/yoga/',
    'SEQUENCE:3',
    'RECURRENCE-ID;TZID=America/Toronto:20300524T190000',
    'DTSTART;TZID=America/Toronto:20300525T211500',
    'URL;VALUE=URI:https://calendar.test/event/yoga/2/',
  ])
})
