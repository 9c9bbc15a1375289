import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import ICAL from 'ical.js'
import nodeIcal, { type VEvent } from 'node-ical'
import { startTestApp } from '../../../test/support/app.ts'
import { eventWith, feedOf, textWriter, venueWith } from '../../../test/support/arbitraries/feed.arbitrary.ts'
import { changed, givenEvent, givenVenue } from '../../../test/support/given.ts'
import { escapeHtml } from '../../base/text/escape.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { ATTENDANCES, EVENT_STATUSES } from '../../calendar/events/model/state.ts'
import { calendar } from './ical.ts'

const writeICalendar = textWriter(calendar)

const reason = 'Storm; wind, rain\nThe park is closed <soon>'
const url = 'https://meet.example/a?b=c&d=e'
const previousStarts = [
  {
    start: '2030-04-30 19:00:00' as LocalDateTime,
    end: '2030-04-30 21:30:00' as LocalDateTime,
    timezone: 'America/Toronto',
    until: 1_893_456_000,
  },
]

const page = 'https://calendar.test/event/event-12/'

/** Returns the properties that a parser of calendars reads from the only event of a text. */
function readByIcalJs(text: string): Readonly<Record<string, unknown>> {
  const [event] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  const value = (name: string) => event?.getFirstPropertyValue(name) ?? undefined
  return {
    status: value('status'),
    summary: value('summary'),
    description: value('description'),
    location: value('location'),
    conference: value('conference'),
    sequence: value('sequence'),
  }
}

function readByNodeIcal(text: string): VEvent {
  const [event] = Object.values(nodeIcal.sync.parseICS(text)).filter((item) => item?.type === 'VEVENT')
  assert.ok(event)
  return event as VEvent
}

test('two parsers of calendars read a canceled, a postponed and a moved event as such', () => {
  const expected = [
    ['canceled', 'CANCELLED', 'Canceled: Concert', 'This event is canceled.'],
    ['postponed', 'TENTATIVE', 'Postponed: Concert', 'This event is postponed. The new date is not known yet.'],
    ['rescheduled', 'CONFIRMED', 'Concert', 'This event has a new date.'],
    ['moved_online', 'CONFIRMED', 'Moved online: Concert', 'This event takes place online instead.'],
  ] as const
  for (const [eventStatus, status, summary, sentence] of expected) {
    const event = eventWith({ eventStatus, statusReason: reason, statusAt: 1, previousStarts, contentHtml: '<p>A</p>' })
    const { text } = writeICalendar(feedOf([event]))

    const read = readByIcalJs(text)
    const description = [
      ...[sentence, ...reason.split('\n'), 'Earlier date: Tuesday, April 30, 2030, 7–9:30\u00a0p.m. (EDT)'],
      ...['', 'A', '', `Page: ${page}`],
    ].join('\n')
    assert.deepEqual([read.status, read.summary, read.description], [status, summary, description])
    const other = readByNodeIcal(text)
    assert.deepEqual([other.status, other.summary, other.description], [status, summary, description])
    assert.match(
      text.replaceAll('\r\n ', ''),
      /X-ALT-DESC;FMTTYPE=text\/html:<p>This event.*<br>.*&lt\\;soon&gt\\;.*<\/p><p>A<\/p><p>Page: https:\/\/calendar\.test\/event\/event-12\/<\/p>/,
    )
  }
})

test('drafts are tentative, and canceled if they are canceled', () => {
  const statusOf = (given: Parameters<typeof eventWith>[0]) =>
    readByIcalJs(writeICalendar(feedOf([eventWith(given)])).text).status

  assert.equal(statusOf({ status: 'draft' }), 'TENTATIVE')
  assert.equal(statusOf({ status: 'draft', eventStatus: 'canceled' }), 'CANCELLED')
  assert.equal(statusOf({ status: 'trash', eventStatus: 'postponed' }), 'CANCELLED')
})

