import { randomUUID } from 'node:crypto'
import type { Storage } from '../../storage/database/storage.ts'
import type { Db } from '../../storage/database/tables.ts'

const name = 'calendar_identity'

/**
 * Returns the identity of this calendar, a UUID. It is created at start or on first use, and is stored with the data,
 * so that a calendar keeps it when it moves to another address or engine.
 */
export async function calendarIdentity(storage: Storage): Promise<string> {
  return (await findIdentity(storage.db)) ?? makeIdentity(storage)
}

async function makeIdentity(storage: Storage): Promise<string> {
  // No response is made from the state before.
  return storage.writeWithoutRevision(async (tx) => {
    await tx
      .insertInto('settings')
      .values({ name, value: randomUUID() })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return (await findIdentity(tx)) ?? ''
  })
}

async function findIdentity(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}
