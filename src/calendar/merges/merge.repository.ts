import { type RawBuilder, sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { compiledInsert } from '../../storage/database/compiled.statement.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { DirectoryKind } from '../directory/directory.ts'
import type { Taxonomy } from '../terms/term.ts'
import type { LinkChange, Merge, MovedEvent, MovedName, RemovedTerms } from './merge.ts'

/** What can be merged. */
export type MergedKind = DirectoryKind | Taxonomy

const columnOf = (kind: DirectoryKind) => sql.ref<number>(`${kind}_id`)
const tableOf = (kind: DirectoryKind) => sql.table(`event_${kind}s`)

/** Returns how many events, in any state, have one of these. */
export async function countLinkedEvents(
  { db, dialect, kind }: { readonly db: Db; readonly dialect: Dialect; readonly kind: DirectoryKind },
  ids: readonly number[],
): Promise<number> {
  const { rows } = await sql<{ number: number }>`select count(distinct event_id) as number from ${tableOf(kind)}
    where ${dialect.isAmong(columnOf(kind), ids)}`.execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** Returns all venues or organizers of the events that have one of these, in their order, by event. Runs one query. */
export async function listLinksOfEventsWith(
  { db, dialect, kind }: { readonly db: Db; readonly dialect: Dialect; readonly kind: DirectoryKind },
  ids: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const events = sql`event_id in (select event_id from ${tableOf(kind)} where ${dialect.isAmong(columnOf(kind), ids)})`
  return linksWhere(db, kind, events)
}

/** Returns the venues or organizers of these events, in their order, by event. Runs one query. */
export async function listLinksOf(
  { db, dialect, kind }: { readonly db: Db; readonly dialect: Dialect; readonly kind: DirectoryKind },
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  return linksWhere(db, kind, sql`${dialect.isAmong(sql.ref('event_id'), eventIds)}`)
}

async function linksWhere(db: Db, kind: DirectoryKind, where: RawBuilder<unknown>) {
  const { rows } = await sql<{ event_id: number; id: number }>`
    select event_id, ${columnOf(kind)} as id from ${tableOf(kind)} where ${where}
    order by event_id, position, id`.execute(db)
  const links = new Map<number, number[]>()
  for (const { event_id, id } of rows) {
    const known = links.get(event_id)
    if (known) known.push(id)
    else links.set(event_id, [id])
  }
  return links
}

/** Replaces the venues or organizers of events. Runs two statements, and one more for many rows. */
export async function replaceLinks(
  { tx, dialect, kind }: { readonly tx: Tx; readonly dialect: Dialect; readonly kind: DirectoryKind },
  changes: readonly { readonly eventId: number; readonly ids: readonly number[] }[],
): Promise<void> {
  if (changes.length === 0) return
  const eventIds = changes.map(({ eventId }) => eventId)
  await sql`delete from ${tableOf(kind)} where ${dialect.isAmong(sql.ref('event_id'), eventIds)}`.execute(tx)
  const rows = changes.flatMap(({ eventId, ids }) => ids.map((id, place) => ({ e: eventId, i: id, p: place })))
  if (rows.length === 0) return
  const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  await sql`insert into ${tableOf(kind)} (event_id, ${columnOf(kind)}, position)
    select ${number('e')}, ${number('i')}, ${number('p')} from ${dialect.jsonRows(rows)} given`.execute(tx)
}

/** Returns these events outside the trash, the earliest first. Runs one query. */
export async function listMovedEvents(
  db: Db,
  dialect: Dialect,
  ids: readonly number[],
): Promise<readonly MovedEvent[]> {
  if (ids.length === 0) return []
  // SQLite keeps the order of the tables with “cross join”. Otherwise it would read all events.
  const { rows } = await sql<{
    id: number
    group_id: number | null
    language: string
    status: string
    title_html: string
    start_local: string
    timezone: string
  }>`select records.id, records.group_id, records.language, records.status, records.title_html,
      events.start_local, events.timezone
    from events cross join records
    where records.id = events.record_id and ${dialect.isAmong(sql.ref('events.record_id'), ids)}
      and records.kind = 'event' and records.status <> 'trash'
    order by events.start_local, records.id`.execute(db)
  return rows.map((row) => ({
    ...{ id: row.id, groupId: row.group_id ?? row.id, language: row.language, status: row.status },
    ...{ titleHtml: row.title_html, start: row.start_local as LocalDateTime, timezone: row.timezone },
  }))
}

/** Returns the names that sources have for these records. */
export async function listNamesOf(db: Db, dialect: Dialect, ids: readonly number[]): Promise<readonly MovedName[]> {
  const rows = await db
    .selectFrom('imported_records')
    .select(['source', 'record_id', 'seen_at'])
    .where(dialect.isAmong(sql.ref('record_id'), ids))
    .orderBy('source')
    .execute()
  return rows.flatMap(({ source, record_id, seen_at }) =>
    record_id === null ? [] : [{ source, recordId: record_id, seenAt: seen_at }],
  )
}

/** Gives each of these names to its record. With `held`: only names that `held` has now. Runs one statement. */
export async function moveNames(
  tx: Tx,
  {
    dialect,
    kind,
    held,
  }: { readonly dialect: Dialect; readonly kind: DirectoryKind; readonly held: number | undefined },
  names: readonly MovedName[],
): Promise<void> {
  if (names.length === 0) return
  const rows = names.map(({ source, recordId, seenAt }) => ({ n: source, r: recordId, s: seenAt }))
  await sql`update imported_records set
      record_id = cast(given.value ->> 'r' as bigint), seen_at = cast(given.value ->> 's' as bigint)
    from ${dialect.jsonRows(rows)} given
    where imported_records.kind = ${kind} and imported_records.source = given.value ->> 'n'
      ${held === undefined ? sql`` : sql`and imported_records.record_id = ${held}`}`.execute(tx)
}

const insertMergedEvents = compiledInsert<{ merge_id: number; event_id: number; before: string; after: string }>(
  'merged_events',
)

/** Adds a merge with what it changed, and returns its id. */
export async function insertMerge(
  tx: Tx,
  merge: Omit<Merge, 'id'> & { readonly at: number; readonly userId: number | undefined; readonly kind: MergedKind },
  changes: readonly LinkChange[],
): Promise<number> {
  const { at, userId, kind, fromId, intoId, trashed, names, terms } = merge
  const { id } = await tx
    .insertInto('merges')
    .values({
      ...{ at, user_id: userId ?? null, kind, from_id: fromId, into_id: intoId, undone_at: null },
      ...{ trashed: JSON.stringify(trashed), names: JSON.stringify(names) },
      terms: terms ? JSON.stringify(terms) : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertMergedEvents(
    tx,
    changes.map(({ eventId, before, after }) => ({
      ...{ merge_id: id, event_id: eventId, before: JSON.stringify(before), after: JSON.stringify(after) },
    })),
  )
  return id
}

/** Returns the merge with this id that is not undone, if it is not older than this second. */
export async function findMerge(
  db: Db,
  { id, kind, since }: { readonly id: number; readonly kind: MergedKind; readonly since: number },
): Promise<(Merge & { readonly isUndone: boolean }) | undefined> {
  const row = await db
    .selectFrom('merges')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('at', '>=', since)
    .executeTakeFirst()
  return (
    row && {
      ...{ id, fromId: row.from_id, intoId: row.into_id, isUndone: row.undone_at !== null },
      trashed: JSON.parse(row.trashed) as number[],
      names: JSON.parse(row.names) as MovedName[],
      terms: row.terms === null ? undefined : (JSON.parse(row.terms) as RemovedTerms),
    }
  )
}

/** Returns what a merge did to events. */
export async function listMergedEvents(db: Db, id: number): Promise<readonly LinkChange[]> {
  const rows = await db
    .selectFrom('merged_events')
    .select(['event_id', 'before', 'after'])
    .where('merge_id', '=', id)
    .orderBy('event_id')
    .execute()
  return rows.map(({ event_id, before, after }) => ({
    eventId: event_id,
    before: JSON.parse(before) as number[],
    after: JSON.parse(after) as number[],
  }))
}

export async function markMergeUndone(tx: Tx, id: number, at: number): Promise<void> {
  await tx.updateTable('merges').set({ undone_at: at }).where('id', '=', id).execute()
}

/** Whether there are merges from before this second. Costs one index lookup. */
export async function hasMergeBefore(db: Db, at: number): Promise<boolean> {
  return (await db.selectFrom('merges').select('id').where('at', '<', at).limit(1).execute()).length > 0
}

/** Removes the oldest merges from before this second. @returns how many were removed. */
export async function removeMergesBefore(tx: Tx, at: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from merges where id in (
    select id from merges where at < ${at} order by at, id limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}
