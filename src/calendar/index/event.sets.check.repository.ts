import { sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { EventOrderTable } from './event.index.ts'
import { dayOfStart } from './indexed.event.repository.ts'
import { type Member, membersOf, placeOf } from './set.segments.ts'

const rowsAtOnce = 1000

/**
 * Yields the sets whose members are not the events that should be in them. Both sides are added up, so that the check of
 * a large calendar needs little memory.
 */
export async function* wrongSets(db: Db): AsyncGenerator<string> {
  const sums = new Map<string, number>()
  const add = (set: string, { day, id }: Member, sign: 1 | -1) => {
    const mixed = Math.imul(Math.imul(day, 0x9e3779b1) ^ id, 0x85ebca6b) >>> 0
    sums.set(set, (sums.get(set) ?? 0) + sign * (mixed + 1))
  }
  for await (const entry of entries(db)) {
    const member = { day: dayOfStart(entry.start_local as LocalDateTime), id: entry.event_id }
    for (const facet of entry.facets.split(',')) add(`${facet} of ${entry.class}`, member, 1)
  }
  for await (const { facet, ...row } of segments(db)) {
    const members = membersOf(row.members)
    const last = members.at(-1)
    if (members.length !== row.size || (last && placeOf(last) !== row.last_place))
      yield `a segment of set ${facet} of ${row.class}`
    for (const member of members) add(`${facet} of ${row.class}`, member, -1)
  }
  for (const [set, sum] of sums) if (sum !== 0) yield `set ${set}`
}

/** Returns the entries of the event index whose event does not exist, as text. */
export async function listIndexedWithoutEvent(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ event_id: number }>`select event_id from event_order
    where not exists (select 1 from events where record_id = event_id)`.execute(db)
  return rows.map((row) => `event ${row.event_id}`)
}

async function* entries(
  db: Db,
): AsyncGenerator<Pick<EventOrderTable, 'event_id' | 'class' | 'start_local' | 'facets'>> {
  for (let after = 0; ; ) {
    const { rows } = await sql<EventOrderTable>`select event_id, class, start_local, facets from event_order
      where event_id > ${after} order by event_id limit ${sql.lit(rowsAtOnce)}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.event_id
  }
}

interface SegmentRow {
  readonly facet: number
  readonly class: string
  readonly first_place: number
  readonly size: number
  readonly last_place: number
  readonly members: Uint8Array
}

async function* segments(db: Db): AsyncGenerator<SegmentRow> {
  for (let after = { facet: -1, class: '', first_place: 0 }; ; ) {
    const { rows } = await sql<SegmentRow>`select facet, class, first_place, size, last_place, members from event_sets
      where (facet, class, first_place) > (${after.facet}, ${after.class}, ${after.first_place})
      order by facet, class, first_place limit ${sql.lit(rowsAtOnce)}`.execute(db)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last
  }
}
