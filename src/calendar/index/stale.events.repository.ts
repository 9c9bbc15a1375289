import { sql } from 'kysely'
import type { Derivation } from '../../storage/database/derivation.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Flag, Tx } from '../../storage/database/tables.ts'

/** Changed events, at most a thousand at once. */
interface StaleEvents {
  readonly ids: readonly number[]
  /** The events whose search texts must be derived again. */
  readonly staleTextIds: readonly number[]
}

/** Data that follows from single events. All such data is refreshed together, one batch of changed events at a time. */
export interface EventDerivation {
  readonly tables: readonly string[]
  /** Runs once when the database is opened. Marks events as stale if the settings need more than is derived. */
  prepare?(tx: Tx, dialect: Dialect): Promise<void>
  /** Removes the data that follows from these events. The earlier derived data still exists at this point. */
  remove?(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void>
  /** Adds the data that now follows from these events. Removed events have none. */
  add?(tx: Tx, dialect: Dialect, events: StaleEvents): Promise<void>
  /** Runs after many batches. */
  finish?(tx: Tx, dialect: Dialect): Promise<void>
}

const eventsAtOnce = 1000

/**
 * Combines the derivations of events into one that storage can run. Triggers note changed events in `stale_events`.
 * Each batch is removed from the derivations in reverse order and then added in order, so a derivation may read the
 * data of earlier ones.
 */
export function derivedFromEvents(derivations: readonly EventDerivation[]): Derivation {
  const reversed = derivations.toReversed()
  return {
    name: 'events',
    tables: [...derivations.flatMap(({ tables }) => tables), 'stale_events'],
    prepare: async (tx, dialect) => {
      for (const { prepare } of derivations) await prepare?.(tx, dialect)
    },
    refresh: async (tx, dialect) => {
      for (let batches = 0; ; batches += 1) {
        const { rows } = await sql<{ event_id: number; has_stale_text: Flag }>`
          select event_id, has_stale_text from stale_events order by event_id limit ${sql.lit(eventsAtOnce)}`.execute(
          tx,
        )
        if (rows.length === 0) {
          if (batches > 1) for (const { finish } of derivations) await finish?.(tx, dialect)
          return
        }
        const ids = rows.map((row) => row.event_id)
        const staleTextIds = rows.filter((row) => row.has_stale_text === 1).map((row) => row.event_id)
        for (const { remove } of reversed) await remove?.(tx, dialect, ids)
        for (const { add } of derivations) await add?.(tx, dialect, { ids, staleTextIds })
        await sql`delete from stale_events where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(tx)
      }
    },
  }
}
