import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { type ChangeLogState, formatHead, type NewChange } from './change.log.ts'

/**
 * Returns a subquery for what the log has of an item: JSON of a `LoggedItem`, or null.
 *
 * @param kind The kind as SQL.
 * @param id The column with the id of the item.
 */
export function loggedColumn({ jsonObject }: Dialect, kind: string, id: string): RawBuilder<unknown> {
  return sql.raw(`(select ${jsonObject}('is_deleted', is_deleted, 'version', version, 'language', language)
    from changes where item_id = ${id} and kind = ${kind})`)
}

/**
 * Returns the statements that give these items new rows, with the next numbers in this order. An item has one row, so
 * the new one replaces the old one.
 */
export function logStatements(
  dialect: Dialect,
  changes: readonly NewChange[],
  at: number,
): readonly RawBuilder<unknown>[] {
  if (changes.length === 0) return []
  const rows = changes.map((change, place) => ({ ...change, place: place + 1 }))
  const text = (name: string) => sql.raw(`value ->> '${name}'`)
  const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  return [
    sql`insert into changes (number, kind, item_id, is_deleted, at, language, version)
      select change_log.last + ${number('place')}, ${text('kind')}, ${number('id')},
        cast(value ->> 'is_deleted' as integer), ${sql.lit(at)}, ${text('language')}, ${text('version')}
      from ${dialect.jsonRows(rows)} given, change_log where true
      on conflict (item_id, kind) do update set number = excluded.number, is_deleted = excluded.is_deleted,
        at = excluded.at, language = excluded.language, version = excluded.version`,
    sql`update change_log set last = last + ${sql.lit(rows.length)}`,
  ]
}

const stateRows = compiledStatement<object, ChangeLogState>(
  () => sql<ChangeLogState>`select epoch, last, floor from change_log`,
)

export async function readChangeLog(db: Db): Promise<ChangeLogState> {
  const [state] = await stateRows(db, {})
  if (!state) throw new Error('The log of changes has no state.')
  return state
}

/**
 * Returns the header of a list from which a client that reads the whole list can continue with the feed of changes. Read it
 * before the list, so that no change is missed.
 */
export async function changesCursorHeader(db: Db): Promise<Readonly<Record<'X-Changes-Cursor', string>>> {
  return { 'X-Changes-Cursor': formatHead(await readChangeLog(db)) }
}

/** Whether the log has tombstones from before this second. Costs one index lookup. */
export async function hasTombstoneBefore(db: Db, at: number): Promise<boolean> {
  const { rows } = await sql`select 1 from changes where is_deleted = 1 and at < ${at} limit 1`.execute(db)
  return rows.length > 0
}

/** Removes the oldest tombstones from before this second, and raises the floor. @returns how many were removed. */
export async function removeTombstonesBefore(tx: Tx, at: number, limit: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`delete from changes where number in (
      select number from changes where is_deleted = 1 and at < ${at} order by at, number limit ${sql.lit(limit)})
    returning number`.execute(tx)
  const highest = rows.reduce((most, { number }) => Math.max(most, Number(number)), 0)
  if (rows.length > 0) {
    await sql`update change_log set floor = ${highest} where floor < ${highest}`.execute(tx)
  }
  return rows.length
}
