import { sql } from 'kysely'
import type { Dialect } from './dialect.ts'
import { unread } from './postgres/pipeline.ts'
import { countedRows } from './schema/kept.ts'
import { compiledStatement } from './statements/compiled.statement.ts'
import type { Db, Tx } from './tables.ts'

// The table `revisions` counts the writes of this database. Separate rows count writes that do not affect responses,
// and changes of the items that events link to. It is not content, and a copy of the content omits it.

/** Rows of the table. Each row is created by the first write of its kind. */
export const revisionRow = 1
export const noRevisionRow = 2

/**
 * Counts the writes of a transaction, and stores the number of the last one with the users who made them. This is the
 * last statement of a transaction that has its turn. A database that shows a number therefore has all writes up to it.
 *
 * @param userIds The users who requested writes among them.
 */
export async function incrementRevision(
  tx: Tx,
  count: number,
  { dialect, userIds }: { readonly dialect: Dialect; readonly userIds: readonly number[] },
): Promise<void> {
  await sql`${sql.raw(unread)}
    with raised as (
      insert into revisions (id, number) values (${revisionRow}, ${count})
      on conflict (id) do update set number = revisions.number + excluded.number returning number
    )
    update users set last_revision = (select number from raised)
    where ${dialect.isAmong(sql.ref('users.id'), userIds)}`.execute(tx)
}

const addToCounter = compiledStatement<{ readonly row: number; readonly count: number }>(
  ({ row, count }) => sql`
    insert into revisions (id, number) values (${row}, ${count})
    on conflict (id) do update set number = revisions.number + excluded.number`,
)

/** Counts writes of one of the two kinds that belong to no user. */
export async function incrementCounter(
  tx: Tx,
  row: typeof revisionRow | typeof noRevisionRow,
  count: number,
): Promise<void> {
  if (count > 0) await addToCounter(tx, { row, count })
}

/**
 * Raises the number at least to the numbers stored with users. Those writes were counted in the source of the copy.
 * Without the raise, no replica would ever seem to have the last of them.
 */
export async function raiseRevisionAboveUsers(tx: Tx): Promise<void> {
  await sql`
    insert into revisions (id, number) select ${revisionRow}, coalesce(max(last_revision), 0) from users where true
    on conflict (id) do update set number = revisions.number + excluded.number`.execute(tx)
}

/** Makes a new table continue from the number of the previous table. */
export async function initRevision(tx: Tx, number: number): Promise<void> {
  await sql`insert into revisions (id, number) values (1, ${number})`.execute(tx)
}

/** Returns the number of the last write that this database has, or 0 before the first write. */
export async function readRevision(db: Db): Promise<number> {
  const { rows } = await sql<{ number: number }>`select number from revisions where id = ${revisionRow}`.execute(db)
  return rows[0]?.number ?? 0
}

/** Returns a number that changes with what events show of the items that they link to. */
export async function readShownLinks(db: Db): Promise<number> {
  return (await shownLinksNumber(db, {}))[0]?.number ?? 0
}

const shownLinksNumber = compiledStatement<object, { readonly number: number }>(
  () => sql`select number from revisions where id = ${sql.lit(countedRows.shownLinks)}`,
)

/** Returns the number of the last write that a copy has. Returns undefined while the copy lacks the schema of this migration. */
export async function readReplicaRevision(db: Db, migration: string): Promise<number | undefined> {
  const { rows } = await sql<{ isMigrated: boolean; number: number | null }>`
    select exists (select 1 from kysely_migration where name = ${migration}) as "isMigrated",
      (select number from revisions where id = ${revisionRow}) as number`.execute(db)
  const [state] = rows
  return state?.isMigrated ? (state.number ?? 0) : undefined
}
