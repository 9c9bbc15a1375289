import { type Selectable, sql } from 'kysely'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Tables } from '../../storage/database/tables.ts'
import type { FieldStore } from './directory.ts'
import type { EntryValues, FieldColumns, FieldTable } from './field.ts'

type FieldTableName = 'venues' | 'organizers'

/** The table of fields, if it has exactly one field for each column of this database table; otherwise an error type. */
type WithAllColumns<T extends FieldTable, N extends FieldTableName> =
  FieldColumns<T> extends Omit<Tables[N], 'record_id'>
    ? Omit<Tables[N], 'record_id'> extends FieldColumns<T>
      ? T
      : never
    : never

/** Stores the fields of a kind: one row for each record, in a table of its own. */
export function fieldStore<N extends FieldTableName, T extends FieldTable>(
  name: N,
  fields: WithAllColumns<T, N>,
): FieldStore<EntryValues<T>> {
  // The types above check the columns besides `record_id`, and the code below names none of them.
  const table = name as 'venues'
  const columns = Object.entries<FieldTable[string]>(fields)
  const rowOf = (values: EntryValues<T>) =>
    Object.fromEntries(columns.map(([property, { column, toColumn }]) => [column, toColumn(values[property])])) as Omit<
      Tables['venues'],
      'record_id'
    >
  const valuesOf = (row: Readonly<Record<string, unknown>>) => {
    const values: Record<string, unknown> = {}
    for (const [property, { column, fromColumn }] of columns) values[property] = fromColumn(row[column])
    return values as EntryValues<T>
  }
  const rowsOf = compiledStatement<{ readonly ids: readonly number[] }, Selectable<Tables['venues']>>(
    ({ ids }, dialect) =>
      sql<Selectable<Tables['venues']>>`
        select * from ${sql.table(table)} where ${dialect.isAmong(sql.ref('record_id'), ids)}`,
  )
  return {
    async list(db, ids) {
      const rows = await rowsOf(db, { ids })
      return new Map(rows.map((row) => [row.record_id, valuesOf({ ...row })]))
    },
    async insert(tx, id, values) {
      await tx
        .insertInto(table)
        .values({ record_id: id, ...rowOf(values) })
        .execute()
    },
    async update(tx, id, values) {
      await tx.updateTable(table).set(rowOf(values)).where('record_id', '=', id).execute()
    },
  }
}
