import { sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { countsOfEntries } from './daily.counts.repository.ts'
import type { EventOrderTable } from './event.index.ts'
import { segmentStatements } from './event.sets.repository.ts'
import { dayOfStart } from './indexed.event.repository.ts'
import { NewSets, type SetSegment } from './new.sets.ts'

// The event index of a calendar that has none yet. The entries are stored first. The sets and the daily counts follow from
// them at once, so each of their rows is written once, however many events there are.

const entriesAtOnce = 1000
const segmentsAtOnce = 500

/** Whether the event index has nothing. */
export async function isIndexEmpty(db: Db): Promise<boolean> {
  const { rows } = await sql`select 1 from (select 1 as one from event_order limit 1) entry
    union all select 1 from (select 1 as one from event_sets limit 1) stored
    union all select 1 from (select 1 as one from event_tallies limit 1) counted`.execute(db)
  return rows.length === 0
}

/**
 * Makes the sets and the daily counts of all entries.
 *
 * @param onEntries Receives the number of entries after each batch.
 */
export async function deriveFromEntries(tx: Tx, dialect: Dialect, onEntries: (count: number) => void): Promise<void> {
  const sets = new NewSets()
  let made: SetSegment[] = []
  const store = async (segments: Iterable<SetSegment>) => {
    for (const segment of segments) {
      made.push(segment)
      if (made.length < segmentsAtOnce) continue
      await dialect.runTogether(tx, segmentStatements(dialect, made))
      made = []
    }
  }
  for await (const entries of entriesInOrder(tx)) {
    for (const { event_id: id, class: className, start_local: start, facets } of entries) {
      const day = dayOfStart(start as LocalDateTime)
      await store(sets.before(day))
      sets.add({ id, day, class: className, facets: facets.split(',').map(Number) })
    }
    onEntries(entries.length)
    await giveWay()
  }
  await store(sets.end())
  await dialect.runTogether(tx, segmentStatements(dialect, made))
  await countsOfEntries.execute(tx)
  await dialect.analyze(tx, ['event_order', 'event_sets', 'event_tallies', 'event_classes'])
}

type Entry = Pick<EventOrderTable, 'event_id' | 'class' | 'start_local' | 'dated_at' | 'facets'>

/** Yields all entries in the order of lists. */
async function* entriesInOrder(tx: Tx): AsyncGenerator<readonly Entry[]> {
  for (let after: Pick<Entry, 'event_id' | 'start_local' | 'dated_at'> | undefined; ; ) {
    const isAfter = after
      ? sql`where (start_local, dated_at, event_id) > (${after.start_local}, ${after.dated_at}, ${after.event_id})`
      : sql``
    const { rows } = await sql<Entry>`select event_id, class, start_local, dated_at, facets from event_order ${isAfter}
      order by start_local, dated_at, event_id limit ${sql.lit(entriesAtOnce)}`.execute(tx)
    after = rows.at(-1)
    if (!after) return
    yield rows
  }
}
