import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import type { EventKey } from '../../calendar/events/event.keys.repository.ts'
import type { LinkedEvent } from '../../calendar/events/event.ts'
import { eventWith } from './feed.arbitrary.ts'
import { utf8Bytes } from './feed.bytes.ts'
import { createEntryCache, type KnownEntries } from './feed.entries.ts'
import { entryMetadataOf } from './feed.ts'

/** The state of what events link to. */
const links = 1

/** Returns the key of an event. */
const keyOf = ({ id, changeCount, passwordDigest, seriesId }: LinkedEvent): EventKey => ({
  ...{ id, changeCount, passwordDigest, seriesId, octets: 5 },
})

const eventsOf = (...ids: number[]) => ids.map((id) => eventWith({ id: id as LinkedEvent['id'] }))

/** Caches the entries of events, all written together, with texts of this length. */
function keep(entries: KnownEntries | undefined, events: readonly LinkedEvent[], length: number): void {
  entries?.keep({
    ...{ keys: events.map(keyOf), events, metadata: events.map(entryMetadataOf) },
    texts: utf8Bytes(events.map(({ id }) => String(id % 10).repeat(length))),
  })
}

function foundIn(entries: KnownEntries | undefined, events: readonly LinkedEvent[]): readonly string[] {
  return events.map((event) => entries?.find(keyOf(event))?.bytes.toString() ?? '')
}

test('an entry is found until its event, or what events link to, has another state', () => {
  const cache = createEntryCache(10_000)
  const [event, other] = eventsOf(1, 2) as [LinkedEvent, LinkedEvent]
  keep(cache(links, 'plain'), [event, other], 2)
  const key = keyOf(event)

  assert.deepEqual(foundIn(cache(links, 'plain'), [event, other]), ['11', '22'])
  assert.deepEqual(cache(links, 'plain')?.find(key)?.metadata, entryMetadataOf(event))
  for (const changed of [{ changeCount: 1 }, { octets: 6 }, { passwordDigest: 'x' }, { seriesId: 1 }]) {
    assert.equal(cache(links, 'plain')?.find({ ...key, ...changed }), undefined, JSON.stringify(changed))
  }
  assert.equal(cache(links + 1, 'plain')?.find(key), undefined)
  assert.equal(cache(links, 'other')?.find(key), undefined)
})

test('nothing is cached if the state is unknown, or if the cache may have no bytes', () => {
  assert.equal(createEntryCache(10_000)(undefined, ''), undefined)
  assert.equal(createEntryCache(0)(links, ''), undefined)
})

test('protected events, dates of series, and events that changed after their key are not cached', () => {
  const entries = createEntryCache(10_000)(links, '')
  const event = eventWith({ id: 1 as LinkedEvent['id'] })
  for (const read of [{ passwordDigest: 'x' }, { seriesId: 7 }, { changeCount: 9 }]) {
    const events = [{ ...event, ...read }]
    const texts = utf8Bytes(['text'])
    entries?.keep({ keys: [keyOf(event)], events, metadata: events.map(entryMetadataOf), texts })
    for (const key of [event, ...events].map(keyOf)) assert.equal(entries?.find(key), undefined, JSON.stringify(read))
  }
})

test('events that cannot be cached take no room of others', () => {
  const entries = createEntryCache(10_000)(links, '')
  const [first, second] = eventsOf(1, 2) as [LinkedEvent, LinkedEvent]
  const dates = eventsOf(3, 4).map((event) => ({ ...event, seriesId: 7 }))
  keep(entries, [first, second], 2000)
  keep(entries, dates, 4000)

  assert.ok(foundIn(entries, [first, second]).every((text) => text !== ''))
})

