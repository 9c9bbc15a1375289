import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { Problem } from '../../../src/base/problems.ts'
import { derivationsFor } from '../../../src/calendar/derivations.ts'
import { auditedTables } from '../../../src/operate/audit/audited.fields.ts'
import { openPostgres } from '../../../src/storage/database/postgres/postgres.ts'
import type { Storage } from '../../../src/storage/database/storage.ts'
import type { Tx } from '../../../src/storage/database/tables.ts'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { startNode } from '../../support/node.ts'
import { ownServer } from '../../support/postgres.server.ts'

type Ending = { after(work: () => Promise<void>): void }

const server = await ownServer()

/** A database with the settings `one` and `two`, and another client that is connected to it. */
async function given(t: Ending): Promise<{ readonly storage: Storage; readonly other: Client; readonly url: string }> {
  const { url } = await createDatabase(server.url, undefined)
  const storage = await openPostgres(
    { url, shown: url, poolSize: 3, statementTimeoutMs: 20_000, waitMs: 0 },
    { audited: auditedTables, derivations: derivationsFor() },
  )
  await storage.write(async (tx) => {
    await tx
      .insertInto('settings')
      .values([
        { name: 'one', value: '' },
        { name: 'two', value: '' },
      ])
      .execute()
  })
  const other = new Client(url)
  await other.connect()
  t.after(async () => {
    await other.end()
    await storage.close()
  })
  return { storage, other, url }
}

async function set(tx: Tx, name: string, value: string): Promise<void> {
  await tx.updateTable('settings').set({ value }).where('name', '=', name).execute()
}

