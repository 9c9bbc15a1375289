import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { runs } from '../../../test/support/long.ts'
import { refreshAll } from '../../storage/database/derivation.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { derivationsFor } from '../derivations.ts'
import { addBasis, addEvents, drawnEvent } from '../events/event.arbitrary.ts'
import { wrongDailyCounts } from './daily.counts.repository.ts'
import { wrongSets } from './event.sets.check.repository.ts'
import { membersOf, placeOf } from './set.segments.ts'

const now = () => 0
const eventsAtOnce = 7
type Options = NonNullable<Parameters<typeof derivationsFor>[1]>

async function refresh({ dialect }: Storage, tx: Tx, options: Options = {}): Promise<void> {
  await refreshAll(derivationsFor(undefined, { now, ...options }), tx, dialect)
}

async function noteAll(tx: Tx): Promise<void> {
  await sql`insert into stale_events (event_id) select record_id from events where true
    on conflict (event_id) do nothing`.execute(tx)
  await sql`insert into stale_items (kind, item_id) select kind, id from records
    where kind in ('event', 'venue', 'organizer', 'series') on conflict (kind, item_id) do nothing`.execute(tx)
  await sql`insert into stale_items (kind, item_id) select taxonomy, id from terms where true
    on conflict (kind, item_id) do nothing`.execute(tx)
}

const derived = ['event_order', 'event_sets', 'event_tallies', 'event_classes', 'changes']

async function forgetAll(tx: Tx): Promise<void> {
  for (const table of derived) await sql`delete from ${sql.table(table)}`.execute(tx)
}

interface SegmentRow {
  readonly facet: number
  readonly class: string
  readonly members: Uint8Array
}

/** Returns everything that is derived, except what depends on the order of changes: segments and the numbers of the log. */
async function derivedRows(db: Db) {
  const rowsOf = async (columns: string, table: string) =>
    (await sql`select ${sql.raw(columns)} from ${sql.table(table)} order by ${sql.raw(columns)}`.execute(db)).rows
  const { rows: segments } = await sql<SegmentRow>`
    select facet, class, members from event_sets order by facet, class, first_place`.execute(db)
  const sets = Map.groupBy(segments, ({ facet, class: name }) => `${facet} of ${name}`)
  return {
    entries: await rowsOf(
      'event_id, class, start_local, dated_at, end_local, start_utc, end_utc, is_long, facets, series_id',
      'event_order',
    ),
    sets: [...sets].map(([set, some]) => [set, some.flatMap(({ members }) => membersOf(members).map(placeOf))]),
    // A count that became 0 may stay.
    counts: (await rowsOf('clock, day, class, number', 'event_tallies')).filter(
      (row) => Number((row as { number: number }).number) !== 0,
    ),
    classes: await rowsOf('class, status, language, is_long, venues, shown_to, shown_among_all', 'event_classes'),
    changes: await rowsOf('kind, item_id, is_deleted, language, version', 'changes'),
    notes: [await rowsOf('event_id', 'stale_events'), await rowsOf('kind, item_id', 'stale_items')],
  }
}

async function givenEvents(events: Parameters<typeof addEvents>[1]) {
  const { storage, remove } = await openTestDatabase({}, { derivations: [] })
  await storage.write(addBasis)
  await storage.write((tx) => addEvents(tx, events))
  return { storage, remove }
}

/** Derives everything event by event, in an order that is not that of ids. */
async function deriveOneByOne(storage: Storage): Promise<void> {
  const { rows } = await sql<{ event_id: number }>`select event_id from stale_events`.execute(storage.db)
  await storage.write(async (tx) => {
    await forgetAll(tx)
    await sql`delete from stale_events`.execute(tx)
  })
  for (const { event_id: id } of rows.toSorted((one, other) => (one.event_id % 11) - (other.event_id % 11))) {
    await storage.write(async (tx) => {
      await sql`insert into stale_events (event_id) values (${id})`.execute(tx)
      await refresh(storage, tx)
    })
  }
}

test('all events at once have the same index, counts and log as one event after the other', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(drawnEvent, { minLength: eventsAtOnce, maxLength: 40 }), async (events) => {
      const { storage, remove } = await givenEvents(events)
      try {
        await deriveOneByOne(storage)
        const expected = await derivedRows(storage.db)
        const shown: (readonly [number, number])[] = []
        await storage.write(async (tx) => {
          await forgetAll(tx)
          await noteAll(tx)
          await refresh(storage, tx, { eventsAtOnce, onDerived: (...progress) => shown.push(progress) })
        })

        assert.deepEqual(await derivedRows(storage.db), expected)
        // It was derived at once.
        assert.deepEqual(shown.at(-1), [events.length * 2, events.length * 2])
      } finally {
        await remove()
      }
    }),
    { numRuns: runs(8, 100) },
  )
})

test('events that change after all were derived at once leave their sets and counts', async () => {
  const events = fc.sample(drawnEvent, { numRuns: 60, seed: 20_261_126 })
  const { storage, remove } = await givenEvents(events)
  try {
    await storage.write((tx) => refresh(storage, tx, { eventsAtOnce }))
    await storage.write(async (tx) => {
      await sql`update events set start_local = '2028-05-05 10:00:00', is_featured = 1 - is_featured
        where record_id % 3 = 0`.execute(tx)
      await refresh(storage, tx, { eventsAtOnce })
    })

    const after = await derivedRows(storage.db)
    assert.deepEqual(await Array.fromAsync(wrongSets(storage.db)), [])
    assert.deepEqual((await wrongDailyCounts.execute(storage.db)).rows, [])
    await deriveOneByOneAgain(storage)
    assert.deepEqual(await derivedRows(storage.db), after)
  } finally {
    await remove()
  }
})

async function deriveOneByOneAgain(storage: Storage): Promise<void> {
  await storage.write(noteAll)
  await deriveOneByOne(storage)
}

test('an interrupted first derivation leaves nothing, and the next start derives everything', async () => {
  const events = fc.sample(drawnEvent, { numRuns: 30, seed: 20_261_126 })
  const { storage, remove } = await givenEvents(events)
  try {
    const interrupted = storage.write((tx) =>
      refresh(storage, tx, {
        eventsAtOnce,
        onDerived: (done) => {
          // In the second part of the work.
          if (done > events.length) throw new Error('killed')
        },
      }),
    )
    await assert.rejects(interrupted, /killed/)
    const { rows } = await sql`select 1 from event_order`.execute(storage.db)
    const { rows: noted } = await sql`select 1 from stale_events`.execute(storage.db)
    await storage.write((tx) => refresh(storage, tx, { eventsAtOnce }))

    assert.equal(rows.length, 0)
    assert.equal(noted.length, events.length)
    const { entries, notes } = await derivedRows(storage.db)
    assert.equal(entries.length, events.length)
    assert.deepEqual(notes, [[], []])
  } finally {
    await remove()
  }
})
