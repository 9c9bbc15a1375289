import { sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { dialectOf } from '../../storage/database/statements/compiled.statement.ts'
import { statementBatches } from '../../storage/database/statements/statement.batches.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { StateColumns, StatedEvent, Undo, UndoItem, UndoOperation } from './undo.ts'

/** An operation as it is stored. */
export interface NewUndo {
  readonly operation: UndoOperation
  readonly at: number
  readonly actor: Actor
  /** What the operation took away. Without it, it cannot be undone. */
  readonly subjectId?: number
  readonly details?: object
}

/** Adds an operation with what it did to each record, and returns its id. */
export async function insertUndo(
  tx: Tx,
  { operation, at, actor, subjectId, details = {} }: NewUndo,
  items: readonly UndoItem<object>[],
): Promise<number> {
  const { id } = await tx
    .insertInto('undos')
    .values({
      ...{ operation, at, user_id: actor.kind === 'user' ? actor.id : null, subject_id: subjectId ?? null },
      ...{ details: JSON.stringify(details), undone_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertUndoItems(tx, id, items)
  return id
}

/** Adds what an operation did to more records. One that it has changed twice was changed from the first state to the last. */
export async function insertUndoItems(tx: Tx, id: number, items: readonly UndoItem<object>[]): Promise<void> {
  for (const some of statementBatches(items)) {
    const rows = some.map(({ id: record_id, before, after }) => ({
      ...{ undo_id: id, record_id, undone_at: null },
      ...{ before: JSON.stringify(before), after: JSON.stringify(after) },
    }))
    await tx
      .insertInto('undo_items')
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(['undo_id', 'record_id'])
          .doUpdateSet((to) => ({ after: to.ref('excluded.after') }))
          .where('undo_items.before', '<>', '{}'),
      )
      .execute()
  }
}

/** An operation in a list. */
export interface ListedUndo<D> extends Undo<D> {
  readonly at: number
  /** The number of records for which it was not undone. */
  readonly count: number
}

/** Returns the last operations of a kind, of a user or of all, that are not older than this second, the latest first. */
export async function listUndos<D>(
  db: Db,
  operation: UndoOperation,
  { userId, since, limit }: { readonly userId: number | undefined; readonly since: number; readonly limit: number },
): Promise<readonly ListedUndo<D>[]> {
  const rows = await db
    .selectFrom('undos')
    .selectAll()
    .select((e) =>
      e
        .selectFrom('undo_items')
        .whereRef('undo_id', '=', 'undos.id')
        .where('undo_items.undone_at', 'is', null)
        .select((of) => of.fn.countAll().as('count'))
        .as('count'),
    )
    .where('operation', '=', operation)
    .where('at', '>=', since)
    .$if(userId !== undefined, (of) => of.where('user_id', '=', userId as number))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ id, at, user_id, undone_at, details, count }) => ({
    ...{ id, at, userId: user_id ?? undefined, isUndone: undone_at !== null, count: Number(count) },
    details: JSON.parse(details) as D,
  }))
}

/** Returns those of these records that did not exist before this second. */
export async function listCreatedSince(db: Db, ids: readonly number[], at: number): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('records')
    .select('id')
    .where('created_at', '>=', at)
    .where((e) => dialectOf(db).isAmong(e.ref('id'), ids).$castTo<boolean>())
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the operation with this id, if it is not older than this second. */
export async function findUndo<D>(
  db: Db,
  operation: UndoOperation,
  { id, since }: { readonly id: number; readonly since: number },
): Promise<Undo<D> | undefined> {
  const row = await db
    .selectFrom('undos')
    .selectAll()
    // Merges had numbers of their own before.
    .where('id', 'in', [id, -id])
    .where('operation', '=', operation)
    .where('at', '>=', since)
    .executeTakeFirst()
  return (
    row && {
      ...{ id: row.id, userId: row.user_id ?? undefined, isUndone: row.undone_at !== null },
      details: JSON.parse(row.details) as D,
    }
  )
}

/** Returns what an operation did to records, without those for which it was undone. */
export async function listUndoItems<Before, After = Before>(
  db: Db,
  id: number,
): Promise<readonly UndoItem<Before, After>[]> {
  const rows = await db
    .selectFrom('undo_items')
    .select(['record_id', 'before', 'after'])
    .where('undo_id', '=', id)
    .where('undone_at', 'is', null)
    .orderBy('record_id')
    .execute()
  return rows.map(({ record_id, before, after }) => ({
    ...{ id: record_id, before: JSON.parse(before) as Before, after: JSON.parse(after) as After },
  }))
}

/** Notes that an operation was undone for these records. */
export async function markUndone(
  tx: Tx,
  { id, recordIds, at }: { readonly id: number; readonly recordIds: readonly number[]; readonly at: number },
): Promise<void> {
  await tx.updateTable('undos').set({ undone_at: at }).where('id', '=', id).execute()
  await sql`update undo_items set undone_at = ${at}
    where undo_id = ${id} and ${dialectOf(tx).isAmong(sql.ref('record_id'), recordIds)}`.execute(tx)
}

/** Whether there are operations from before this second. Costs one index lookup. */
export async function hasUndoBefore(db: Db, at: number): Promise<boolean> {
  return (await db.selectFrom('undos').select('id').where('at', '<', at).limit(1).execute()).length > 0
}

/** Removes the oldest operations from before this second. @returns how many were removed. */
export async function removeUndosBefore(tx: Tx, at: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from undos where id in (
    select id from undos where at < ${at} order by at, id limit ${limit})`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

type StatedRow = StateColumns & {
  readonly id: number
  readonly kind: StatedEvent['kind']
  readonly group_id: number | null
  readonly language: string
  readonly author_id: number
  readonly status: string
  readonly title_html: string
  readonly start_local: string
  readonly end_local: string
  readonly timezone: string
  readonly start_utc: number
  readonly end_utc: number
}

/** Returns these events, the earliest first. Runs one query. */
export async function listStatedEvents(db: Db, ids: readonly number[]): Promise<readonly StatedEvent[]> {
  if (ids.length === 0) return []
  const { isAmong } = dialectOf(db)
  const { rows } = await sql<StatedRow>`
    select records.id, records.kind, records.group_id, records.language, records.author_id, records.status,
      records.title_html, events.start_local, events.end_local, events.timezone, events.start_utc, events.end_utc,
      events.event_status, events.status_reason, events.status_at, events.previous_starts, events.attendance
    from records join events on events.record_id = records.id
    where ${isAmong(sql.ref('records.id'), ids)} and ${isAmong(sql.ref('events.record_id'), ids)}
    order by events.start_local, records.id`.execute(db)
  return rows.map(({ event_status, status_reason, status_at, previous_starts, attendance, ...row }) => ({
    ...{ id: row.id, kind: row.kind, groupId: row.group_id ?? row.id, language: row.language },
    ...{ authorId: row.author_id, status: row.status, titleHtml: row.title_html },
    ...{ start: row.start_local as LocalDateTime, end: row.end_local as LocalDateTime, timezone: row.timezone },
    ...{ startUtc: row.start_utc, endUtc: row.end_utc },
    state: { event_status, status_reason, status_at, previous_starts, attendance },
  }))
}
