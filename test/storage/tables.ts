import { sql } from 'kysely'
import type { Db } from '../../src/storage/database/tables.ts'

/** The description of a table, in the same terms for both engines. */
export interface Table {
  readonly columns: Readonly<
    Record<string, { readonly kind: string; readonly isNullable: boolean; readonly byDefault: string }>
  >
  readonly key: readonly string[]
  /** Columns of each unique constraint, joined by commas. */
  readonly unique: readonly string[]
  readonly references: readonly { readonly columns: string; readonly to: string; readonly onDelete: string }[]
  readonly indexes: readonly { readonly name: string; readonly columns: string; readonly where: string }[]
}

type Tables = Readonly<Record<string, Table>>

const kinds: Readonly<Record<string, string>> = {
  integer: 'whole',
  bigint: 'whole',
  blob: 'bytes',
  bytea: 'bytes',
  text: 'text',
  real: 'real',
  'double precision': 'real',
}

/** A condition without the differences in how engines write it. */
function condition(text: string | null | undefined): string {
  return (text ?? '')
    .replaceAll(/::text|["()]/g, '')
    .replaceAll('<>', '!=')
    .toLowerCase()
    .trim()
}

function byText<T>(items: readonly T[]): readonly T[] {
  return [...items].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

export async function tablesOfSqlite(db: Db): Promise<Tables> {
  const names = await sql<{ name: string }>`select name from pragma_table_list where schema = 'main' and type = 'table'
    and name not like 'sqlite%' and name not like 'kysely%' order by name`.execute(db)
  const tables: [string, Table][] = []
  for (const { name } of names.rows) tables.push([name, await tableOfSqlite(db, name)])
  return Object.fromEntries(tables)
}

async function tableOfSqlite(db: Db, table: string): Promise<Table> {
  const columns = await sql<{ name: string; type: string; notnull: number; pk: number; dflt_value: string | null }>`
    select * from pragma_table_info(${table})`.execute(db)
  const indexes = await sql<{ name: string; origin: string; isUnique: number; columns: string; source: string | null }>`
    select list.name, list.origin, list."unique" as "isUnique", schema.sql as source,
      (select group_concat(name) from (select name from pragma_index_info(list.name) order by seqno)) as columns
    from pragma_index_list(${table}) list left join sqlite_schema schema on schema.name = list.name`.execute(db)
  const references = await sql<{ columns: string; to: string; onDelete: string }>`
    select "from" as columns, "table" || '.' || "to" as "to", lower(on_delete) as "onDelete"
    from pragma_foreign_key_list(${table})`.execute(db)
  return {
    columns: Object.fromEntries(
      columns.rows.map(({ name, type, notnull, dflt_value }) => [
        name,
        { kind: kinds[type.toLowerCase()] ?? type, isNullable: notnull === 0, byDefault: dflt_value ?? '' },
      ]),
    ),
    key: columns.rows
      .filter(({ pk }) => pk > 0)
      .sort((a, b) => a.pk - b.pk)
      .map(({ name }) => name),
    unique: byText(
      indexes.rows.filter(({ origin, isUnique }) => origin !== 'pk' && isUnique).map((index) => index.columns),
    ),
    references: byText(references.rows),
    indexes: byText(
      indexes.rows
        .filter(({ isUnique }) => !isUnique)
        .map((index) => ({
          name: index.name,
          columns: expressionsIn(index.source) ?? index.columns,
          where: condition(/ where (.*)$/is.exec(index.source ?? '')?.[1]),
        })),
    ),
  }
}

/** Returns the columns of an index that also has expressions, which SQLite does not list. */
function expressionsIn(source: string | null): string | undefined {
  const [, columns = ''] = /\son\s+\w+\s*\((.*?)\)(?:\s+where\b|$)/is.exec(source ?? '') ?? []
  return columns.includes('(') ? columns.replace(/,\s+/g, ',').replace(/\s+/g, ' ') : undefined
}

export async function tablesOfPostgres(db: Db): Promise<Tables> {
  const columns = await sql<{ table: string; name: string; type: string; isNullable: boolean; byDefault: string }>`
    select table_name as "table", column_name as name, data_type as type, is_nullable = 'YES' as "isNullable",
      coalesce(replace(column_default, '::text', ''), '') as "byDefault"
    from information_schema.columns where table_schema = current_schema() and table_name not like 'kysely%'
      and table_name not in (select relname from pg_class where relispartition)
    order by table_name, ordinal_position`.execute(db)
  const indexes = await sql<{ table: string; name: string; role: string; columns: string; where: string | null }>`
    select owner.relname as "table", index.relname as name, pg_get_expr(i.indpred, i.indrelid) as "where",
      case when i.indisprimary then 'key' when i.indisunique then 'unique' else 'plain' end as role,
      (select string_agg(pg_get_indexdef(i.indexrelid, place, false), ',' order by place)
        from generate_series(1, i.indnkeyatts) place) as columns
    from pg_index i join pg_class owner on owner.oid = i.indrelid join pg_class index on index.oid = i.indexrelid
      join pg_am method on method.oid = index.relam
    where owner.relnamespace = current_schema()::regnamespace`.execute(db)
  const references = await sql<{ table: string; columns: string; to: string; onDelete: string }>`
    select owner.relname as "table", own.attname as columns, target.relname || '.' || other.attname as "to",
      case c.confdeltype when 'a' then 'no action' when 'c' then 'cascade' when 'n' then 'set null' end as "onDelete"
    from pg_constraint c join pg_class owner on owner.oid = c.conrelid join pg_class target on target.oid = c.confrelid
      join pg_attribute own on own.attrelid = c.conrelid and own.attnum = any(c.conkey)
      join pg_attribute other on other.attrelid = c.confrelid and other.attnum = any(c.confkey)
    where c.contype = 'f' and c.connamespace = current_schema()::regnamespace`.execute(db)
  const names = [...new Set(columns.rows.map(({ table }) => table))]
  return Object.fromEntries(
    names.map((table): [string, Table] => {
      const own = indexes.rows.filter((index) => index.table === table)
      return [
        table,
        {
          columns: Object.fromEntries(
            columns.rows
              .filter((column) => column.table === table)
              .map(({ name, type, isNullable, byDefault }) => [
                name,
                { kind: kinds[type] ?? type, isNullable, byDefault },
              ]),
          ),
          key: own.find(({ role }) => role === 'key')?.columns.split(',') ?? [],
          unique: byText(own.filter(({ role }) => role === 'unique').map((index) => index.columns.replaceAll('"', ''))),
          references: byText(
            references.rows
              .filter((reference) => reference.table === table)
              .map(({ columns, to, onDelete }) => ({ columns, to, onDelete })),
          ),
          indexes: byText(
            own
              .filter(({ role }) => role === 'plain')
              .map(({ name, columns, where }) => ({
                name,
                columns: columns.replaceAll('::text', '').replace(/,\s+/g, ','),
                where: condition(where),
              })),
          ),
        },
      ]
    }),
  )
}

/** Returns what each trigger does, by its name. */
export async function triggersOf(db: Db, engine: 'sqlite' | 'postgres'): Promise<Readonly<Record<string, string>>> {
  const { rows } = await (engine === 'sqlite'
    ? sql<{
        name: string
        text: string
      }>`select name, sql as text from sqlite_schema where type = 'trigger' order by name`
    : sql<{ name: string; text: string }>`select tgname as name,
        pg_get_triggerdef(oid) || pg_get_functiondef(tgfoid) as text
        from pg_trigger where not tgisinternal order by tgname`
  ).execute(db)
  return Object.fromEntries(rows.map(({ name, text }) => [name, inAnyOrder(text.replaceAll(/\s+/g, ' '))]))
}

/** The columns of an update, and the members of JSON, follow the order of the columns, which says nothing. */
function inAnyOrder(text: string): string {
  return text
    .replace(/(?<=update of )(.*?)(?= on )/i, (list) => list.split(', ').sort().join(', '))
    .replaceAll(/(?<=json_(?:build_)?object\()[^()]*/g, (list) =>
      [...list.matchAll(/'\w+', [^,]*/g)].map(String).sort().join(', '),
    )
}
