import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

const rowsAtOnce = 500

interface SegmentRow {
  readonly facet: number
  readonly class: string
  readonly first_place: number
  readonly members: Uint8Array
}

/** Adds the place of the last member to each segment of a set of events. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await db.schema
    .alterTable('event_sets')
    .addColumn('last_place', dialect.id, (c) => c.notNull().defaultTo(0))
    .execute()
  for (let after = { facet: -1, class: '', first_place: 0 }; ; ) {
    const { rows } = await sql<SegmentRow>`select facet, class, first_place, members from event_sets
      where (facet, class, first_place) > (${after.facet}, ${after.class}, ${after.first_place})
      order by facet, class, first_place limit ${sql.lit(rowsAtOnce)}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    await storeLastPlaces(db, dialect, rows)
    after = last
  }
}

async function storeLastPlaces(db: Kysely<unknown>, dialect: Dialect, rows: readonly SegmentRow[]): Promise<void> {
  const given = rows.map(({ facet: f, class: c, first_place: p, members }) => ({ f, c, p, l: lastPlaceOf(members) }))
  const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  await sql`update event_sets set last_place = given.l
    from (select ${number('f')} as f, value ->> 'c' as c, ${number('p')} as p, ${number('l')} as l
      from ${dialect.jsonRows(given)} listed) given
    where facet = given.f and class = given.c and first_place = given.p`.execute(db)
}

/** Members are stored by day: the difference to the day before, their number, and the differences of their ids. */
function lastPlaceOf(bytes: Uint8Array): number {
  let at = 0
  const next = () => {
    let number = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at] ?? 0
      at += 1
      number += (byte % 128) * unit
      if (byte < 128) return number
    }
  }
  let day = 0
  let id = 0
  while (at < bytes.length) {
    day += next()
    const count = next()
    const first = next()
    id += first % 2 === 1 ? -(first + 1) / 2 : first / 2
    for (let more = 1; more < count; more += 1) id += next()
  }
  return day * 2 ** 31 + id
}
