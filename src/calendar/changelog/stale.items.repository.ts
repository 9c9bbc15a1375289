import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Derivation } from '../../storage/database/derivation.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { loggedColumn, logStatements } from './change.log.repository.ts'
import {
  type ChangeKind,
  digestedVersion,
  type LoggedItem,
  newChangeOf,
  type PublicItem,
  type TouchedItem,
} from './change.log.ts'
import { isSeriesPublic, seriesVersionColumn } from './series.version.repository.ts'

/** A note about an item that changed. A branch is a category whose place in the tree or slug changed. */
type StaleKind = ChangeKind | 'branch'

interface StaleRow {
  readonly kind: StaleKind
  readonly item_id: number
  /** JSON. Null if visitors may not see the item. */
  readonly shown: string | PublicItem | null
  readonly logged: string | LoggedItem | null
}

const itemsAtOnce = 1000

/** Transactions in which it is known that no notes wait. */
const withoutNotes = new WeakSet<Tx>()

/**
 * Returns SQL of whether notes about other items than changed events wait, as a flag. It looks at no more notes than
 * this: if fewer events wait, and only these have notes, it has seen all of them. Otherwise it may return 1.
 */
export const hasOtherNotes = (most: number) => `case when exists (
    select 1 from (select kind, item_id from stale_items limit ${most}) waiting where waiting.kind <> 'event'
      or not exists (select 1 from stale_events where event_id = waiting.item_id)) then 1 else 0 end`

/** Says that no notes wait, so that they are not looked for at the end of the transaction. */
export function skipItems(tx: Tx): void {
  withoutNotes.add(tx)
}

/** Writes the rows of some events in the log. */
type LogEvents = (tx: Tx, dialect: Dialect, ids: readonly number[]) => Promise<void>

/**
 * The rows of venues, organizers, terms and series in the log of public changes. Those of events are written with the event
 * index, which has read the events already, except if a change does not concern the event index.
 */
export function itemChanges(now: () => number, logEvents: LogEvents): Derivation {
  return {
    name: 'changes',
    tables: ['changes', 'change_log', 'stale_items'],
    refresh: async (tx, dialect) => {
      if (withoutNotes.delete(tx)) return
      for (;;) {
        const rows = await staleItems(tx, {})
        if (rows.length === 0) return
        const branches = rows.flatMap(({ kind, item_id }) => (kind === 'branch' ? [item_id] : []))
        if (branches.length > 0) {
          await noteDescendants(tx, dialect, branches)
          continue
        }
        const events = rows.flatMap(({ kind, item_id }) => (kind === 'event' ? [item_id] : []))
        if (events.length > 0) await logEvents(tx, dialect, events)
        const others = rows.filter(({ kind }) => kind !== 'event')
        const changes = others.flatMap((row) => newChangeOf(touchedFrom(row)) ?? [])
        await dialect.runTogether(tx, [...logStatements(dialect, changes, now()), removeNotes(dialect, rows)])
        if (rows.length < itemsAtOnce) return
      }
    },
  }
}

function shownColumn(dialect: Dialect): string {
  const { jsonObject } = dialect
  const object = (version: string, table: string) =>
    `${jsonObject}('version', ${version}, 'language', ${table}.language)`
  return `case when stale.kind in ('venue', 'organizer') then
      (select ${object('cast(records.change_count as text)', 'records')} from records
        where records.id = stale.item_id and records.kind = stale.kind and records.status = 'publish')
    when stale.kind = 'series' then
      (select ${object(seriesVersionColumn(dialect), 'records')} from records
        join events on events.record_id = records.id where records.id = stale.item_id and ${isSeriesPublic})
    else
      (select ${object(`cast(terms.change_count as text) || ' ' || cast(terms.event_count as text)`, 'terms')} from terms
        where terms.id = stale.item_id and terms.taxonomy = stale.kind and terms.introduced_by is null)
    end as shown`
}

const staleItems = compiledStatement<object, StaleRow>(
  (_given, dialect) => sql<StaleRow>`
    select stale.kind, stale.item_id, ${sql.raw(shownColumn(dialect))},
      ${loggedColumn(dialect, 'stale.kind', 'stale.item_id')} as logged
    from (select kind, item_id from stale_items order by kind, item_id limit ${sql.lit(itemsAtOnce)}) stale
    order by stale.kind, stale.item_id`,
)

function touchedFrom({ kind, item_id: id, shown: given, logged }: StaleRow): TouchedItem {
  const shown = parsed(given)
  const isLong = kind === 'series' && shown !== undefined
  return {
    ...{ kind: kind as ChangeKind, id, logged: parsed(logged) },
    shown: isLong ? { ...shown, version: digestedVersion(shown.version) } : shown,
  }
}

/** PostgreSQL returns JSON as values, SQLite as text. */
function parsed<T>(json: string | T | null): T | undefined {
  return typeof json === 'string' ? (JSON.parse(json) as T) : (json ?? undefined)
}

function removeNotes(dialect: Dialect, rows: readonly StaleRow[]): RawBuilder<unknown> {
  const ofKinds = [...Map.groupBy(rows, (row) => row.kind)].map(([kind, some]) => {
    const ids = some.map(({ item_id }) => item_id)
    return sql<SqlBool>`(kind = ${kind} and ${dialect.isAmong(sql.ref('item_id'), ids)})`
  })
  return sql`delete from stale_items where ${sql.join(ofKinds, sql` or `)}`
}

/** The page of a category has the slugs of its ancestors in its address. */
async function noteDescendants(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    with recursive branch (id) as (
      select id from terms where ${dialect.isAmong(sql.ref('id'), ids)}
      union select terms.id from terms join branch on terms.parent_id = branch.id
    ) select id from branch`.execute(tx)
  const all = rows.map(({ id }) => id)
  await sql`update changes set version = ''
    where kind = 'category' and is_deleted = 0 and ${dialect.isAmong(sql.ref('item_id'), all)}`.execute(tx)
  await sql`insert into stale_items (kind, item_id) select 'category', id from ${dialect.numbers(all)} given where true
    on conflict (kind, item_id) do nothing`.execute(tx)
  await sql`delete from stale_items where kind = 'branch' and ${dialect.isAmong(sql.ref('item_id'), ids)}`.execute(tx)
}

/** Returns the items whose row in the log is missing or wrong, as text. For checks. */
export async function listWrongChanges(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ kind: string; id: number }>`
    select kind, id from (
      select records.kind as kind, records.id as id from records left join events on events.record_id = records.id
        where records.status = 'publish' and records.kind in ('event', 'venue', 'organizer')
          and (records.kind <> 'event' or events.is_hidden = 0)
      union all select taxonomy, id from terms where introduced_by is null
      union all select 'series', records.id from records join events on events.record_id = records.id
        where ${sql.raw(isSeriesPublic)}
    ) shown where not exists (
      select 1 from changes where item_id = shown.id and kind = shown.kind and is_deleted = 0)
    union all
    select kind, item_id from changes where is_deleted = 0 and not exists (
      select 1 from records left join events on events.record_id = records.id
        where records.id = changes.item_id and records.kind = changes.kind and records.status = 'publish'
          and (records.kind <> 'event' or events.is_hidden = 0)
    ) and not exists (
      select 1 from records join events on events.record_id = records.id
        where records.id = changes.item_id and changes.kind = 'series' and ${sql.raw(isSeriesPublic)}
    ) and not exists (
      select 1 from terms where terms.id = changes.item_id and taxonomy = changes.kind and introduced_by is null)
    order by kind, id`.execute(db)
  return rows.map(({ kind, id }) => `${kind} ${id}`)
}
