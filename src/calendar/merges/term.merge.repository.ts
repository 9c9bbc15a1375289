import { sql } from 'kysely'
import { dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'

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
