import type { Db, Tx } from '../../storage/database/tables.ts'
import type { UserId } from './actor.ts'

/**
 * Returns the hash of the user's own password, or undefined if there is none. One query, whether or not the user
 * exists.
 */
export async function findPasswordHash(db: Db, userId: number): Promise<string | undefined> {
  const row = await db.selectFrom('account_passwords').select('hash').where('user_id', '=', userId).executeTakeFirst()
  return row?.hash
}

export async function putPasswordHash(
  tx: Tx,
  userId: UserId,
  { hash, at }: { readonly hash: string; readonly at: number },
): Promise<void> {
  await tx
    .insertInto('account_passwords')
    .values({ user_id: userId, hash, changed_at: at })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, changed_at: at }))
    .execute()
}

/** Replaces the hash `before` with another hash of the same password, if `before` is still the stored one. */
export async function replacePasswordHash(
  tx: Tx,
  userId: UserId,
  { hash, before }: { readonly hash: string; readonly before: string },
): Promise<void> {
  await tx
    .updateTable('account_passwords')
    .set({ hash })
    .where('user_id', '=', userId)
    .where('hash', '=', before)
    .execute()
}
