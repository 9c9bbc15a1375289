import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import type { Derivation } from '../../storage/database/derivation.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { derivationsFor } from '../derivations.ts'
import { derivedFromEvents, type EventDerivation } from './stale.events.repository.ts'

/** A derivation in one file and one entry: the number of users, as a setting. */
const userCount: Derivation = {
  name: 'user count',
  tables: [],
  refresh: async (tx) => {
    await sql`insert into settings (name, value) select 'user_count', cast(count(*) as text) from users where true
      on conflict (name) do update set value = excluded.value`.execute(tx)
  },
}

async function givenStorage(
  t: { after(work: () => Promise<void>): void },
  further: readonly Derivation[],
): Promise<Awaited<ReturnType<typeof openTestDatabase>>['storage']> {
  const { storage, remove } = await openTestDatabase({}, { derivations: [...derivationsFor(), ...further] })
  t.after(remove)
  return storage
}

async function countedUsers(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', 'user_count').executeTakeFirst()
  return row?.value
}

async function addUser(tx: Tx, name: string): Promise<void> {
  const user = { name, name_folded: name, email: `${name}@example.org`, role: 'editor', created_at: 0 }
  await tx.insertInto('users').values(user).execute()
}

test('a derivation is up to date when a write is done, however many writes share its commit', async (t) => {
  const storage = await givenStorage(t, [userCount])

  await Promise.all(['ann', 'bob', 'cem'].map((name) => storage.write((tx) => addUser(tx, name))))

  assert.equal(await countedUsers(storage.db), '3')
})

test('a write of which nothing is kept leaves derivations as they were', async (t) => {
  const storage = await givenStorage(t, [userCount])
  await storage.write((tx) => addUser(tx, 'ann'))

  const failed = storage.write(async (tx) => {
    await addUser(tx, 'bob')
    throw new Error('no')
  })

  await assert.rejects(failed, /no/)
  assert.equal(await countedUsers(storage.db), '1')
})

test('where a derivation fails, nothing is written, and the next write is none the worse', async (t) => {
  let isBroken = false
  const fragile: Derivation = {
    name: 'fragile',
    tables: [],
    refresh: async () => {
      if (isBroken) throw new Error('out of order')
    },
  }
  const storage = await givenStorage(t, [userCount, fragile])
  isBroken = true
  await assert.rejects(
    storage.write((tx) => addUser(tx, 'ann')),
    /out of order/,
  )
  isBroken = false

  await storage.write((tx) => addUser(tx, 'bob'))

  const names = await storage.db.selectFrom('users').select('name').execute()
  assert.deepEqual(names, [{ name: 'bob' }])
  assert.equal(await countedUsers(storage.db), '1')
})

test('derivations of events run in order, a batch of events at a time', async (t) => {
  const steps: string[] = []
  const noting = (name: string): EventDerivation => ({
    tables: [name],
    refresh: async (_tx, _dialect, changes) => {
      const stale = changes.filter(({ hasStaleText }) => hasStaleText)
      steps.push(`${name} refreshes ${changes.length}, ${stale.length} with a stale text`)
      return []
    },
  })
  const { storage, remove } = await openTestDatabase(
    {},
    { derivations: [derivedFromEvents([noting('first'), noting('second')])] },
  )
  t.after(remove)

  await storage.write(async (tx) => {
    const numbers = Array.from({ length: 1001 }, (_, place) => place + 1)
    await sql`insert into stale_events (event_id, has_stale_text)
      values ${sql.join(numbers.map((id) => sql`(${sql.lit(id)}, ${sql.lit(id > 998 ? 1 : 0)})`))}`.execute(tx)
  })

  const batch = (count: number, stale: number) => [
    `first refreshes ${count}, ${stale} with a stale text`,
    `second refreshes ${count}, ${stale} with a stale text`,
  ]
  assert.deepEqual(steps, [...batch(1000, 2), ...batch(1, 1)])
  const { rows } = await sql`select 1 from stale_events`.execute(storage.db)
  assert.deepEqual(rows, [])
})

test('notes about other items are processed with those about events, however many there are', async (t) => {
  const storage = await givenStorage(t, [])
  const { numbers } = storage.dialect
  for (const count of [1, 999, 1000, 1001, 2500]) {
    const ids = Array.from({ length: count }, (_, place) => place + 1)
    for (const others of [[], ['venue']]) {
      await storage.write(async (tx) => {
        await sql`insert into stale_events (event_id) select id from ${numbers(ids)} given`.execute(tx)
        await sql`insert into stale_items (kind, item_id) select 'event', id from ${numbers(ids)} given`.execute(tx)
        for (const kind of others) await sql`insert into stale_items (kind, item_id) values (${kind}, 5)`.execute(tx)
      })
      const { rows } = await sql<{ kind: string }>`select 'stale' as kind from stale_events
        union all select kind from stale_items`.execute(storage.db)

      assert.deepEqual(rows, [], `${count} events and ${others}`)
    }
  }
})
