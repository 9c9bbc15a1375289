import { type RawBuilder, sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import type { Derivation } from '../../storage/database/derivation.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Flag, Tx } from '../../storage/database/tables.ts'
import { loggedColumn } from '../changelog/change.log.repository.ts'
import type { TouchedItem } from '../changelog/change.log.ts'
import { hasOtherNotes, skipItems } from '../changelog/stale.items.repository.ts'
import {
  type EventSourceRow,
  eventSourceColumns,
  type IndexedEvent,
  indexedFromSource,
  parsed,
} from './indexed.event.repository.ts'

/** A changed event: what is derived from it, and what should be. */
export interface EventChange extends Pick<TouchedItem, 'id' | 'shown' | 'logged'> {
  /** Whether its search text must be derived again. */
  readonly hasStaleText: boolean
  /** Undefined if the event is new, or nothing was derived from it yet. */
  readonly before: IndexedEvent | undefined
  /** Undefined if the event no longer exists. */
  readonly after: IndexedEvent | undefined
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
  /** See `Derivation`. */
  catchUp?(tx: Tx, dialect: Dialect): Promise<boolean>
}

const eventsAtOnce = 1000

/**
 * Combines the derivations of events into one that storage can run. Triggers note changed events in `stale_events`. One
 * query reads a batch of them, with what was derived from them before. The derivations run in order.
 */
export function derivedFromEvents(derivations: readonly EventDerivation[]): Derivation {
  return {
    name: 'events',
    tables: [...derivations.flatMap(({ tables }) => tables), 'stale_events'],
    prepare: async (tx, dialect) => {
      for (const { prepare } of derivations) await prepare?.(tx, dialect)
    },
    refresh: async (tx, dialect) => {
      // A batch that is not full was the last one: refreshing notes no further events.
      for (let isLast = false; !isLast; ) {
        const { changes, hasOtherItems } = await readStaleEvents(tx, dialect)
        if (changes.length === 0) break
        isLast = changes.length < eventsAtOnce
        const statements: RawBuilder<unknown>[] = []
        for (const { refresh } of derivations) {
          statements.push(...(await refresh(tx, dialect, changes)))
          await giveWay()
        }
        const isDone = (column: string) =>
          dialect.isAmong(
            sql.ref(column),
            changes.map(({ id }) => id),
          )
        const done = [
          sql`delete from stale_events where ${isDone('event_id')}`,
          sql`delete from stale_items where kind = 'event' and ${isDone('item_id')}`,
        ]
        await dialect.runTogether(tx, [...statements, ...done])
        if (isLast && !hasOtherItems) skipItems(tx)
      }
    },
    catchUp: async (tx, dialect) => {
      let isMore = false
      for (const { catchUp } of derivations) isMore = ((await catchUp?.(tx, dialect)) ?? false) || isMore
      return isMore
    },
  }
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

async function readStaleEvents(
  tx: Tx,
  dialect: Dialect,
): Promise<{ readonly changes: readonly EventChange[]; readonly hasOtherItems: boolean }> {
  const stale = sql`(select event_id, has_stale_text from stale_events order by event_id limit ${sql.lit(eventsAtOnce)})`
  const { rows } = await sql<StaleRow & { readonly has_other_items: Flag }>`
    ${rowsOf(dialect, stale, sql.raw(`, ${hasOtherNotes(eventsAtOnce)} as has_other_items`))}`.execute(tx)
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