test('the entries of a missing event are those of the others', () => {
  const entries = createEntryCache(10_000)(links, '')
  const [first, missing, last] = eventsOf(1, 2, 3) as [LinkedEvent, LinkedEvent, LinkedEvent]
  const events = [first, last]
  const texts = utf8Bytes(['one', 'three'])
  entries?.keep({ keys: [first, missing, last].map(keyOf), events, metadata: events.map(entryMetadataOf), texts })

  assert.deepEqual(foundIn(entries, [first, missing, last]), ['one', '', 'three'])
})

test('the batches that were used least recently are dropped once all have too many bytes', () => {
  // Each batch takes 2 × 4500 bytes with what the cache needs itself.
  const cache = createEntryCache(30_000)
  const entries = cache(links, '')
  const batches = [eventsOf(1, 2), eventsOf(3, 4), eventsOf(5, 6)] as const
  for (const events of batches) keep(entries, events, 4000)
  assert.ok(batches.every((events) => foundIn(entries, events).every((text) => text !== '')))

  foundIn(entries, batches[0].slice(0, 1))
  keep(entries, eventsOf(7, 8), 4000)

  const isKnown = (events: readonly LinkedEvent[]) => foundIn(entries, events).map((text) => text !== '')
  assert.deepEqual(
    [...batches, eventsOf(7, 8)].map((events) => isKnown(events)),
    [
      [true, true],
      [false, false],
      [true, true],
      [true, true],
    ],
  )
  keep(entries, eventsOf(9), 40_000)
  assert.deepEqual(isKnown(eventsOf(9)), [false])
  assert.deepEqual(isKnown(batches[2]), [true, true])
})

test('an entry that was written again outlives its first batch', () => {
  const entries = createEntryCache(10_000)(links, '')
  const [first, second] = eventsOf(1, 2) as [LinkedEvent, LinkedEvent]
  keep(entries, [first, second], 2000)
  keep(entries, [first], 2)
  keep(entries, eventsOf(3), 8000)

  assert.deepEqual(foundIn(entries, [second]), [''])
  assert.deepEqual(foundIn(entries, [first]), ['11'])
})

test('a feed reads only the events of which it shows something else', async (t) => {
  const app = await startTestApp(t, { READERS: '0' })
  const [music, dance] = [
    await givenTerm(app, 'categories', { name: 'Music' }),
    await givenTerm(app, 'tags', { name: 'Dance' }),
  ]
  const venue = await givenVenue(app, { venue: 'Hall' })
  const linked = { categories: [music.id], tags: [dance.id], venue: venue.id }
  const events = [await givenEvent(app, linked), await givenEvent(app), await givenEvent(app)]
  const draft = await givenEvent(app, { ...linked, status: 'draft', start_date: '2060-01-01', end_date: '2060-01-02' })
  const readEvents = async (): Promise<number> => {
    app.statements()
    assert.equal((await app.send({ as: 'editor', path: '/events.ics' })).status, 200)
    return app.statements().filter((text) => /select records\.id, records\.kind,.*records\.content_html,/s.test(text))
      .length
  }
  const readsAfter = async (change: () => Promise<unknown>): Promise<readonly number[]> => {
    await change()
    return [await readEvents(), await readEvents()]
  }
  const update = (path: string, body: Record<string, string>) => () => changed(app, path, body)

  assert.deepEqual([await readEvents(), await readEvents()], [1, 0])
  assert.deepEqual(await readsAfter(update(`/events/${events[1]?.id}`, { title: 'Another' })), [1, 0])
  // The numbers of events of the terms change, and no feed shows them.
  assert.deepEqual(await readsAfter(update(`/events/${draft.id}`, { status: 'publish' })), [0, 0])
  assert.deepEqual(
    await readsAfter(() => givenEvent(app, { ...linked, start_date: '2060-01-01', end_date: '2060-01-02' })),
    [0, 0],
  )
  assert.deepEqual(await readsAfter(update(`/categories/${music.id}`, { name: 'Songs' })), [1, 0])
  assert.deepEqual(await readsAfter(update(`/venues/${venue.id}`, { venue: 'House' })), [1, 0])
})
