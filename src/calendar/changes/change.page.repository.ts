import { type RawBuilder, sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { CHANGE_KINDS, type ChangeKind } from '../changelog/change.log.ts'
import { FACETS } from '../index/event.index.ts'
import { LINKED_KINDS, type LinkedKind } from './change.page.ts'

/** A row of the log of public changes. */
export interface ChangeRow {
  readonly number: number
  readonly kind: ChangeKind
  readonly item_id: number
  readonly is_deleted: 0 | 1
  readonly at: number
  readonly language: string
}

/** A part of the log. */
interface RangeOfChanges {
  readonly kinds: readonly ChangeKind[]
  /** The number of the first row, or of one before it. */
  readonly from: number
  readonly limit: number
}

const columns = sql.raw('number, kind, item_id, is_deleted, at, language')

/** Returns rows of these kinds in the order of the log. Reads no rows of other kinds. */
export async function listChanges(db: Db, { kinds, from, limit }: RangeOfChanges): Promise<readonly ChangeRow[]> {
  const ordered = sql`order by number limit ${sql.lit(limit)}`
  if (kinds.length === CHANGE_KINDS.length) {
    const { rows } = await sql<ChangeRow>`select ${columns} from changes where number >= ${from} ${ordered}`.execute(db)
    return rows
  }
  const parts = kinds.map(
    (kind) => sql`select * from (
      select ${columns} from changes where kind = ${kind} and number >= ${from} ${ordered}) of_kind`,
  )
  const { rows } = await sql<ChangeRow>`
    select * from (${sql.join(parts, sql` union all `)}) found ${ordered}`.execute(db)
  return rows
}

/** An event that shows a venue, an organizer or a series whose row has this number. */
export interface LinkedChange {
  readonly number: number
  readonly event_id: number
  readonly language: string
}

/** An item that events show and that changed, and the event after which its events are read. */
export interface ChangedEntry {
  readonly number: number
  readonly id: number
  readonly kind: LinkedKind
  readonly after: number
}

/**
 * Returns the public events that show these items, in the order of their numbers and then of events. A password hides
 * venues, organizers and the rules of series, so protected events are left out.
 */
export async function listLinkedChanges(
  db: Db,
  dialect: Dialect,
  { entries, limit }: { readonly entries: readonly ChangedEntry[]; readonly limit: number },
): Promise<readonly LinkedChange[]> {
  const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  const parts = LINKED_KINDS.flatMap((kind) => {
    const some = entries.filter((entry) => entry.kind === kind)
    if (some.length === 0) return []
    const given = sql`(select ${number('number')} as number, ${number('id')} as id, ${number('after')} as after_id
      from ${dialect.jsonRows(some)} given) entry`
    if (kind === 'series') return [datesOfTemplates(given)]
    const link = sql.table(`event_${kind}s`)
    const target = sql.ref(`link.${kind}_id`)
    // A link names one version and means all of them.
    return [
      sql`select entry.number, entry.after_id, link.event_id from ${given} join ${link} link on ${target} = entry.id`,
      sql`select entry.number, entry.after_id, link.event_id from ${given} join records own on own.id = entry.id
        join records version on version.group_id = own.group_id join ${link} link on ${target} = version.id`,
    ]
  })
  if (parts.length === 0) return []
  const { rows } = await sql<LinkedChange>`
    select linked.number, linked.event_id, changes.language
    from (${sql.join(parts, sql` union `)}) linked
      join changes on changes.item_id = linked.event_id and changes.kind = 'event' and changes.is_deleted = 0
      join records on records.id = linked.event_id and records.password is null
    where linked.event_id > linked.after_id
    order by linked.number, linked.event_id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** Returns the dates of changed templates: those in the same language, and those whose language has no public template. */
function datesOfTemplates(given: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select entry.number, entry.after_id, date.event_id from ${given} join records own on own.id = entry.id
    join occurrences date on date.series_id = coalesce(own.group_id, own.id)
    where date.language = own.language or not exists (
      select 1 from records version
        join changes shown on shown.item_id = version.id and shown.kind = 'series' and shown.is_deleted = 0
      where version.group_id = own.group_id and version.language = date.language)`
}

/** What the event index has of an event. */
export interface IndexedFacets {
  readonly isProtected: boolean
  /** The numbers of its facets, as texts: they are only compared. */
  readonly facets: readonly string[]
}

/** Returns what the event index has of these events, by id. */
export async function listEventFacets(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<ReadonlyMap<number, IndexedFacets>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ event_id: number; is_protected: Flag; facets: string }>`
    select event_id, is_protected, facets from listed_events where ${dialect.isAmong(sql.ref('event_id'), ids)}`.execute(
    db,
  )
  return new Map(
    rows.map((row) => [row.event_id, { isProtected: row.is_protected === 1, facets: row.facets.split(',') }]),
  )
}

/**
 * Returns how many events of the feed show each of these venues and organizers, by their groups of translations. A
 * password hides venues and organizers, so protected events do not count. Runs at most one query.
 */
export async function countEventsOfEntries(db: Db, groupIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map()
  const groupByFacet = new Map(groupIds.map((id) => [FACETS.place(id), id]))
  const rows = await publicNumbers(db, { facets: [...groupByFacet.keys()] })
  return new Map(rows.map(({ facet, number }) => [groupByFacet.get(Number(facet)) ?? 0, Number(number)]))
}

const publicNumbers = compiledStatement<
  { readonly facets: readonly number[] },
  { readonly facet: number; readonly number: number }
>(
  ({ facets }, dialect) => sql`
    select facet, count(*) as number from event_facets join listed_events entry on entry.place = event_facets.place
    where ${dialect.isAmong(sql.ref('facet'), facets)} and status = 'publish' and is_protected = 0 and is_hidden = 0
    group by facet`,
)
