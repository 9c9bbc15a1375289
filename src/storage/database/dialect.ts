import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { giveWay } from '../../base/concurrency/turns.ts'
import { unread } from './postgres/pipeline.ts'
import type { ColumnType } from './schema/table.ts'
import { bigintParameter, parameterOf } from './statements/sql.parameters.ts'
import type { Tx } from './tables.ts'

/** All differences between the SQL engines. Code outside this folder does not depend on the engine. */
export interface Dialect {
  readonly name: 'sqlite' | 'postgres'
  /** What the engine calls the types of columns. */
  readonly columnTypes: Readonly<Record<ColumnType, string>>
  /** The end of a `create table`. A clustered table keeps its rows in key order, if the engine supports it. */
  endOfTable(isClustered: boolean): string
  /**
   * Makes the open transaction the only one that writes until it ends. Must be its first statement.
   *
   * @param options `isAhead`: whether it travels with the next statement, if the connection allows that.
   */
  lockForWriting(tx: Tx, options?: { readonly isAhead?: boolean }): Promise<void>
  /** True if `column` contains `needle` literally. Both are already folded. `needle` is user text. */
  containsText(column: Expression<string>, needle: string): RawBuilder<SqlBool>
  /** The line of a text with this number, from 0. */
  lineOf(text: RawBuilder<unknown>, number: number): RawBuilder<string>
  /**
   * A table of those rows of `search_texts` in a range of places whose texts contain all of these, each of at least three
   * characters. The engine looks them up in its index of trigrams.
   */
  textsWith(
    contained: readonly string[],
    range: { readonly from: number; readonly to: number },
  ): RawBuilder<{ readonly place: number; readonly text: string }>
  /** Makes the index of trigrams small and quick again, if the engine does not do so by itself after very many changes. */
  mergeTrigrams(tx: Tx): Promise<void>
  /**
   * True if `column` is one of `ids`. Works for any number of ids, although engines limit the parameters of a
   * statement.
   */
  isAmong(column: Expression<number>, ids: readonly number[]): RawBuilder<SqlBool>
  /** The same for texts. */
  isAmongTexts(column: Expression<string>, texts: readonly string[]): RawBuilder<SqlBool>
  /** After the name of a table: the index by which to read it, if the engine does not choose it by itself. */
  readBy(index: string): RawBuilder<unknown>
  /** A table with the column `id` for each of `ids`. Works for any number of ids. */
  numbers(ids: readonly number[]): RawBuilder<{ readonly id: number }>
  /** A table with the column `value` for each of `rows`, as JSON. Its fields are read as `value ->> 'name'`. */
  jsonRows(rows: readonly object[]): RawBuilder<{ readonly value: string }>
  /** The bytes that a text writes in hexadecimal digits. */
  fromHex(text: RawBuilder<unknown>): RawBuilder<Uint8Array>
  /**
   * Runs statements that change different tables and return nothing. A server runs all of them in one round trip, on
   * the data as it is before them.
   */
  runTogether(tx: Tx, statements: readonly RawBuilder<unknown>[]): Promise<void>
  /**
   * Counts the content of tables that have just been filled, if the engine plans its reads by such counts. A server does it
   * by itself only when the transaction is over.
   */
  analyze(tx: Tx, tables: readonly string[]): Promise<void>
  /**
   * Limits a part of a union to its first rows, if the union is sorted in the same order and needs no more of them. SQLite reads
   * the parts in this order by itself and stops. A server would read all rows of all parts, and sort them.
   */
  firstRows<R>(
    part: RawBuilder<R>,
    first: { readonly order: RawBuilder<unknown>; readonly limit: number },
  ): RawBuilder<R>
  /** The lesser of two numbers. */
  least(one: Expression<number>, other: Expression<number>): RawBuilder<number>
  /** Drops the tables that exist, with their dependent objects. A table must not precede a table that it refers to. */
  dropTables(tx: Tx, tables: readonly string[]): Promise<void>
  /** The statements that make the engine run a statement after each such change of a row. */
  createTrigger(trigger: Trigger): readonly string[]
  /** SQL function that builds a JSON object from names and values. */
  readonly jsonObject: string
  /**
   * The statements that make the engine refuse changes and removals of rows. A removal is allowed only if `mayGo` holds for
   * `old`.
   */
  appendOnly(table: string, mayGo: string): readonly string[]
  /** The statements that make the engine index the trigrams of `search_texts`. */
  indexTrigrams(): readonly string[]
}

/**
 * A statement that runs after changes of a table's rows. It is SQL that both engines accept, with the rows `new` and
 * `old`.
 */