async function settings({ db }: Storage): Promise<Readonly<Record<string, string>>> {
  const rows = await db.selectFrom('settings').selectAll().execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** Polls until the other client waits for a lock. */
async function untilItWaits({ db }: Storage): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_locks where not granted`.execute(db)
    if (rows.length > 0) return
    await turn()
  }
}

test('a write that is the victim of a deadlock is run again from its start', async (t) => {
  const { storage, other } = await given(t)
  // The server cancels the transaction whose deadlock timeout ends first: ours.
  await other.query(`set deadlock_timeout = '1h'`)
  await other.query('begin')
  await other.query(`update settings set value = 'other' where name = 'two'`)
  let attempts = 0
  let theirs: Promise<unknown> = Promise.resolve()

  await storage.write(async (tx) => {
    attempts += 1
    await set(tx, 'one', 'ours')
    if (attempts === 1) {
      theirs = other.query(`update settings set value = 'other' where name = 'one'`).then(() => other.query('commit'))
      await untilItWaits(storage)
    }
    await set(tx, 'two', 'ours')
  })

  await theirs
  assert.equal(attempts, 2)
  assert.deepEqual(await settings(storage), { one: 'ours', two: 'ours' })
})

test('a write that cannot be serialized is run again and sees what the other one wrote', async (t) => {
  const first = await given(t)
  await runOn(
    first.url,
    `alter database ${new URL(first.url).pathname.slice(1)} set default_transaction_isolation = serializable`,
  )
  const storage = await openPostgres(
    {
      ...{ url: first.url, shown: first.url, poolSize: 3, statementTimeoutMs: 20_000, waitMs: 0 },
    },
    { audited: auditedTables, derivations: derivationsFor() },
  )
  t.after(() => storage.close())
  let attempts = 0

  await storage.write(async (tx) => {
    attempts += 1
    const { value } = await tx
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'one')
      .executeTakeFirstOrThrow()
    if (attempts === 1) await first.other.query(`update settings set value = 'a' where name = 'one'`)
    await set(tx, 'one', `${value}b`)
  })

  assert.equal(attempts, 2)
  assert.equal((await settings(storage)).one, 'ab')
})

test('a write whose key another program takes meanwhile is run again and can choose another one', async (t) => {
  const { storage, other } = await given(t)
  let attempts = 0

  await storage.write(async (tx) => {
    attempts += 1
    const taken = await tx.selectFrom('settings').select('name').where('name', '=', 'three').executeTakeFirst()
    if (attempts === 1) await other.query(`insert into settings values ('three', 'other')`)
    await tx
      .insertInto('settings')
      .values({ name: taken ? 'three-2' : 'three', value: 'ours' })
      .execute()
  })

  assert.equal(attempts, 2)
  assert.deepEqual(await settings(storage), { one: '', two: '', three: 'other', 'three-2': 'ours' })
})

test('a write that conflicts every time ends as unavailable after a bounded number of attempts', async (t) => {
  const { storage } = await given(t)
  let attempts = 0

  const writing = storage.write(async (tx) => {
    attempts += 1
    await set(tx, 'one', 'ours')
    await sql`do $$ begin raise exception using errcode = '40001'; end $$`.execute(tx)
  })

  await assert.rejects(writing, (error) => error instanceof Problem && error.code === 'service_unavailable')
  assert.equal(attempts, 8)
  assert.equal((await settings(storage)).one, '')
})

test('a mistake of ours is told as it is, and not tried again', async (t) => {
  const { storage } = await given(t)
  let attempts = 0

  const writing = storage.write(async (tx) => {
    attempts += 1
    await tx.insertInto('event_terms').values({ event_id: 1, term_id: 1 }).execute()
  })

  await assert.rejects(writing, { code: '23503' })
  assert.equal(attempts, 1)
})

test('two nodes never give one slug twice, trash a record twice or miscount a term', async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  const one = await startNode(url)
  const two = await startNode(url)
  t.after(async () => {
    await one.close()
    await two.close()
  })
  const tag = await one.send('POST', '/tags', { name: 'Jazz' })
  const event = { ...plainEvent, tags: [tag.body.id] }

  const created = await Promise.all(
    Array.from({ length: 20 }, (_, index) => (index % 2 ? one : two).send('POST', '/events', event)),
  )
  const id = created[0]?.body.id
  const trashed = await Promise.all([one, two, one, two].map((node) => node.send('DELETE', `/events/${id}`)))

  assert.deepEqual([...new Set(created.map(({ status }) => status))], [201])
  assert.equal(new Set(created.map(({ body }) => body.slug)).size, 20)
  assert.deepEqual(trashed.map(({ status }) => status).sort(), [200, 410, 410, 410])
  assert.equal((await two.send('GET', `/tags/${tag.body.id}`)).body.count, 19)
})

test('two nodes keep their writes apart on a serializable server whose advisory locks do nothing', async (t) => {
  const { url, name } = await createDatabase(server.url, undefined)
  await runOn(
    url,
    `create schema own;
    create function own.pg_advisory_xact_lock(bigint) returns void language sql as '';
    alter database "${name}" set search_path = own, pg_catalog;
    alter database "${name}" set default_transaction_isolation = 'serializable'`,
  )
  const nodes = [await startNode(url), await startNode(url)]
  t.after(() => Promise.all(nodes.map((node) => node.close())))
  const count = 20

  const answers = await Promise.all(
    nodes.map(async (node) => {
      const statuses = []
      for (let made = 0; made < count; made += 1) statuses.push((await node.send('POST', '/events', plainEvent)).status)
      return statuses
    }),
  )

  assert.deepEqual(
    answers.flat(),
    Array.from({ length: 2 * count }, () => 201),
  )
  const { rows } = await sql<{ slugs: number; numbers: number; last: number }>`
    select (select count(distinct slug) from records) as slugs, (select count(distinct number) from changes) as numbers,
      (select last from change_log) as last`.execute(nodes[0]?.deps.storage.db as Storage['db'])
  assert.deepEqual(
    rows.map(({ slugs, numbers, last }) => [slugs, numbers, last].map(Number)),
    [[40, 40, 40]],
  )
})
