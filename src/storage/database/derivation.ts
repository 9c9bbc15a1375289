import { giveWay } from '../../base/concurrency/turns.ts'
import type { Dialect } from './dialect.ts'
import type { Tx } from './tables.ts'

/**
 * Data that is derived from other tables: an index, a count, a log of changes. Storage updates it within the
 * transaction that changes its sources, so a reader who sees a change also sees the derived data.
 *
 * Triggers note changes in a table of the derivation, and `refresh` processes these notes. A migration that requires a
 * rebuild of the derivation only writes such notes.
 */
export interface Derivation {
  readonly name: string
  /** Tables that only this derivation writes. They are not content: copies omit them, and a restore rebuilds them. */
  readonly tables: readonly string[]
  /**
   * Runs once when the database is opened, before the first refresh. Notes the work that the process settings require.
   */
  prepare?(tx: Tx, dialect: Dialect): Promise<void>
  /**
   * Brings the derived data up to date. Runs before every commit, and once when the database is opened. It must be fast
   * if nothing changed, and work in batches of bounded size if much changed.
   */
  refresh(tx: Tx, dialect: Dialect): Promise<void>
}

/** Refreshes all derivations in their order. A derivation may read the output of the derivations before it. */
export async function refreshAll(derivations: readonly Derivation[], tx: Tx, dialect: Dialect): Promise<void> {
  for (const { refresh } of derivations) {
    await giveWay()
    await refresh(tx, dialect)
  }
}

/** Prepares and refreshes all derivations when a database is opened. */
export async function prepareAll(derivations: readonly Derivation[], tx: Tx, dialect: Dialect): Promise<void> {
  for (const { prepare } of derivations) await prepare?.(tx, dialect)
  await refreshAll(derivations, tx, dialect)
}

export function derivedTables(derivations: readonly Derivation[]): readonly string[] {
  return derivations.flatMap(({ tables }) => tables)
}
