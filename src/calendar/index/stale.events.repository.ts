import { type RawBuilder, sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Derivation } from '../../storage/database/derivation.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Flag, Tx } from '../../storage/database/tables.ts'
import { loggedColumn } from '../changelog/change.log.repository.ts'
import type { TouchedItem } from '../changelog/change.log.ts'
import { hasOtherNotes, skipItems } from '../changelog/stale.items.repository.ts'
import type { ListedEvent } from './event.index.ts'
import { type EventSourceRow, eventSourceColumns, indexedFromSource, parsed } from './indexed.event.repository.ts'

/** A changed event: what is derived from it, and what should be. */
export interface EventChange extends Pick<TouchedItem, 'id' | 'shown' | 'logged'> {
  /** Whether its search text must be derived again. */
  readonly hasStaleText: boolean
  /** Undefined if the event is new, or nothing was derived from it yet. */
  readonly before: ListedEvent | undefined
  /** Undefined if the event no longer exists. */
  readonly after: ListedEvent | undefined
}

/** Data that follows from single events. All such data is refreshed together, one batch of changed events at a time. */
export interface EventDerivation {
  readonly tables: readonly string[]
  /** Runs once when the database is opened. Marks events as stale if the settings need more than is derived. */
  prepare?(tx: Tx, dialect: Dialect): Promise<void>
  /**
   * Brings the data of these events up to date: at most a thousand events.
   *
   * @returns statements that can wait until all derivations have run. They run together.
   */
  refresh(tx: Tx, dialect: Dialect, changes: readonly EventChange[]): Promise<readonly RawBuilder<unknown>[]>
  /** Runs when very many events have been refreshed. */
  complete?(tx: Tx, dialect: Dialect): Promise<void>
}

/** Receives how many of many events are derived, and their number. */
export type OnDerived = (done: number, total: number) => void

export interface EventDerivationOptions {
  readonly onDerived?: OnDerived | undefined
  /** Another size of batches, in tests. */
  readonly eventsAtOnce?: number | undefined
}

const maxAtOnce = 1000
const veryMany = 10_000
/** What is read of each event, and the notes about them. */
const sourceTables = [
  ...['records', 'events', 'event_venues', 'event_organizers', 'event_terms', 'terms', 'occurrences'],
  ...['stale_events', 'stale_items'],
]

/**
 * Combines the derivations of events into one that storage can run. Triggers note changed events in `stale_events`. One
 * query reads a batch of them, with what was derived from them before. The derivations run in order.
 */
export function derivedFromEvents(
  derivations: readonly EventDerivation[],
  { onDerived = () => {}, eventsAtOnce = maxAtOnce }: EventDerivationOptions = {},
): Derivation {
  return {
    name: 'events',
    tables: [...derivations.flatMap(({ tables }) => tables), 'stale_events'],
    prepare: async (tx, dialect) => {
      for (const { prepare } of derivations) await prepare?.(tx, dialect)
    },
    refresh: async (tx, dialect) => {
      const batch = await readStaleEvents(tx, dialect, { limit: eventsAtOnce })
      if (batch.changes.length === eventsAtOnce)
        return deriveMany({ tx, dialect }, derivations, { onDerived, eventsAtOnce })
      if (batch.changes.length > 0) {
        const { changes, hasOtherItems } = batch
        const isDone = (column: string) =>
          dialect.isAmong(
            sql.ref(column),
            changes.map(({ id }) => id),
          )
        const statements = await refreshBatch({ tx, dialect }, derivations, changes)
        await dialect.runTogether(tx, [
          ...statements,
          sql`delete from stale_events where ${isDone('event_id')}`,
          sql`delete from stale_items where kind = 'event' and ${isDone('item_id')}`,
        ])
        // The batch is not full, so it was the last one: refreshing notes no further events.
        if (!hasOtherItems) skipItems(tx)
        return
      }
    },
  }
}

interface Deriving {
  readonly tx: Tx
  readonly dialect: Dialect
}

