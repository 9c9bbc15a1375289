import { sql } from 'kysely'
import { compiledInsert, compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'
import { listTranslationIds } from '../translations/group.repository.ts'
import { makeTermsPublic, termColumns, termFromRow } from './term.repository.ts'
import type { Taxonomy, Term } from './term.ts'

/** Returns these terms in all their versions, in order of id. Runs one query. */
export async function listTermTranslations(db: Db, ids: readonly number[]): Promise<readonly Term[]> {
  return ids.length === 0 ? [] : (await termVersions(db, { ids })).map(termFromRow)
}

const termVersions = compiledStatement<{ readonly ids: readonly number[] }, TermRow>(
  ({ ids }, dialect) => sql<TermRow>`
    with given as (select id, group_id from terms where ${dialect.isAmong(sql.ref('id'), ids)})
    select ${termColumns} from terms where id in (
      select id from given union select other.id from given join terms other on other.group_id = given.group_id)
    order by id`,
)

/** Returns the terms that the event links to, in any version. Runs one query. */
export async function listTermIdsOfEvent(
  db: Db,
  eventId: number,
): Promise<readonly { readonly id: number; readonly taxonomy: Taxonomy }[]> {
  return (
    db
      .selectFrom('event_terms')
      .innerJoin('terms', 'terms.id', 'event_terms.term_id')
      .select(['terms.id', 'terms.taxonomy'])
      // Not “=”, because SQLite then plans the join again for every value.
      .where('event_terms.event_id', 'in', [eventId])
      .orderBy('terms.id')
      .execute()
  )
}

/** Links the event to exactly these terms. Does nothing if the links are already the same. */
export async function replaceEventTerms(tx: Tx, eventId: number, termIds: ReadonlySet<number>): Promise<void> {
  const carried = (await listTermIdsOfEvent(tx, eventId)).map(({ id }) => id)
  if (new Set(carried).symmetricDifference(termIds).size === 0) return
  // Replaces all links at once, because the audit log records the whole list before and after.
  if (carried.length > 0) await tx.deleteFrom('event_terms').where('event_id', '=', eventId).execute()
  await insertEventTerms(tx, [{ eventId, termIds: [...termIds] }])
}

const insertLinkRows = compiledInsert<{ readonly event_id: number; readonly term_id: number }>('event_terms')

/** Links events without terms to these, each once. */
export async function insertEventTerms(
  tx: Tx,
  links: readonly { readonly eventId: number; readonly termIds: readonly number[] }[],
): Promise<void> {
  const rows = links.flatMap(({ eventId, termIds }) => termIds.map((id) => ({ event_id: eventId, term_id: id })))
  await insertLinkRows(tx, rows)
}

/** The number of events of each term, by the id of its original. */
export type EventCountsByTerm = ReadonlyMap<number, number>

/**
 * Returns how many of these events are published and have each term. Translations of an event or a term count as one.
 * Runs one query.
 */
export async function countEventsByTerm(db: Db, eventIds: readonly number[]): Promise<EventCountsByTerm> {
  if (eventIds.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: number; readonly number: number }>`
    select coalesce(terms.group_id, terms.id) as id,
      count(distinct coalesce(records.group_id, records.id)) as number
    from records join event_terms on event_terms.event_id = records.id join terms on terms.id = event_terms.term_id
    where records.id in (${sql.join(eventIds)}) and records.kind = 'event' and records.status = 'publish'
    group by coalesce(terms.group_id, terms.id)`.execute(db)
  return new Map(rows.map(({ id, number }) => [id, number]))
}

/**
 * Adds `step` to the count of published events of each of these terms, in all versions. Terms of a published event
 * become public.
 */
export async function addToEventCounts(tx: Tx, termIds: ReadonlySet<number>, step: number): Promise<void> {
  if (termIds.size === 0) return
  const counted = await countedVersions(tx, { ids: [...termIds], step })
  const closed = counted.flatMap(({ id, introduced_by }) => (introduced_by === null ? [] : [id]))
  if (step > 0) await makeTermsPublic(tx, closed)
}

const countedVersions = compiledStatement<
  { readonly ids: readonly number[]; readonly step: number },
  Pick<TermRow, 'id' | 'introduced_by'>
>(
  ({ ids, step }, dialect) => sql`
    update terms set event_count = event_count + ${step} where id in (
      select given.id from terms given where ${dialect.isAmong(sql.ref('given.id'), ids)}
      union select other.id from terms given join terms other on other.group_id = given.group_id
        where ${dialect.isAmong(sql.ref('given.id'), ids)})
    returning id, introduced_by`,
)

/** Returns the terms among these that the event has. Runs at most one query. */
export async function listTermsOnEvent(
  db: Db,
  eventId: number,
  termIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (termIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('event_terms')
    .select('term_id')
    .where('event_id', '=', eventId)
    .where('term_id', 'in', termIds)
    .execute()
  return new Set(rows.map(({ term_id }) => term_id))
}

/** Whether any event, in any status, has this version of the term. */
export async function isOnAnyEvent(tx: Tx, termId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('event_terms')
    .select('event_id')
    .where('term_id', '=', termId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Copies the event count of another version to a term that no event has. */
export async function copyEventCount(tx: Tx, termId: number, otherId: number): Promise<void> {
  await sql`update terms set event_count = (select other.event_count from terms other where other.id = ${otherId})
    where id = ${termId}`.execute(tx)
}

/** Recounts the published events of each of these terms. Translations of an event count as one. */
export async function recountEvents(tx: Tx, termIds: readonly number[]): Promise<void> {
  if (termIds.length === 0) return
  const ids = await listTranslationIds(tx, 'terms', termIds)
  await sql`update terms set event_count = (
      select count(distinct coalesce(records.group_id, records.id))
      from event_terms join records on records.id = event_terms.event_id
      where records.kind = 'event' and records.status = 'publish' and event_terms.term_id in (
        select version.id from terms version where version.id = terms.id or version.group_id = terms.group_id))
    where id in (${sql.join(ids)})`.execute(tx)
}