test('an online event names its address, to those who may see it, and not its closed venue', () => {
  const venues = [venueWith('Hall', { latitude: 45.5, longitude: -73.5 })]
  const read = (given: Parameters<typeof eventWith>[0], isSignedIn = false) => {
    const { text } = writeICalendar({ ...feedOf([eventWith({ venues, virtualUrl: url, ...given })]), isSignedIn })
    const { location, conference, description } = readByIcalJs(text)
    return { location, conference, description, isPlaced: /^GEO:/m.test(text) }
  }
  const shown = { conference: url, description: `Online: ${url}\n\nPage: ${page}` }
  const hidden = { conference: undefined, description: `Page: ${page}` }

  assert.deepEqual(read({ attendance: 'online' }), { location: url, ...shown, isPlaced: false })
  assert.deepEqual(read({ attendance: 'mixed' }), { location: 'Hall', ...shown, isPlaced: true })
  assert.deepEqual(read({ attendance: 'offline' }), { location: 'Hall', ...hidden, isPlaced: true })
  const registered = { attendance: 'online', virtualAccess: 'registered' } as const
  assert.deepEqual(read(registered), { location: 'Online', ...hidden, isPlaced: false })
  assert.deepEqual(read(registered, true), { location: url, ...shown, isPlaced: false })
  assert.deepEqual(read({ attendance: 'online', virtualUrl: '', language: 'fr-CA' }), {
    ...{
      location: 'En ligne',
      conference: undefined,
      description: `Page\u00a0: ${page.replace('/event', '/fr/event')}`,
      isPlaced: false,
    },
  })
})

test('whatever the state of an event, a calendar of it is readable', () => {
  const states = fc.record({
    titleHtml: fc.string({ minLength: 1 }).map(escapeHtml),
    eventStatus: fc.constantFrom(...EVENT_STATUSES),
    attendance: fc.constantFrom(...ATTENDANCES),
    statusReason: fc.string({ unit: fc.constantFrom(...'\r\n;,:\\"<&>é😀 aN'), maxLength: 60 }),
    virtualUrl: fc.constantFrom('', url),
    previousStarts: fc.constantFrom([], previousStarts),
    language: fc.constantFrom('en', 'fr-CA'),
  })
  fc.assert(
    fc.property(states, (state) => {
      const feed = feedOf([eventWith(state as never)])
      const { status, description = '' } = readByIcalJs(writeICalendar(feed).text)
      assert.ok(['CONFIRMED', 'TENTATIVE', 'CANCELLED'].includes(String(status)))
      const lines = state.statusReason.split(/[\r\n]+/).filter((text) => text.trim() !== '')
      assert.ok(lines.every((text) => String(description).includes(text)))
    }),
  )
})

test('each change of the state gives a higher sequence and a later date in every feed, of translations too', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en,fr-CA' })
  const venue = await givenVenue(app, { venue: 'Hall' })
  const { id } = await givenEvent(app, { title: 'Fair', venue: venue.id })
  const french = await givenEvent(app, { title: 'Foire', ml_language: 'fr-CA', ml_translation_of: id })
  const read = async (path: string) => {
    app.pass(60)
    return readByIcalJs((await app.send({ path })).text)
  }
  const ids: string[] = []
  let before = -1
  for (const sent of [
    { event_status: 'postponed', event_status_reason: 'Storm' },
    { start_date: '2030-02-22 19:00:00', end_date: '2030-02-22 21:00:00' },
    { event_status: 'canceled' },
    { event_status: 'scheduled' },
    { event_status: 'moved_online', virtual_url: url },
    { event_status: 'moved_online', event_status_reason: 'The hall is closed' },
  ]) {
    await changed(app, `/events/${id}`, sent)
    const [own, other] = [
      await read(`/events.ics?include=${id}`),
      await read(`/events.ics?include=${french.id}&ml_language=fr-CA`),
    ]
    assert.ok(Number(own.sequence) > before, JSON.stringify(sent))
    assert.equal(own.status, other.status)
    before = Number(own.sequence)
    const atom = (await app.send({ path: `/events.atom?include=${id}` })).text
    ids.push(/<entry[^>]*><id>(.*?)<\/id>/.exec(atom.replaceAll(/>\s+</g, '><'))?.[1] ?? '')
  }
  assert.equal(new Set(ids).size, 1)
  assert.match(ids[0] ?? '', /^urn:uuid:/)
})

test('a table has the status, the reason and the attendance in its last columns', async (t) => {
  const app = await startTestApp(t)
  const state = { event_status: 'canceled', event_status_reason: 'Storm, wind', attendance: 'mixed' }
  await givenEvent(app, { title: 'Fair', ...state })
  await givenEvent(app, { title: 'Secret', ...state, event_password: 'open' })

  const { text } = await app.send({ path: '/events.csv' })
  const [head = '', ...rows] = text.trimEnd().split('\r\n')

  assert.ok(head.endsWith(',image_alt,event_status,event_status_reason,attendance'))
  assert.deepEqual(
    rows.map((row) => row.replace(/^\d+,([^,]*),.*?((?:,[^,"]*|,"[^"]*"){3})$/, '$1$2')),
    ['Canceled: Fair,canceled,"Storm, wind",mixed', 'Canceled: Secret,canceled,,mixed'],
  )
})
