import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import {
  events,
  eventWith,
  feedOf,
  organizerWith,
  textWriter,
  venueWith,
} from '../../../test/support/arbitraries/feed.arbitrary.ts'
import { runs } from '../../../test/support/long.ts'
import { decodeEntities, htmlToText } from '../../base/text/escape.ts'
import { addSeconds, dayOf, endOfDay, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { eventUuid } from './feed.identity.ts'
import { venueText } from './feed.present.ts'
import { calendar } from './ical.ts'

const writeICalendar = textWriter(calendar)

/** The properties of an event that every reader must return. Instants are seconds; days are dates. */
interface Told {
  readonly uid: string
  readonly title: string
  readonly start: number | string
  readonly end: number | string
  readonly sequence: number
  readonly place: string
  readonly organizer: string
  readonly categories: readonly string[]
}

function told(event: LinkedEvent): Told {
  const { start, end, startUtc, endUtc, isAllDay } = event
  const dayAfter = dayOf(addSeconds(endOfDay(end), 1))
  return {
    uid: eventUuid(feedOf([]).identity, event.id),
    title: htmlToText(event.titleHtml),
    start: isAllDay ? dayOf(start) : startUtc,
    end: isAllDay ? dayAfter : endUtc,
    sequence: event.changeCount,
    place: event.venues.map(venueText).join('; '),
    organizer: event.organizers.map(({ titleHtml, fields }) => `${htmlToText(titleHtml)}, ${fields.email}`).join(),
    categories: event.categories.map(({ name }) => decodeEntities(name)),
  }
}

/** Reads the events with the first parser, which uses only the time zones in the calendar. */
function readByIcalJs(text: string): readonly Told[] {
  const calendar = new ICAL.Component(ICAL.parse(text))
  const zones = new Map(
    calendar.getAllSubcomponents('vtimezone').map((component) => {
      const zone = new ICAL.Timezone(component)
      return [zone.tzid, zone] as const
    }),
  )
  const secondsOf = (property: ICAL.Property | null): number | string | undefined => {
    const time = property?.getFirstValue() as ICAL.Time | undefined
    if (!time) return undefined
    if (time.isDate) return time.toString()
    const id = property?.getFirstParameter('tzid')
    if (id === undefined) return time.toUnixTime()
    const zone = zones.get(id)
    assert.ok(zone, `no VTIMEZONE says what ${id} is`)
    const inZone = time.clone()
    inZone.zone = zone
    return inZone.toUnixTime()
  }
  return calendar.getAllSubcomponents('vevent').map((event) => {
    const start = secondsOf(event.getFirstProperty('dtstart')) ?? Number.NaN
    return {
      uid: String(event.getFirstPropertyValue('uid')),
      title: String(event.getFirstPropertyValue('summary')),
      start,
      end: secondsOf(event.getFirstProperty('dtend')) ?? start,
      sequence: Number(event.getFirstPropertyValue('sequence')),
      place: String(event.getFirstPropertyValue('location') ?? ''),
      organizer: String(event.getFirstPropertyValue('contact') ?? ''),
      categories: (event.getFirstProperty('categories')?.getValues() ?? []).map(String),
    }
  })
}

/** Reads the events with the second parser, which uses its own time zones. */
function readByNodeIcal(text: string): readonly Pick<Told, 'uid' | 'title' | 'start' | 'end' | 'sequence'>[] {
  const found = Object.values(nodeIcal.sync.parseICS(text)).filter((item) => item?.type === 'VEVENT') as VEvent[]
  const timeOf = (date: Date, isDay: boolean) => {
    if (!isDay) return date.getTime() / 1000
    const [year, month, day] = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join('-')
  }
  return found.map((event) => ({
    uid: event.uid,
    title: String(event.summary),
    start: timeOf(event.start, event.datetype === 'date'),
    end: timeOf(event.end ?? event.start, event.datetype === 'date'),
    sequence: Number(event.sequence),
  }))
}

test('whatever events are, a calendar of them is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(events, { minLength: 1, maxLength: 4 }), (drawn) => {
      const { text } = writeICalendar(feedOf(drawn))

      assert.deepEqual(readByIcalJs(text), drawn.map(told))
    }),
    { numRuns: runs(60, 300) },
  )
})

