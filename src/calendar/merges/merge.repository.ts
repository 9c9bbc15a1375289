import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, MergedKind, TermRow, Tx } from '../../storage/database/tables.ts'

/** The table of the links of events. Those of terms have no order. */
const links = {
  venue: { table: sql.table('event_venues'), column: sql.ref<number>('venue_id'), isOrdered: true },
  organizer: { table: sql.table('event_organizers'), column: sql.ref<number>('organizer_id'), isOrdered: true },
  category: { table: sql.table('event_terms'), column: sql.ref<number>('term_id'), isOrdered: false },
  tag: { table: sql.table('event_terms'), column: sql.ref<number>('term_id'), isOrdered: false },
} as const satisfies Readonly<Record<MergedKind, object>>

/** Returns how many events, in any state, have one of these. */
export async function countLinkedEvents(db: Db, kind: MergedKind, ids: readonly number[]): Promise<number> {
  const { table, column } = links[kind]
  const { rows } = await sql<{ number: number }>`select count(distinct event_id) as number from ${table}
    where ${dialectOf(db).isAmong(column, ids)}`.execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** Links of events in their order, by event. */
type LinksByEvent = ReadonlyMap<number, readonly number[]>

/** Returns all links of the events that have one of these. Runs one query. */
export async function listLinksOfEventsWith(db: Db, kind: MergedKind, ids: readonly number[]): Promise<LinksByEvent> {
  const { table, column } = links[kind]
  const { isAmong } = dialectOf(db)
  return linksWhere(db, kind, sql`event_id in (select event_id from ${table} where ${isAmong(column, ids)})`)
}

/** Returns the links of these events. Runs one query. */
export async function listLinksOf(db: Db, kind: MergedKind, eventIds: readonly number[]): Promise<LinksByEvent> {
  return linksWhere(db, kind, dialectOf(db).isAmong(sql.ref('event_id'), eventIds))
}

async function linksWhere(db: Db, kind: MergedKind, where: RawBuilder<unknown>): Promise<LinksByEvent> {
  const { table, column, isOrdered } = links[kind]
  const { rows } = await sql<{ event_id: number; id: number }>`select event_id, ${column} as id from ${table}
    where ${where} order by event_id, ${isOrdered ? sql`position, ` : sql``}id`.execute(db)
  const byEvent = Map.groupBy(rows, (row) => row.event_id)
  return new Map([...byEvent].map(([eventId, some]) => [eventId, some.map(({ id }) => id)]))
}

/** Replaces the links of events. Runs two statements, and one more for many rows. */
export async function replaceLinks(
  tx: Tx,
  kind: MergedKind,
  changes: readonly { readonly id: number; readonly links: readonly number[] }[],
): Promise<void> {
  if (changes.length === 0) return
  const { table, column, isOrdered } = links[kind]
  const { isAmong, jsonRows } = dialectOf(tx)
  const eventIds = changes.map(({ id }) => id)
  await sql`delete from ${table} where ${isAmong(sql.ref('event_id'), eventIds)}`.execute(tx)
  const rows = changes.flatMap(({ id, links: ids }) => ids.map((linked, place) => ({ e: id, i: linked, p: place })))
  if (rows.length === 0) return
  const number = (name: string) => sql`cast(value ->> ${sql.lit(name)} as bigint)`
  const [position, place] = isOrdered ? [sql`, position`, sql`, ${number('p')}`] : [sql``, sql``]
  await sql`insert into ${table} (event_id, ${column}${position})
    select ${number('e')}, ${number('i')}${place} from ${jsonRows(rows)} given`.execute(tx)
}

/** Returns how many events outside the trash have one of these terms. Translations of an event count as one. */
export async function countEventsWithTerms(db: Db, ids: readonly number[]): Promise<number> {
  // SQLite keeps the order of the tables with “cross join”. Otherwise it would read all events.
  const { rows } = await sql<{ number: number }>`
    select count(distinct coalesce(records.group_id, records.id)) as number
    from event_terms cross join records
    where records.id = event_terms.event_id and ${dialectOf(db).isAmong(sql.ref('event_terms.term_id'), ids)}
      and records.kind = 'event' and records.status <> 'trash'`.execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** Returns the categories right below these, with their languages. */
export async function listChildren(db: Db, ids: readonly number[]) {
  const rows = await db
    .selectFrom('terms')
    .select(['id', 'language', 'group_id', 'parent_id'])
    .where(dialectOf(db).isAmong(sql.ref('parent_id'), ids))
    .orderBy('id')
    .execute()
  return rows.map(({ id, language, group_id, parent_id }) => ({
    ...{ id, language, groupId: group_id ?? id, parentId: parent_id },
  }))
}

/** Gives categories their parents of before or after a merge. Runs one statement. */
export async function moveChildren<T extends 'before' | 'after'>(
  tx: Tx,
  children: readonly ({ readonly id: number } & Readonly<Record<T, number>>)[],
  time: T,
): Promise<void> {
  if (children.length === 0) return
  const rows = children.map((child) => ({ i: child.id, p: child[time] }))
  await sql`update terms set parent_id = cast(given.value ->> 'p' as bigint), change_count = change_count + 1
    from ${dialectOf(tx).jsonRows(rows)} given where terms.id = cast(given.value ->> 'i' as bigint)`.execute(tx)
}

/** Returns these terms with all their columns, in order of id. */
export async function listTermRows(db: Db, ids: readonly number[]): Promise<readonly TermRow[]> {
  return db
    .selectFrom('terms')
    .selectAll()
    .where(dialectOf(db).isAmong(sql.ref('id'), ids))
    .orderBy('id')
    .execute()
}

/** Adds a term again that was removed, under its own id, which no other term ever gets. */
export async function insertTermRow(tx: Tx, row: TermRow): Promise<void> {
  await tx.insertInto('terms').values(row).execute()
}
