import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Taxonomy } from '../terms/term.ts'

interface Terms {
  readonly db: Db
  readonly dialect: Dialect
  /** Ids of all versions of a term. */
  readonly ids: readonly number[]
}

/** Returns the ids of the events with one of these terms, in any state and the trash: at most `limit`. */
export async function listEventsWithTerms({ db, dialect, ids }: Terms, limit: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select distinct event_id as id from event_terms
    where ${dialect.isAmong(sql.ref('term_id'), ids)} order by 1 limit ${limit}`.execute(db)
  return rows.map(({ id }) => Number(id))
}

/** Returns how many events outside the trash have one of these terms. Translations of an event count as one. */
export async function countEventsWithTerms({ db, dialect, ids }: Terms): Promise<number> {
  // SQLite keeps the order of the tables with “cross join”. Otherwise it would read all events.
  const { rows } = await sql<{ number: number }>`
    select count(distinct coalesce(records.group_id, records.id)) as number
    from event_terms cross join records
    where records.id = event_terms.event_id and ${dialect.isAmong(sql.ref('event_terms.term_id'), ids)}
      and records.kind = 'event' and records.status <> 'trash'`.execute(db)
  return Number(rows[0]?.number ?? 0)
}

/** Returns the categories right below these, with their languages. */
export async function listChildren({ db, dialect, ids }: Terms) {
  const { rows } = await sql<{ id: number; language: string; group_id: number | null; parent_id: number }>`
    select id, language, group_id, parent_id from terms where ${dialect.isAmong(sql.ref('parent_id'), ids)} order by id`.execute(
    db,
  )
  return rows.map(({ id, language, group_id, parent_id }) => ({
    id,
    language,
    groupId: group_id ?? id,
    parentId: parent_id,
  }))
}

/** Moves categories below another one. */
export async function moveChildren(
  tx: Tx,
  dialect: Dialect,
  { ids, parentId }: { readonly ids: readonly number[]; readonly parentId: number },
): Promise<void> {
  await sql`update terms set parent_id = ${parentId}, change_count = change_count + 1
    where ${dialect.isAmong(sql.ref('id'), ids)}`.execute(tx)
}

/** Gives the events of some terms another term instead, once. Runs two statements. */
export async function moveEventTerms(
  tx: Tx,
  dialect: Dialect,
  {
    from,
    into,
    intoId,
  }: { readonly from: readonly number[]; readonly into: readonly number[]; readonly intoId: number },
): Promise<void> {
  await sql`insert into event_terms (event_id, term_id)
    select distinct event_id, cast(${intoId} as bigint) from event_terms
    where ${dialect.isAmong(sql.ref('term_id'), from)}
      and event_id not in (select event_id from event_terms where ${dialect.isAmong(sql.ref('term_id'), into)})`.execute(
    tx,
  )
  await sql`delete from event_terms where ${dialect.isAmong(sql.ref('term_id'), from)}`.execute(tx)
}

/** Gives the names that imports have for some terms to another one. */
export async function moveTermNames(
  tx: Tx,
  dialect: Dialect,
  {
    taxonomy,
    from,
    intoId,
  }: { readonly taxonomy: Taxonomy; readonly from: readonly number[]; readonly intoId: number },
): Promise<void> {
  await sql`update imported_records set term_id = ${intoId}
    where kind = ${taxonomy} and ${dialect.isAmong(sql.ref('term_id'), from)}`.execute(tx)
}
