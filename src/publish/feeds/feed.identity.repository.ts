import { randomUUID } from 'node:crypto'
import type { Storage } from '../../storage/database/storage.ts'
import type { Db } from '../../storage/database/tables.ts'

const name = 'calendar_identity'

/**
 * The identity of this calendar, a UUID: made when the service starts, or is first asked for it, and kept with the data,
 * so that a calendar that moves to another address or engine keeps it.
 */
export async function calendarIdentity(storage: Storage): Promise<string> {
  return (await findIdentity(storage.db)) ?? makeIdentity(storage)
}

async function makeIdentity(storage: Storage): Promise<string> {
  // No answer is made of what is there before.
  return storage.writeAside(async (tx) => {
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
