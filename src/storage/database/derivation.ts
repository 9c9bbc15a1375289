import type { Dialect } from './dialect.ts'
import type { Tx } from './tables.ts'

/**
 * Data that follows from other tables: an index, a count, a log of changes. The storage keeps it up to date within the
 * transaction that changes what it follows from, so whoever sees the change sees its derivations too.
 *
 * Triggers note what changed, in a table of the derivation; `refresh` works off these notes. A migration that needs the
 * derivation to be made again only writes such notes.
 */
export interface Derivation {
  readonly name: string
  /** Tables that only this derivation writes. They are no content: copies leave them out, and a restore makes them again. */
  readonly tables: readonly string[]
  /** Runs once when the database is opened, before the first refresh: notes what the settings of the process ask for. */
  prepare?(tx: Tx, dialect: Dialect): Promise<void>
  /**
   * Brings the derived data up to date. Runs before every commit, and once when the database is opened. It must be quick
   * where nothing changed, and work in pieces of bounded size where much did.
   */
  refresh(tx: Tx, dialect: Dialect): Promise<void>
}

/** Refreshes all derivations, in their order: one may read what those before it wrote. */
export async function refreshAll(derivations: readonly Derivation[], tx: Tx, dialect: Dialect): Promise<void> {
  for (const { refresh } of derivations) await refresh(tx, dialect)
}

/** Prepares and refreshes all derivations, when a database is opened. */
export async function prepareAll(derivations: readonly Derivation[], tx: Tx, dialect: Dialect): Promise<void> {
  for (const { prepare } of derivations) await prepare?.(tx, dialect)
  await refreshAll(derivations, tx, dialect)
}

/** The tables of all these derivations. */
export function derivedTables(derivations: readonly Derivation[]): readonly string[] {
  return derivations.flatMap(({ tables }) => tables)
}
