import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'
import type { Taxonomy } from '../terms/term.ts'
import type { MovedName } from './merge.ts'

/** Returns these terms with all their columns, in order of id. */
export async function listTermRows(db: Db, dialect: Dialect, ids: readonly number[]): Promise<readonly TermRow[]> {
  return db
    .selectFrom('terms')
    .selectAll()
    .where(dialect.isAmong(sql.ref('id'), ids))
    .orderBy('id')
    .execute()
}

/** Returns which of these terms each of these events has. Runs one query. */
export async function listTermsOf(
  db: Db,
  dialect: Dialect,
  { eventIds, termIds }: { readonly eventIds: readonly number[]; readonly termIds: readonly number[] },
): Promise<ReadonlyMap<number, readonly number[]>> {
  if (eventIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('event_terms')
    .select(['event_id', 'term_id'])
    .where(dialect.isAmong(sql.ref('event_id'), eventIds))
    .where(dialect.isAmong(sql.ref('term_id'), termIds))
    .orderBy('event_id')
    .orderBy('term_id')
    .execute()
  const byEvent = Map.groupBy(rows, (row) => row.event_id)
  return new Map([...byEvent].map(([id, some]) => [id, some.map(({ term_id }) => term_id)]))
}

/** Returns the names that imports have for these terms. */
export async function listTermNames(
  db: Db,
  dialect: Dialect,
  { taxonomy, ids }: { readonly taxonomy: Taxonomy; readonly ids: readonly number[] },
): Promise<readonly MovedName[]> {
  const rows = await db
    .selectFrom('imported_records')
    .select(['source', 'term_id'])
    .where('kind', '=', taxonomy)
    .where(dialect.isAmong(sql.ref('term_id'), ids))
    .orderBy('source')
    .execute()
  return rows.flatMap(({ source, term_id }) => (term_id === null ? [] : [{ source, recordId: term_id, seenAt: null }]))
}

/** Gives names back to their terms, if they still mean the other one. */
export async function returnTermNames(
  tx: Tx,
  dialect: Dialect,
  {
    taxonomy,
    names,
    heldBy,
  }: { readonly taxonomy: Taxonomy; readonly names: readonly MovedName[]; readonly heldBy: number },
): Promise<void> {
  if (names.length === 0) return
  const rows = names.map(({ source, recordId }) => ({ n: source, r: recordId }))
  await sql`update imported_records set term_id = cast(given.value ->> 'r' as bigint)
    from ${dialect.jsonRows(rows)} given
    where imported_records.kind = ${taxonomy} and imported_records.source = given.value ->> 'n'
      and imported_records.term_id = ${heldBy}`.execute(tx)
}

/** Adds terms again that were removed, under their own ids, which no other term ever gets. */
export async function insertTermRows(tx: Tx, rows: readonly TermRow[]): Promise<void> {
  if (rows.length > 0)
    await tx
      .insertInto('terms')
      .values([...rows])
      .execute()
}

/** Gives categories their parents back. Runs one statement. */
export async function returnChildren(
  tx: Tx,
  dialect: Dialect,
  children: readonly { readonly id: number; readonly before: number }[],
): Promise<void> {
  if (children.length === 0) return
  const rows = children.map(({ id, before }) => ({ i: id, p: before }))
  await sql`update terms set parent_id = cast(given.value ->> 'p' as bigint), change_count = change_count + 1
    from ${dialect.jsonRows(rows)} given where terms.id = cast(given.value ->> 'i' as bigint)`.execute(tx)
}

/** Takes some terms from events, and gives them others. Runs two statements. */
export async function replaceTerms(
  tx: Tx,
  dialect: Dialect,
  changes: readonly {
    readonly eventId: number
    readonly removed: readonly number[]
    readonly added: readonly number[]
  }[],
): Promise<void> {
  const pairs = (some: 'removed' | 'added') =>
    changes.flatMap((change) => change[some].map((id) => ({ e: change.eventId, t: id })))
  const number = (name: string) => sql.raw(`cast(value ->> '${name}' as bigint)`)
  const [removed, added] = [pairs('removed'), pairs('added')]
  if (added.length > 0)
    await sql`insert into event_terms (event_id, term_id)
      select ${number('e')}, ${number('t')} from ${dialect.jsonRows(added)} given`.execute(tx)
  if (removed.length > 0)
    await sql`delete from event_terms where (event_id, term_id) in (
      select ${number('e')}, ${number('t')} from ${dialect.jsonRows(removed)} given)`.execute(tx)
}
