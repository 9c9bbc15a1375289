import {
  type ColumnDataType,
  type CreateTableBuilder,
  type Expression,
  type Kysely,
  type RawBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import type { Tx } from './tables.ts'

/** All that the SQL engines do differently. Nothing outside this folder asks which engine it is. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** Column type of record and user ids. */
  readonly id: ColumnDataType
  /** Column type of texts: compared and sorted by their bytes in UTF-8. */
  readonly text: ColumnDataType | RawBuilder<string>
  /** Column type of whole seconds since 1970. */
  readonly instant: ColumnDataType
  /** Column type of numbers with a fraction, in double precision. */
  readonly real: ColumnDataType
  /** Adds the numbered primary key `id`; a number is never given twice. */
  numbered<T extends string>(table: CreateTableBuilder<T>): CreateTableBuilder<T, 'id'>
  /** What ends a `create table`. A clustered table keeps its rows in the order of its key, where the engine can. */
  finish<T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
    options?: { readonly isClustered?: boolean },
  ): CreateTableBuilder<T, C>
  /** Makes the open transaction the only one that writes, until it ends. Its first statement. */
  takeTurn(tx: Tx): Promise<void>
  /** True where `column` contains `needle` as it stands. Both are folded already; `needle` is user text. */
  containsText(column: Expression<string>, needle: string): RawBuilder<SqlBool>
  /** True where `column` is one of `ids`, however many there are: engines bound the parameters of a statement. */
  isAmong(column: Expression<number>, ids: readonly number[]): RawBuilder<SqlBool>
  /** The lesser of two numbers. */
  least(one: Expression<number>, other: Expression<number>): RawBuilder<number>
  /** Removes those of these tables that are there, with all that hangs on them. None is before one that it refers to. */
  dropTables(tx: Tx, tables: readonly string[]): Promise<void>
  /** Has the engine run a statement after each row that is changed so. */
  createTrigger(db: Kysely<unknown>, trigger: Trigger): Promise<void>
  /** Takes a statement back that was to follow. */
  dropTrigger(db: Kysely<unknown>, trigger: Pick<Trigger, 'name' | 'table'>): Promise<void>
  /** Function that makes a JSON object of names and values. */
  readonly jsonObject: string
  /** Has the engine refuse to change rows of a table, and to remove them but where `mayGo` holds for `old`. */
  appendOnly(db: Kysely<unknown>, table: string, mayGo: string): Promise<void>
}

/** A statement that follows the changes of a table's rows. Its text is SQL of both engines, with rows `new` and `old`. */
export interface Trigger {
  readonly name: string
  readonly table: string
  readonly on: 'insert' | 'delete' | 'update'
  /** Of updates only those that name one of these columns. */
  readonly columns?: readonly string[]
  /** Only for rows that this holds for. */
  readonly when?: string
  readonly statement: string
}

function triggerHead({ name, table, on, columns, when }: Trigger): string {
  const of = columns ? ` of ${columns.join(', ')}` : ''
  return `create trigger ${name} after ${on}${of} on ${table} for each row${when ? ` when (${when})` : ''}`
}

