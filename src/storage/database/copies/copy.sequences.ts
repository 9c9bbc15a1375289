import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'
import type { Db, Tx } from '../tables.ts'
import type { TableName } from './copy.tables.ts'

/**
 * Returns the greatest id ever assigned in this table, including ids of removed rows. Returns 0 if none was assigned.
 */
export async function lastGivenId(db: Db, { name }: Dialect, table: TableName): Promise<number> {
  const { rows } = await (name === 'sqlite'
    ? sql<{ id: number }>`select seq as id from sqlite_sequence where name = ${table}`
    : sql<{ id: number }>`select case when is_called then last_value else 0 end as id
        from ${sql.table(await sequenceOf(db, table))}`
  ).execute(db)
  // SQLite's sequence includes ids that a writer chose itself. PostgreSQL's sequence does not.
  const greatest = await sql<{ id: number }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`.execute(db)
  return Math.max(Number(rows[0]?.id ?? 0), Number(greatest.rows[0]?.id ?? 0))
}

/** Makes the next id of this table greater than `id`. */
export async function advanceSequence(
  tx: Tx,
  { name }: Dialect,
  { table, id }: { readonly table: TableName; readonly id: number },
): Promise<void> {
  if (id === 0) return
  if (name === 'postgres') {
    await sql`select setval(${sql.lit(await sequenceOf(tx, table))}::regclass, ${id}::bigint)`.execute(tx)
    return
  }
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(tx)
}

/** Returns the name of the sequence behind a numbered key of PostgreSQL, with its schema. */
async function sequenceOf(db: Db, table: TableName): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select pg_get_serial_sequence(${sql.lit(table)}, 'id') as name`.execute(db)
  return rows[0]?.name ?? ''
}
