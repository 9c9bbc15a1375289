import {
  type ColumnDataType,
  type CreateTableBuilder,
  type Expression,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'

/** All that the SQL engines do differently. Nothing outside this folder asks which engine it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Column type of record and user ids. */
  readonly id: ColumnDataType
  /** Column type of whole seconds since 1970. */
  readonly instant: ColumnDataType
  readonly real: ColumnDataType
  /** Adds the numbered primary key `id`; a number is never given twice. */
  numbered<T extends string>(table: CreateTableBuilder<T>): CreateTableBuilder<T, 'id'>
  /** What ends a `create table`. */
  finish<T extends string, C extends string>(table: CreateTableBuilder<T, C>): CreateTableBuilder<T, C>
  /** True where `column` contains `needle` as it stands. Both are folded already; `needle` is user text. */
  containsText(column: Expression<string>, needle: string): RawBuilder<SqlBool>
}

export const sqlite: Dialect = {
  name: 'sqlite',
  id: 'integer',
  instant: 'integer',
  real: 'real',
  numbered: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement().notNull()),
  // Strict: a text never lands in a number's column, as on every other engine.
  finish: (table) => table.modifyEnd(sql`strict`),
  containsText: (column, needle) => sql<SqlBool>`instr(${column}, ${needle}) > 0`,
}
