import { sql } from 'kysely'
import type { Db, Row, Tx } from '../../storage/database/tables.ts'

/** Returns the write that the user has requested under a key since `since`. */
export async function findKeyedWrite(
  db: Db,
  { userId, digest, since }: { readonly userId: number; readonly digest: string; readonly since: number },
): Promise<Pick<Row<'idempotency_keys'>, 'request' | 'result'> | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['request', 'result'])
    .where('user_id', '=', userId)
    .where('digest', '=', digest)
    .where('used_at', '>=', since)
    .executeTakeFirst()
}

/** Stores a write under its key. An expired write under the same key is replaced. */
export async function saveKeyedWrite(tx: Tx, row: Row<'idempotency_keys'>): Promise<void> {
  const { request, result, used_at } = row
  await tx
    .insertInto('idempotency_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'digest']).doUpdateSet({ request, result, used_at }))
    .execute()
}

/** Whether a key was last used before this second. It costs one index lookup. */
export async function hasKeyedWriteBefore(db: Db, before: number): Promise<boolean> {
  const row = await db
    .selectFrom('idempotency_keys')
    .select('used_at')
    .where('used_at', '<', before)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Removes up to `limit` keys that were last used before this second. @returns how many were removed. */
export async function removeKeyedWrites(tx: Tx, before: number, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from idempotency_keys where (user_id, digest) in (
      select user_id, digest from idempotency_keys where used_at < ${before} order by used_at limit ${limit})`.execute(
    tx,
  )
  return Number(numAffectedRows)
}