/** Runs all derivations, and returns the statements that can wait. */
async function refreshBatch(
  { tx, dialect }: Deriving,
  derivations: readonly Pick<EventDerivation, 'refresh'>[],
  changes: readonly EventChange[],
): Promise<readonly RawBuilder<unknown>[]> {
  const statements: RawBuilder<unknown>[] = []
  for (const { refresh } of derivations) {
    statements.push(...(await refresh(tx, dialect, changes)))
    await giveWay()
  }
  return statements
}

/**
 * Derives everything of many noted events. Notes are removed at the end and not batch by batch: PostgreSQL keeps removed rows
 * until the transaction is over, and would read them again for each batch.
 */
async function deriveMany(
  { tx, dialect }: Deriving,
  derivations: readonly EventDerivation[],
  { onDerived, eventsAtOnce }: { readonly onDerived: OnDerived; readonly eventsAtOnce: number },
): Promise<void> {
  await dialect.analyze(tx, sourceTables)
  const { rows } = await sql<{ count: number }>`select count(*) as count from stale_events`.execute(tx)
  const total = Number(rows[0]?.count ?? 0)
  for (let after = 0, done = 0, isLast = false; !isLast; ) {
    const { changes } = await readStaleEvents(tx, dialect, { limit: eventsAtOnce, after })
    await dialect.runTogether(tx, await refreshBatch({ tx, dialect }, derivations, changes))
    after = changes.at(-1)?.id ?? after
    isLast = changes.length < eventsAtOnce
    done += changes.length
    onDerived(done, total)
  }
  if (total >= veryMany) for (const { complete } of derivations) await complete?.(tx, dialect)
  await dialect.runTogether(tx, [
    sql`delete from stale_items where kind = 'event' and item_id in (select event_id from stale_events)`,
    sql`delete from stale_events`,
  ])
}

/** Returns how a derivation refreshes events after changes that concern it only, and not the event index. */
export function refreshOf({ refresh }: EventDerivation) {
  return async (tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> => {
    const events = sql`(select id as event_id, 0 as has_stale_text from ${dialect.numbers(ids)} given)`
    const { rows } = await sql<StaleRow>`${rowsOf(dialect, events)}`.execute(tx)
    await dialect.runTogether(tx, await refresh(tx, dialect, rows.map(changeFromRow)))
  }
}

type StaleRow = EventSourceRow & {
  readonly id: number
  readonly has_stale_text: Flag
  readonly logged: string | NonNullable<TouchedItem['logged']> | null
}

/**
 * Returns the first noted events.
 *
 * @param page `after`: the last event of the batch before. PostgreSQL would read the removed notes before it again.
 */
async function readStaleEvents(
  tx: Tx,
  dialect: Dialect,
  { limit, after }: { readonly limit: number; readonly after?: number | undefined },
): Promise<{ readonly changes: readonly EventChange[]; readonly hasOtherItems: boolean }> {
  const isAfter = after === undefined ? sql`` : sql`where event_id > ${after}`
  const stale = sql`(select event_id, has_stale_text from stale_events ${isAfter}
    order by event_id limit ${sql.lit(limit)})`
  // They would slow this down too, so only the first batch asks.
  const others = after === undefined ? sql.raw(`, ${hasOtherNotes(limit)} as has_other_items`) : sql``
  const { rows } = await sql<StaleRow & { readonly has_other_items?: Flag }>`
    ${rowsOf(dialect, stale, others)}`.execute(tx)
  return { changes: rows.map(changeFromRow), hasOtherItems: rows[0]?.has_other_items !== 0 }
}

/**
 * @param stale A table with the columns `event_id` and `has_stale_text`.
 * @param columns Further columns, after a comma.
 */
function rowsOf(dialect: Dialect, stale: RawBuilder<unknown>, columns = sql``): RawBuilder<StaleRow> {
  return sql<StaleRow>`
    select stale.event_id as id, stale.has_stale_text, ${eventSourceColumns(dialect, 'stale.event_id')},
      ${loggedColumn(dialect, `'event'`, 'stale.event_id')} as logged ${columns}
    from ${stale} stale order by stale.event_id`
}

function changeFromRow(row: StaleRow): EventChange {
  return {
    ...{ id: row.id, hasStaleText: row.has_stale_text === 1, logged: parsed(row.logged) ?? undefined },
    ...indexedFromSource(row),
  }
}