export const sqlite: Dialect = {
  name: 'sqlite',
  id: 'integer',
  text: 'text',
  instant: 'integer',
  real: 'real',
  numbered: (table) => table.addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement().notNull()),
  // Strict: a text never lands in a number's column, as on every other engine.
  finish: (table, { isClustered = false } = {}) =>
    table.modifyEnd(isClustered ? sql`strict, without rowid` : sql`strict`),
  // A transaction of the writing handle takes the file's only write lock as it begins.
  takeTurn: async () => {},
  containsText: (column, needle) => sql<SqlBool>`instr(${column}, ${needle}) > 0`,
  isAmong: (column, ids) => sql<SqlBool>`${column} in (select value from json_each(${JSON.stringify(ids)}))`,
  least: (one, other) => sql<number>`min(${one}, ${other})`,
  dropTables: async (tx, tables) => {
    // What follows from a table that goes must not look for one that is gone.
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'trigger' and tbl_name in (${sql.join([...tables])})`.execute(tx)
    for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(tx)
    for (const table of tables) await tx.schema.dropTable(table).ifExists().execute()
  },
  createTrigger: async (db, trigger) => {
    await sql.raw(`${triggerHead(trigger)} begin ${trigger.statement}; end`).execute(db)
  },
  dropTrigger: async (db, { name }) => {
    await sql`drop trigger ${sql.id(name)}`.execute(db)
  },
  jsonObject: 'json_object',
  appendOnly: async (db, table, mayGo) => {
    const refuse = (name: string, event: string, when: string) =>
      sql
        .raw(
          `create trigger ${table}_${name} before ${event} on ${table} for each row when ${when}
            begin select raise(abort, '${onlyAppended(table)}'); end`,
        )
        .execute(db)
    await refuse('unchanged', 'update', 'true')
    await refuse('kept', 'delete', `not ${mayGo}`)
    // What an insert puts in the place of a row is not removed by any delete.
    await refuse('not_replaced', 'insert', `exists (select 1 from ${table} where id = new.id)`)
  },
}

const onlyAppended = (table: string) => `Rows of ${table} are neither changed nor removed.`

/** Any number, but the same one in all processes: they write to a database one after the other. */
const turn = 4_207_849_301

export const postgres: Dialect = {
  name: 'postgres',
  id: 'bigint',
  // Other collations sort as people do, and differ by server.
  text: sql<string>`text collate "C"`,
  instant: 'bigint',
  real: 'double precision',
  numbered: (table) =>
    table.addColumn('id', 'bigint', (column) => column.generatedByDefaultAsIdentity().primaryKey().notNull()),
  finish: (table) => table,
  takeTurn: async (tx) => {
    await sql`select pg_advisory_xact_lock(${sql.lit(turn)})`.execute(tx)
  },
  // Not strpos: an index of pieces is asked only by patterns.
  containsText: (column, needle) => sql<SqlBool>`${column} like ${`%${needle.replace(/[\\%_]/g, '\\$&')}%`}`,
  isAmong: (column, ids) => sql<SqlBool>`${column} = any(${[...ids]}::bigint[])`,
  least: (one, other) => sql<number>`least(${one}, ${other})`,
  dropTables: async (tx, tables) => {
    const { rows } = await sql<{ name: string }>`
      select distinct tgfoid::regprocedure::text as name
      from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = current_schema()::regnamespace
        and relname in (${sql.join([...tables])})`.execute(tx)
    await sql`drop table if exists ${sql.join(tables.map((table) => sql.table(table)))} cascade`.execute(tx)
    for (const { name } of rows) await sql.raw(`drop function ${name}`).execute(tx)
  },
  createTrigger: async (db, trigger) => {
    const body = `begin ${trigger.statement}; return null; end`
    await sql.raw(`create function ${trigger.name}() returns trigger language plpgsql as $$ ${body} $$`).execute(db)
    await sql.raw(`${triggerHead(trigger)} execute function ${trigger.name}()`).execute(db)
  },
  dropTrigger: async (db, { name, table }) => {
    await sql`drop trigger ${sql.id(name)} on ${sql.table(table)}`.execute(db)
    await sql`drop function ${sql.id(name)}()`.execute(db)
  },
  jsonObject: 'json_build_object',
  appendOnly: async (db, table, mayGo) => {
    const refusal = `raise exception '${onlyAppended(table)}'`
    for (const [name, event, body] of [
      ['unchanged', 'update', `${refusal};`],
      ['kept', 'delete', `if not ${mayGo} then ${refusal}; end if; return old;`],
      ['not_emptied', 'truncate', `${refusal};`],
    ]) {
      const each = event === 'truncate' ? 'statement' : 'row'
      await sql
        .raw(`create function ${table}_${name}() returns trigger language plpgsql as $$ begin ${body} end $$`)
        .execute(db)
      await sql
        .raw(
          `create trigger ${table}_${name} before ${event} on ${table} for each ${each}
            execute function ${table}_${name}()`,
        )
        .execute(db)
    }
  },
}
