import type { Storage } from './storage.ts'
import type { Db } from './tables.ts'

// A row of the settings stands for a restore that has begun: an empty database whose pictures are on their way. The
// transaction that brings the content takes it away.

const name = 'restore_begun_at'

/** What to tell whoever opens a database whose restore was broken off. */
export const brokenOff = 'A restore into this database did not finish. Run “backup restore” again with the same backup.'

/** Whether a restore into this database has begun and not come to its end. */
export async function isRestoring(db: Db): Promise<boolean> {
  const row = await db.selectFrom('settings').select('name').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** Notes in an empty database that a restore has begun: until it has ended nobody takes the database for a calendar. */
export async function noteRestoring(storage: Storage, now: number): Promise<void> {
  await storage.write((tx) =>
    tx
      .insertInto('settings')
      .values({ name, value: String(now) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  )
}