test('a second parser, with a zone database of its own, reads the same', () => {
  // This parser takes a backslash before an n for a line end, even if the backslash is escaped, and drops quotation
  // marks.
  const readable = events.filter((event) => !/["\\]/.test(told(event).title))
  fc.assert(
    fc.property(readable, (event) => {
      const { text } = writeICalendar(feedOf([event]))

      const { uid, title, start, end, sequence } = told(event)
      assert.deepEqual(readByNodeIcal(text), [{ uid, title, start, end, sequence }])
    }),
    { numRuns: runs(40, 200) },
  )
})

test('no line is longer than 75 octets, none is broken within a character, and all end as they must', () => {
  fc.assert(
    fc.property(fc.array(events, { maxLength: 3 }), (drawn) => {
      const { text } = writeICalendar(feedOf(drawn))

      assert.ok(text.endsWith('\r\n'))
      for (const line of text.slice(0, -2).split('\r\n')) {
        assert.ok(Buffer.byteLength(line) <= 75, line)
        assert.ok(line.isWellFormed() && !/[\r\n]/.test(line), line)
      }
    }),
  )
})

test('the same events are the same calendar, whenever it is written', () => {
  const feed = feedOf([eventWith(), eventWith({ title: 'Other' })])

  assert.equal(writeICalendar(feed).text, writeICalendar(feed).text)
})

test('times in and around changes of clocks come back as the instants that they are', () => {
  const toronto = eventWith().zone
  // 01:30 occurs twice, and readers do not agree on the meaning. So both are written as instants.
  const twice = [Date.UTC(2030, 10, 3, 5, 30) / 1000, Date.UTC(2030, 10, 3, 6, 30) / 1000]
  const cases = [
    Date.UTC(2030, 2, 10, 6, 59) / 1000,
    Date.UTC(2030, 2, 10, 7, 0) / 1000,
    Date.UTC(2030, 10, 3, 4, 59) / 1000,
    ...twice,
    Date.UTC(2030, 10, 3, 7, 0) / 1000,
  ]

  for (const startUtc of cases) {
    const endUtc = startUtc + 3600
    const times = { startUtc, endUtc, start: localDateTimeAt(startUtc, toronto), end: localDateTimeAt(endUtc, toronto) }
    const { text } = writeICalendar(feedOf([eventWith(times)]))
    const [read] = readByIcalJs(text)

    assert.deepEqual([read?.start, read?.end], [startUtc, endUtc])
    assert.equal(text.includes('DTSTART;TZID=America/Toronto:'), !twice.includes(startUtc))
  }
})

test('a zone is written with the changes of the years that its events are in, and no rule of today is taken for older ones', () => {
  const at = (start: string) => {
    const localDateTime = start as LocalDateTime
    return eventWith({ start: localDateTime, end: localDateTime, startUtc: 0, endUtc: 0 })
  }
  const zone = (text: string) => text.split('\r\n').filter((line) => /^DTSTART:|^TZNAME/.test(line))
  // Until 2006 summer time began in April.
  const onSummerEve = Date.UTC(2006, 2, 20, 15) / 1000
  const event = { ...at('2006-03-20 10:00:00'), startUtc: onSummerEve, endUtc: onSummerEve }

  assert.deepEqual(zone(writeICalendar(feedOf([event])).text), [
    ...['DTSTART:20051030T020000', 'TZNAME:HNE'],
    ...['DTSTART:20060402T020000', 'TZNAME:HAE'],
    ...['DTSTART:20061029T020000', 'TZNAME:HNE'],
  ])
  const inEnglish = zone(writeICalendar({ ...feedOf([event]), language: 'en-CA' }).text)
  assert.deepEqual(
    inEnglish.filter((line) => line.startsWith('TZNAME')),
    ['TZNAME:EST', 'TZNAME:EDT', 'TZNAME:EST'],
  )
})

test('nobody is invited, so all organizers are whom to ask, with the address that one can write to', () => {
  const organizers = [
    organizerWith('No address'),
    organizerWith('Half', { email: 'not an address' }),
    organizerWith('Club "7"', { email: 'club@example.org' }),
  ]

  const { text } = writeICalendar(feedOf([eventWith({ organizers })]))

  const lines = text.split('\r\n').filter((line) => /^(ORGANIZER|CONTACT)/.test(line))
  assert.deepEqual(lines, ['CONTACT:No address', 'CONTACT:Half', 'CONTACT:Club "7"\\, club@example.org'])
})

test('a venue without coordinates has no point, and several venues are one place each', () => {
  const venues = [venueWith('Hall', { city: 'Laval' }), venueWith('Park', { latitude: 45.5, longitude: -73.5 })]

  const { text } = writeICalendar(feedOf([eventWith({ venues })]))

  assert.match(text, /^LOCATION:Hall\\, Laval\\; Park\r$/m)
  assert.match(text, /^GEO:45\.5;-73\.5\r$/m)
  assert.doesNotMatch(writeICalendar(feedOf([eventWith({ venues: venues.slice(0, 1) })])).text, /^GEO/m)
})