export interface Trigger {
  readonly name: string
  readonly table: string
  readonly on: 'insert' | 'delete' | 'update'
  /** Restricts updates to those that name one of these columns. */
  readonly columns?: readonly string[]
  /** Restricts the trigger to rows that meet this condition. */
  readonly when?: string
  readonly statement: string
}

function triggerHead({ name, table, on, columns, when }: Trigger): string {
  const of = columns ? ` of ${columns.join(', ')}` : ''
  return `create trigger ${name} after ${on}${of} on ${table} for each row${when ? ` when (${when})` : ''}`
}

export const sqlite: Dialect = {
  name: 'sqlite',
  columnTypes: {
    numbered: 'integer not null primary key autoincrement',
    ...{ id: 'integer', text: 'text', integer: 'integer', instant: 'integer', real: 'real' },
  },
  // Strict: a column of numbers never stores a text, as on every other engine.
  endOfTable: (isClustered) => (isClustered ? 'strict, without rowid' : 'strict'),
  // A transaction of the writing handle takes the file's only write lock when it begins.
  lockForWriting: async () => {},
  containsText: (column, needle) => sql<SqlBool>`instr(${column}, ${needle}) > 0`,
  // As a list in JSON, without backslashes of its own.
  lineOf: (text, number) =>
    sql`('[' || replace(replace(json_quote(${text}), '\\\\', '/'), '\\n', '","') || ']') ->> ${sql.lit(number)}`,
  textsWith: (contained, { from, to }) => {
    const isInRange = sql`between ${bigintParameter(from)} and ${bigintParameter(to)}`
    if (contained.length === 0) return sql`(select place, text from search_texts where place ${isInRange})`
    const match = contained.map((text) => `"${text.replaceAll('"', '""')}"`).join(' AND ')
    // With an uncast number, the index would be read from its beginning.
    return sql`(select rowid as place, text from search_trigrams
      where search_trigrams match ${match} and rowid ${isInRange})`
  },
  mergeTrigrams: async (tx) => {
    await sql`insert into search_trigrams (search_trigrams) values ('optimize')`.execute(tx)
  },
  isAmong: (column, ids) =>
    sql<SqlBool>`${column} in (select value from json_each(${parameterOf(ids, JSON.stringify)}))`,
  isAmongTexts: (column, texts) =>
    sql<SqlBool>`${column} in (select value from json_each(${parameterOf(texts, JSON.stringify)}))`,
  readBy: (index) => sql`indexed by ${sql.id(index)}`,
  numbers: (ids) => sql`(select value as id from json_each(${parameterOf(ids, JSON.stringify)}))`,
  jsonRows: (rows) => sql`(select value from json_each(${JSON.stringify(rows)}))`,
  fromHex: (text) => sql<Uint8Array>`unhex(${text})`,
  runTogether: async (tx, statements) => {
    for (const statement of statements) {
      await statement.execute(tx)
      await giveWay()
    }
  },
  // With counts, it would choose other indexes than in a calendar that grew slowly.
  analyze: async () => {},
  firstRows: (part) => part,
  least: (one, other) => sql<number>`min(${one}, ${other})`,
  dropTables: async (tx, tables) => {
    // Triggers of a dropped table must not refer to a table that is already gone.
    const { rows } = await sql<{ name: string }>`
      select name from sqlite_schema where type = 'trigger' and tbl_name in (${sql.join([...tables])})`.execute(tx)
    for (const { name } of rows) await sql`drop trigger ${sql.id(name)}`.execute(tx)
    for (const table of tables) await tx.schema.dropTable(table).ifExists().execute()
  },
  createTrigger: (trigger) => [`${triggerHead(trigger)} begin ${trigger.statement}; end`],
  jsonObject: 'json_object',
  appendOnly: (table, mayGo) => {
    const refuse = (name: string, event: string, when: string) =>
      `create trigger ${table}_${name} before ${event} on ${table} for each row when ${when}
        begin select raise(abort, '${onlyAppended(table)}'); end`
    return [
      refuse('unchanged', 'update', 'true'),
      refuse('kept', 'delete', `not ${mayGo}`),
      // A row that an insert replaces does not fire a delete trigger.
      refuse('not_replaced', 'insert', `exists (select 1 from ${table} where id = new.id)`),
    ]
  },
  indexTrigrams: () => {
    const add = 'insert into search_trigrams (rowid, text) values (new.place, new.text)'
    const remove = `insert into search_trigrams (search_trigrams, rowid, text) values ('delete', old.place, old.text)`
    return [
      `create virtual table search_trigrams using fts5 (text, content = 'search_texts', content_rowid = 'place',
        tokenize = 'trigram case_sensitive 1', columnsize = 0)`,
      // A search reads each segment of the index for each trigram. Few segments make it fast, at the price of more merges.
      "insert into search_trigrams (search_trigrams, rank) values ('automerge', 4)",
      ...(['insert', 'delete', 'update'] as const).flatMap((on) =>
        sqlite.createTrigger({
          ...{ name: `search_texts_${on}`, table: 'search_texts', on },
          statement: { insert: add, delete: remove, update: `${remove}; ${add}` }[on],
        }),
      ),
    ]
  },
}

