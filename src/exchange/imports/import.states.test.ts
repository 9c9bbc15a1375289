import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent } from '../../../test/support/given.ts'
import { givenRecording, readRecorded, recordedFiles, tecEvent } from '../../../test/support/recording.ts'
import type { UserId } from '../../access/auth/actor.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../../base/languages/language.ts'
import { importRecordings } from './import.service.ts'
import { remarkText } from './import.texts.ts'
import { readTecRecording } from './tec.ts'

// What happens to events, and what it takes to attend them, as recorded lists and single events tell it.

async function imported(app: TestApp, events: readonly object[]) {
  const recording = readTecRecording('a.json', givenRecording(events))
  return importRecordings(app.deps, [recording], { authorId: 5 as UserId })
}

async function eventsOf(app: TestApp, query = '') {
  const path = `/events?per_page=100&start_date=2000-01-01&end_date=2100-01-01${query}`
  return (await app.send({ path, as: 'editor' })).body.events
}

const stateMembers = [
  ...['event_status', 'event_status_reason', 'attendance', 'is_virtual', 'virtual_event_type', 'virtual_url'],
  ...['virtual_video_source', 'virtual_access', 'offers', 'availability', 'capacity'],
]
const stateOf = (event: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(stateMembers.flatMap((name) => (event[name] === undefined ? [] : [[name, event[name]]])))

test('online events of the reference keep their address and its service', async (t) => {
  const app = await startTestApp(t)
  const on = { is_virtual: true, virtual_url: 'https://meet.example/x?a=1&#038;b=2', virtual_video_source: 'zoom' }
  const off = { is_virtual: false, virtual_url: null, virtual_video_source: '' }

  await imported(app, [tecEvent(12, on), tecEvent(13, off), tecEvent(14)])

  const [online, ...others] = await eventsOf(app)
  assert.deepEqual(stateOf(online), {
    ...{ attendance: 'online', is_virtual: true, virtual_event_type: 'virtual' },
    ...{ virtual_url: 'https://meet.example/x?a=1&b=2', virtual_video_source: 'zoom' },
  })
  assert.deepEqual(others.map(stateOf), [{}, {}])
})

test('the recorded calendars have their two online events', async (t) => {
  const app = await startTestApp(t)
  const recordings = recordedFiles.map((file) => readTecRecording(file, readRecorded(file)))
  await importRecordings(app.deps, recordings, { authorId: 5 as UserId })

  const online = await eventsOf(app, '&attendance=online,mixed')

  assert.equal(online.length, 2)
  assert.match(online.map((event: { virtual_url: string }) => event.virtual_url).join(), /us02web\.zoom\.us/)
})

test('a single event of the reference tells its status in its structured data', async (t) => {
  const app = await startTestApp(t)
  const data = (status: string, mode = 'Offline') => ({
    json_ld: {
      eventStatus: `https://schema.org/${status}`,
      eventAttendanceMode: `https://schema.org/${mode}EventAttendanceMode`,
    },
  })

  const { events } = await imported(app, [
    tecEvent(12, data('EventCancelled')),
    tecEvent(13, data('EventPostponed')),
    tecEvent(14, data('EventScheduled', 'Mixed')),
    tecEvent(15, { ...data('EventScheduled', 'Online'), is_virtual: true }),
    tecEvent(16, { json_ld: { eventStatus: { toString: 1 }, eventAttendanceMode: { toString: 1 } } }),
  ])

  assert.deepEqual([events.created, events.failed], [5, 0])
  assert.deepEqual(
    (await eventsOf(app)).map((event: Readonly<Record<string, unknown>>) => [event.event_status, event.attendance]),
    [
      ['canceled', undefined],
      ['postponed', undefined],
      [undefined, 'mixed'],
      [undefined, 'online'],
      [undefined, undefined],
    ],
  )
})

test('events of this service keep their state and their offers, and their title is the bare one', async (t) => {
  const [from, to] = [await startTestApp(t), await startTestApp(t)]
  const offers = [{ name: 'Adults', url: 'https://tickets.example/1', price: '12', currency: 'CAD' }]
  const sent: readonly object[] = [
    { event_status: 'canceled', event_status_reason: 'R&B <3 "now"\nStorm', offers, capacity: 80 },
    { event_status: 'moved_online', virtual_url: 'https://meet.example/a?b=1&c=2', availability: 'sold_out' },
    { attendance: 'mixed', virtual_access: 'registered' },
    {},
  ]
  for (const [place, json] of sent.entries()) await givenEvent(from, { title: `Event ${place}`, ...json })
  const asVisitor = await from.send({ path: '/events?start_date=2000-01-01&end_date=2100-01-01' })
  assert.deepEqual(asVisitor.body.events[0].title, 'Canceled: Event 0')

  await imported(to, asVisitor.body.events)

  assert.deepEqual(
    (await eventsOf(to)).map(({ title }: { title: string }) => title),
    ['Event 0', 'Event 1', 'Event 2', 'Event 3'],
  )
  const copy = await to.send({ path: '/events?start_date=2000-01-01&end_date=2100-01-01' })
  assert.deepEqual(copy.body.events.map(stateOf), asVisitor.body.events.map(stateOf))
})

test('a value that no event may have is left out and named, and the event is imported', async (t) => {
  const app = await startTestApp(t)
  const wrong = {
    ...{ event_status: 'gone', event_status_reason: 'Storm', attendance: 7, virtual_url: 'javascript:alert(1)' },
    ...{ virtual_video_source: 'a b', capacity: -1, availability: [], offers: [{ price: 'much' }] },
  }

  const { events, warnings } = await imported(app, [tecEvent(12, wrong)])

  assert.deepEqual([events.created, events.failed], [1, 0])
  assert.deepEqual((await eventsOf(app)).map(stateOf), [{}])
  assert.deepEqual(
    warnings.map((one) => remarkText(DEFAULT_TEXT_LANGUAGE, one).split(' ')[0]).toSorted(),
    Object.keys(wrong)
      .filter((name) => name !== 'event_status_reason')
      .toSorted(),
  )
})

test('a state that the source takes back is taken back, and one that it does not tell stays', async (t) => {
  const app = await startTestApp(t)
  const status = (eventStatus: string) => ({ json_ld: { eventStatus: `https://schema.org/${eventStatus}` } })
  await imported(app, [tecEvent(12, status('EventCancelled')), tecEvent(13), tecEvent(14, { is_virtual: true })])
  const [, local] = await eventsOf(app)
  await changed(app, `/events/${local.id}`, { event_status: 'canceled', event_status_reason: 'Flood' })

  const again = await imported(app, [
    tecEvent(12, status('EventCancelled')),
    tecEvent(13),
    tecEvent(14, { is_virtual: true }),
  ])
  const later = await imported(app, [
    tecEvent(12, status('EventScheduled')),
    tecEvent(13, { title: 'Market' }),
    tecEvent(14, { is_virtual: false }),
  ])

  assert.equal(again.events.unchanged, 3)
  assert.equal(later.events.updated, 3)
  assert.deepEqual((await eventsOf(app)).map(stateOf), [
    {},
    { event_status: 'canceled', event_status_reason: 'Flood' },
    {},
  ])
})

test('what says nothing of the state is no news for events that earlier versions have imported', async (t) => {
  const app = await startTestApp(t)
  await imported(app, [tecEvent(12), tecEvent(13)])

  const { events } = await imported(app, [
    tecEvent(12, { is_virtual: false, virtual_url: null, virtual_video_source: '' }),
    tecEvent(13, { event_status: 'scheduled', json_ld: { eventStatus: 'https://schema.org/EventScheduled' } }),
  ])

  assert.equal(events.unchanged, 2)
})
