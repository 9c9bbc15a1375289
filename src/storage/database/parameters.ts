import { type RawBuilder, sql } from 'kysely'

/**
 * A whole number as a parameter of a statement that is planned once. A plain one has SQLite plan the statement anew each
 * time it is run: as a limit or an offset, and where it is compared with a column that a partial index asks for.
 */
export function plannedOnce(number: number): RawBuilder<number> {
  return sql<number>`cast(${number} as bigint)`
}
