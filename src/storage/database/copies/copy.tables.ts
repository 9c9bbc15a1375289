import { type RawBuilder, sql } from 'kysely'
import { contentTables, internalTables } from '../schema/schema.ts'
import { keyOf, type Table } from '../schema/table.ts'
import type { Db, Tables, Tx } from '../tables.ts'

export type TableName = keyof Tables
/** A row as both engines return it: numbers, texts and nulls. */
export type TableRow = Readonly<Record<string, number | string | null>>

const keys = Object.fromEntries(Object.entries(contentTables).map(([name, table]) => [name, keyOf(table)])) as Readonly<
  Record<TableName, readonly string[]>
>

/** Columns that refer to rows of their own table, which may be written later. */
function selfReferencesOf(table: TableName): readonly string[] {
  const { columns }: Table = contentTables[table]
  return Object.keys(columns).filter((name) => columns[name]?.details.references?.to.startsWith(`${table}.`))
}

/** In an order such that a row never refers to a row of a later table. */
export const tableNames = Object.keys(contentTables) as readonly TableName[]

/** Neither these nor tables of derivations are content. */
export const nonContentTables: readonly string[] = Object.keys(internalTables)

/** Tables whose ids the engine assigns. */
export const sequenceTables: readonly TableName[] = tableNames.filter((name) => 'id' in contentTables[name].columns)

/** Rows per statement. Keeps the values below the parameter limits of the engines, and bounds the memory for texts. */
export const batchRows = 200

/** Yields all rows in key order, in batches. Both engines order texts by their bytes. */
export async function* tableBatches(db: Db, table: TableName): AsyncGenerator<readonly TableRow[]> {
  const key = sql.join(keys[table].map((column) => sql.ref(column)))
  let after = sql``
  for (;;) {
    const { rows } = await sql<TableRow>`
      select * from ${sql.table(table)} ${after} order by ${key} limit ${batchRows}`.execute(db)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    after = sql`where (${key}) > (${sql.join(keys[table].map((column) => last[column]))})`
  }
}

export async function countRows(db: Db, table: TableName): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** Copies all rows of `table` from one database into an empty table of another. Reports the number of rows after each batch. */
export async function copyTable(
  { from: source, to: tx }: { readonly from: Db; readonly to: Tx },
  table: TableName,
  onRows: (count: number) => void,
): Promise<void> {
  for await (const rows of tableBatches(source, table)) {
    await insertRows(tx, table, rows)
    onRows(rows.length)
  }
  if (!isSelfReferring(table)) return
  for await (const rows of tableBatches(source, table)) await writeSelfReferences(tx, table, rows)
}

/** Whether rows of this table refer to other rows of it. If so, `writeSelfReferences` must follow `insertRows`. */
export function isSelfReferring(table: TableName): boolean {
  return selfReferencesOf(table).length > 0
}

/** Inserts new rows, at most one batch. Omits columns that refer to rows of the same table. */
export async function insertRows(tx: Tx, table: TableName, rows: readonly TableRow[]): Promise<void> {
  const later = selfReferencesOf(table)
  await writeRows(tx, { table, rows: later.length === 0 ? rows : rows.map((row) => without(row, later)) })
}

/** Writes the columns of these rows that `insertRows` omitted. Call it once all rows of the table are present. */
export async function writeSelfReferences(tx: Tx, table: TableName, rows: readonly TableRow[]): Promise<void> {
  const later = selfReferencesOf(table)
  const referring = rows.filter((row) => later.some((column) => row[column] !== null))
  if (referring.length > 0) await writeRows(tx, { table, rows: referring }, setting(table, later))
}

async function writeRows(
  tx: Tx,
  { table, rows }: { readonly table: TableName; readonly rows: readonly TableRow[] },
  otherwise: RawBuilder<unknown> = sql``,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`)
  await sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(values)} ${otherwise}`.execute(tx)
}

/** Sets these columns of existing rows. */
function setting(table: TableName, columns: readonly string[]): RawBuilder<unknown> {
  const key = sql.join(keys[table].map((column) => sql.ref(column)))
  const changes = columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`)
  return sql`on conflict (${key}) do update set ${sql.join(changes)}`
}

function without(row: TableRow, columns: readonly string[]): TableRow {
  return { ...row, ...Object.fromEntries(columns.map((column) => [column, null])) }
}
