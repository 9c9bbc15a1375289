import { type RawBuilder, sql } from 'kysely'

/**
 * A whole number as a parameter of a statement that is planned once. With an uncast number, SQLite plans the statement
 * again on every run if the number is a limit or an offset, or if it is compared with a column that a partial index
 * uses.
 */
export function bigintParameter(number: number): RawBuilder<number> {
  return sql<number>`cast(${number} as bigint)`
}