const onlyAppended = (table: string) => `Rows of ${table} are neither changed nor removed.`

/** An arbitrary number, the same in all processes, so that they write to a database one after the other. */
const writeLockId = 4_207_849_301

export const postgres: Dialect = {
  name: 'postgres',
  columnTypes: {
    numbered: 'bigint not null generated by default as identity primary key',
    // Other collations sort by language rules and differ between servers.
    text: 'text collate "C"',
    ...{ id: 'bigint', integer: 'integer', instant: 'bigint', real: 'double precision' },
  },
  endOfTable: () => '',
  lockForWriting: async (tx, { isAhead = false } = {}) => {
    await sql`${sql.raw(isAhead ? unread : '')} select pg_advisory_xact_lock(${sql.lit(writeLockId)})`.execute(tx)
  },
  // Not strpos: a trigram index serves only patterns.
  containsText: (column, needle) => sql<SqlBool>`${column} like ${`%${needle.replace(/[\\%_]/g, '\\$&')}%`}`,
  lineOf: (text, number) => sql`split_part(${text}, chr(10), ${sql.lit(number + 1)})`,
  textsWith: (contained, { from, to }) => {
    const contains = contained.map((text) => sql` and ${postgres.containsText(sql.ref('text'), text)}`)
    return sql`(select place, text from search_texts where place between ${bigintParameter(from)} and ${bigintParameter(to)}
      ${sql.join([sql``, ...contains], sql``)})`
  },
  mergeTrigrams: async () => {},
  isAmong: (column, ids) => sql<SqlBool>`${column} = any(${parameterOf(ids, (some) => [...some])}::bigint[])`,
  isAmongTexts: (column, texts) => sql<SqlBool>`${column} = any(${parameterOf(texts, (some) => [...some])}::text[])`,
  readBy: () => sql``,
  numbers: (ids) => sql`(select unnest(${parameterOf(ids, (some) => [...some])}::bigint[]) as id)`,
  jsonRows: (rows) => sql`(select value from jsonb_array_elements(${JSON.stringify(rows)}::jsonb))`,
  fromHex: (text) => sql<Uint8Array>`decode(${text}, 'hex')`,
  runTogether: async (tx, statements) => {
    if (statements.length === 0) return
    const parts = statements.map((statement, place) => sql`${sql.id(`part_${place}`)} as (${statement})`)
    await sql`${sql.raw(unread)} with ${sql.join(parts)} select 1`.execute(tx)
  },
  analyze: async (tx, tables) => {
    await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx)
  },
  firstRows: (part, { order, limit }) => sql`(${part} order by ${order} limit ${bigintParameter(limit)})`,
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
  createTrigger: (trigger) => {
    const { name, statement } = trigger
    return [
      `create function ${name}() returns trigger language plpgsql as $$ begin ${statement}; return null; end $$`,
      `${triggerHead(trigger)} execute function ${name}()`,
    ]
  },
  jsonObject: 'json_build_object',
  appendOnly: (table, mayGo) => {
    const refusal = `raise exception '${onlyAppended(table)}'`
    const refuse = (name: string, event: string, body: string) => [
      `create function ${table}_${name}() returns trigger language plpgsql as $$ begin ${body} end $$`,
      `create trigger ${table}_${name} before ${event} on ${table}
        for each ${event === 'truncate' ? 'statement' : 'row'} execute function ${table}_${name}()`,
    ]
    return [
      ...refuse('unchanged', 'update', `${refusal};`),
      ...refuse('kept', 'delete', `if not ${mayGo} then ${refusal}; end if; return old;`),
      ...refuse('not_emptied', 'truncate', `${refusal};`),
    ]
  },
  // Some servers lack the extension, or do not let every user create it. Searches then take longer and have the same
  // results.
  indexTrigrams: () => [
    `do $$ begin
      create extension if not exists pg_trgm;
      create index search_texts_trigrams on search_texts using gin (text gin_trgm_ops);
    exception when others then
      raise notice 'Texts are not indexed for search: %', sqlerrm;
    end $$`,
  ],
}
