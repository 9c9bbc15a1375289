import type { Storage } from '../storage.ts'
import type { Db } from '../tables.ts'

// A row of the settings marks a restore in progress: an empty database whose pictures are being copied. The transaction
// that writes the content removes the row.

const name = 'restore_begun_at'

/** Message for a caller that opens a database whose restore was interrupted. */
export const interruptedRestore =
  'A restore into this database did not finish. Run “backup restore” again with the same backup.'

/** Whether a restore into this database has begun and not finished. */
export async function isRestoring(db: Db): Promise<boolean> {
  const row = await db.selectFrom('settings').select('name').where('name', '=', name).executeTakeFirst()
  return row !== undefined
}

/** Notes in an empty database that a restore has begun. Until it ends, the database is not used as a calendar. */
export async function markRestoring(storage: Storage, now: number): Promise<void> {
  await storage.write((tx) =>
    tx
      .insertInto('settings')
      .values({ name, value: String(now) })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute(),
  )
}
