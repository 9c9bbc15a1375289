import type { Db, Row, Tx } from '../../storage/database/tables.ts'
import type { UserId } from '../auth/actor.ts'
import type { SavedView } from './view.ts'

function viewFromRow(row: Row<'saved_views'>): SavedView {
  const { id, user_id: userId, name, query, change_count: version, modified_at: modifiedAt } = row
  return { id, userId: userId as UserId, name, query, version, modifiedAt }
}

/** Returns the views of a user, the oldest first. There are only a few. */
export async function listViews(db: Db, userId: UserId): Promise<readonly SavedView[]> {
  const rows = await db.selectFrom('saved_views').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  return rows.map(viewFromRow)
}

/** Returns a view of this user; undefined if it does not exist or belongs to somebody else. */
export async function findView(db: Db, userId: UserId, id: number): Promise<SavedView | undefined> {
  if (!Number.isSafeInteger(id)) return undefined
  const row = await db
    .selectFrom('saved_views')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && viewFromRow(row)
}

export async function insertView(
  tx: Tx,
  { userId, name, query, modifiedAt }: Omit<SavedView, 'id' | 'version'>,
): Promise<SavedView> {
  const row = await tx
    .insertInto('saved_views')
    .values({ user_id: userId, name, query, modified_at: modifiedAt })
    .returningAll()
    .executeTakeFirstOrThrow()
  return viewFromRow(row)
}

export async function updateView(
  tx: Tx,
  { id, name, query, modifiedAt }: Omit<SavedView, 'userId' | 'version'>,
): Promise<SavedView> {
  const row = await tx
    .updateTable('saved_views')
    .set((e) => ({ name, query, modified_at: modifiedAt, change_count: e('change_count', '+', 1) }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return viewFromRow(row)
}

export async function removeView(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('saved_views').where('id', '=', id).execute()
}
