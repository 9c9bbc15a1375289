import { sql } from 'kysely'
import type { Db, Tx } from './tables.ts'

// The table `revisions` counts the writes of this very database, and in rows of their own those that change nothing of
// what answers are made of, and changes of what events are linked to. It is no content, and a copy of the content leaves
// it out.

/** Rows of the table; neither is there before the first such write. */
export const contentRow = 1
export const asideRow = 2

/**
 * Rows that the engine itself raises with every change of venues and organizers with their pictures, and of terms: what
 * was read of them is true for as long as the number is the same. See migration 0015.
 */
export const placesRow = 3
export const termsRow = 4

/**
 * Counts this write, and keeps its number with the user who made it. The last statement of a transaction that has its
 * turn: a database that shows a number then has all that was written up to it.
 *
 * @param userId Undefined where nobody asked for the write.
 */
export async function raiseRevision(tx: Tx, userId: number | undefined): Promise<void> {
  await sql`
    with raised as (
      insert into revisions (id, number) values (${contentRow}, 1)
      on conflict (id) do update set number = revisions.number + 1 returning number
    )
    update users set last_revision = (select number from raised) where id = ${userId ?? null}`.execute(tx)
}

/** Counts a write of one of the two kinds, by nobody in particular. */
export async function countWrite(tx: Tx, row: typeof contentRow | typeof asideRow): Promise<void> {
  await sql`
    insert into revisions (id, number) values (${row}, 1)
    on conflict (id) do update set number = revisions.number + 1`.execute(tx)
}

/**
 * Raises the number at least to those that users have: their writes were counted where they were copied from, and no
 * replica would have the last of them otherwise.
 */
export async function raiseRevisionToUsers(tx: Tx): Promise<void> {
  await sql`
    insert into revisions (id, number) select ${contentRow}, coalesce(max(last_revision), 0) from users where true
    on conflict (id) do update set number = revisions.number + excluded.number`.execute(tx)
}

/** Has a table that is new go on from the number that the one before it had. */
export async function startRevision(tx: Tx, number: number): Promise<void> {
  await sql`insert into revisions (id, number) values (1, ${number})`.execute(tx)
}

/** The number of the last write that this database has; 0 before the first. */
export async function readRevision(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`select number from revisions where id = ${contentRow}`.execute(db)
  return rows[0]?.number ?? 0
}

/** The same of a copy, or undefined while it is not in the form that this migration leaves. */
export async function readRevisionOfCopy(db: Db, migration: string): Promise<number | undefined> {
  const { rows } = await sql<{ isMigrated: boolean; number: number | null }>`
    select exists (select 1 from kysely_migration where name = ${migration}) as "isMigrated",
      (select number from revisions where id = ${contentRow}) as number`.execute(db)
  const [state] = rows
  return state?.isMigrated ? (state.number ?? 0) : undefined
}
