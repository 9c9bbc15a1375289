import type { Db, Row, Tx } from '../../storage/database/tables.ts'
import type { UserId } from './actor.ts'
import type { AccessLink, LinkKind } from './link.ts'

function linkFromRow(row: Row<'access_links'>): AccessLink {
  return {
    userId: row.user_id as UserId,
    kind: row.kind as LinkKind,
    expiresAt: row.expires_at,
    usedAt: row.used_at ?? undefined,
  }
}

export async function findLinkByDigest(db: Db, digest: string): Promise<AccessLink | undefined> {
  const row = await db.selectFrom('access_links').selectAll().where('digest', '=', digest).executeTakeFirst()
  return row && linkFromRow(row)
}

/** Stores the link of a user. It replaces the earlier link. */
export async function putLink(tx: Tx, { userId, kind, expiresAt }: AccessLink, digest: string): Promise<void> {
  const values = { kind, digest, expires_at: expiresAt, used_at: null }
  await tx
    .insertInto('access_links')
    .values({ user_id: userId, ...values })
    .onConflict((c) => c.column('user_id').doUpdateSet(values))
    .execute()
}

export async function markLinkUsed(tx: Tx, userId: UserId, at: number): Promise<void> {
  await tx.updateTable('access_links').set({ used_at: at }).where('user_id', '=', userId).execute()
}

/** Removes the links of all users. Returns their number. */
export async function removeAllLinks(tx: Tx): Promise<number> {
  return (await tx.deleteFrom('access_links').returning('user_id').execute()).length
}
