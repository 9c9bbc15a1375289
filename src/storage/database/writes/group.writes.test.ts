import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/support/database.ts'
import type { Dialect } from '../dialect.ts'
import { revisionRow } from '../revision.ts'
import { sharedRead } from '../statements/shared.reads.ts'
import type { Tx } from '../tables.ts'
import { rehearse } from './held.write.ts'

async function givenStorage(t: TestContext) {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  return storage
}

const addUser = (tx: Tx, name: string) =>
  tx
    .insertInto('users')
    .values({ name, name_folded: name, email: `${name}@example.org`, role: 'editor', created_at: 0 })
    .execute()
const addSetting = (tx: Tx, name: string) => tx.insertInto('settings').values({ name, value: '' }).execute()
const linkNothing = (tx: Tx) =>
  tx.insertInto('event_venues').values({ event_id: 1, venue_id: 2, position: 0 }).execute()

test('an insert that fails fails its own write with its own error, whatever follows it', async (t) => {
  const storage = await givenStorage(t)

  const outcomes = await Promise.allSettled([
    storage.write((tx) => addSetting(tx, 'before')),
    storage.write(async (tx) => {
      await linkNothing(tx)
    }),
    storage.write(async (tx) => {
      await addSetting(tx, 'taken back')
      await linkNothing(tx)
      await tx.selectFrom('settings').selectAll().execute()
    }),
    storage.write((tx) => addSetting(tx, 'after')),
  ])

  assert.deepEqual(
    outcomes.map(
      (outcome) => outcome.status === 'fulfilled' || /foreign key/i.exec(outcome.reason.message)?.[0].toLowerCase(),
    ),
    [true, 'foreign key', 'foreign key', true],
  )
  const { rows } = await sql<{ name: string }>`select name from settings order by name`.execute(storage.db)
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['after', 'before'],
  )
})

test('of more inserts than are sent ahead, each failure is reported', async (t) => {
  const storage = await givenStorage(t)

  const writing = storage.write(async (tx) => {
    for (let count = 0; count < 50; count += 1)
      await (count === 3 ? linkNothing(tx) : addSetting(tx, `setting ${count}`))
  })

  await assert.rejects(writing, /foreign key/i)
  assert.deepEqual(await storage.db.selectFrom('settings').selectAll().execute(), [])
})

test('a write fails if nothing can be derived from it, also when it is only tried', async (t) => {
  const refuse = {
    name: 'refusing',
    tables: [],
    refresh: async (tx: Tx, dialect: Dialect) => {
      const { rows } = await sql`select 1 from settings where name = 'bad'`.execute(tx)
      if (rows.length === 0) return
      await dialect.runTogether(tx, [sql`insert into event_venues (event_id, venue_id, position) values (1, 2, 0)`])
    },
  }
  const { storage, remove } = await openTestDatabase({}, { derivations: [refuse] })
  t.after(remove)

  const outcomes = await Promise.allSettled([
    storage.write((tx) => addSetting(tx, 'good')),
    storage.write((tx) => addSetting(tx, 'bad')),
    storage.write((tx) => addSetting(tx, 'also good')),
  ])
  const tried = rehearse(storage, (held) => held.write((tx) => addSetting(tx, 'bad')))

  await assert.rejects(tried, /foreign key/i)
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})

test('each write that succeeds is counted and recorded, in its order, and none that fails', async (t) => {
  const storage = await givenStorage(t)
  const countOf = async () =>
    (await sql<{ number: number }>`select number from revisions where id = ${revisionRow}`.execute(storage.db)).rows[0]
      ?.number ?? 0
  await storage.write((tx) => addUser(tx, 'first'))
  const before = await countOf()

  await Promise.allSettled(
    ['b', 'a', 'fails', 'c'].map((name) =>
      storage.write(async (tx) => {
        await addUser(tx, name)
        if (name === 'fails') throw new Error('no')
      }),
    ),
  )

  assert.equal((await countOf()) - before, 3)
  const { rows } = await sql<{ name: string }>`
    select users.name from audit join users on users.id = audit.item_id order by audit.id`.execute(storage.db)
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['first', 'b', 'a', 'c'],
  )
})

test('writes that share a commit read a user once, and see what the writes before them changed', async (t) => {
  const storage = await givenStorage(t)
  await storage.write((tx) => addUser(tx, 'ann'))
  let reads = 0
  const roleOf = (tx: Tx) =>
    sharedRead(tx, 'ann', async () => {
      reads += 1
      return (await tx.selectFrom('users').select('role').executeTakeFirstOrThrow()).role
    })
  const setRole = (tx: Tx, role: string) => tx.updateTable('users').set({ role }).execute()

  const outcomes = await Promise.allSettled([
    storage.write(roleOf),
    storage.write(async (tx) => {
      const before = reads
      await roleOf(tx)
      await roleOf(tx)
      return reads - before <= 1
    }),
    storage.write(async (tx) => {
      await roleOf(tx)
      await setRole(tx, 'author')
    }),
    storage.write(roleOf),
    storage.write(async (tx) => {
      await setRole(tx, 'subscriber')
      await roleOf(tx)
      throw new Error('no')
    }),
    storage.write(roleOf),
  ])

  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed')),
    ['editor', true, undefined, 'author', 'failed', 'author'],
  )
})
