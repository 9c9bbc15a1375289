import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Subscription } from './subscription.ts'

// A subscription is one value: nothing is ever looked up by a part of it, and there are few.

const prefix = 'subscription '

/** Returns all subscriptions by the names of their sources. */
export async function listSubscriptions(db: Db): Promise<readonly Subscription[]> {
  const rows = await db
    .selectFrom('settings')
    .select('value')
    .where('name', 'like', `${prefix}%`)
    .orderBy('name')
    .execute()
  return rows.map(({ value }) => JSON.parse(value) as Subscription)
}

export async function findSubscription(db: Db, source: string): Promise<Subscription | undefined> {
  const name = `${prefix}${source}`
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && (JSON.parse(row.value) as Subscription)
}

export async function saveSubscription(tx: Tx, subscription: Subscription): Promise<void> {
  const value = JSON.stringify(subscription)
  await tx
    .insertInto('settings')
    .values({ name: `${prefix}${subscription.source}`, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** @returns whether there was one. */
export async function deleteSubscription(tx: Tx, source: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('settings').where('name', '=', `${prefix}${source}`).executeTakeFirst()
  return numDeletedRows > 0n
}
