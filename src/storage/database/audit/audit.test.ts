import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/support/database.ts'
import type { Storage } from '../storage.ts'
import type { AuditRow, Tx } from '../tables.ts'
import { pruneAuditEntries } from './audit.ts'

const now = 1000

async function givenStorage(t: Pick<TestContext, 'after'>): Promise<Storage> {
  const { storage, remove } = await openTestDatabase({}, { now: () => now })
  t.after(remove)
  return storage
}

const addUser = async (tx: Tx, name: string) => {
  const values = { name, name_folded: name, email: '', role: 'author', created_at: 1 }
  const { id } = await tx.insertInto('users').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

const addTerm = async (tx: Tx, name: string) => {
  const texts = { name, name_folded: name, slug: name, description: '' }
  const term = { taxonomy: 'tag', ...texts, parent_id: 0, language: 'en', group_id: null, event_count: 0 } as const
  const { id } = await tx.insertInto('terms').values(term).returning('id').executeTakeFirstOrThrow()
  return id
}

const entriesOf = ({ db }: Storage): Promise<AuditRow[]> => db.selectFrom('audit').selectAll().orderBy('id').execute()

const told = (entries: readonly AuditRow[]) =>
  entries.map(({ kind, item_id, action, changes }) => [kind, item_id, action, JSON.parse(changes)])

test('a write that is taken back leaves nothing, those of the same commit leave what is theirs', async (t) => {
  const storage = await givenStorage(t)

  const outcomes = await Promise.allSettled([
    storage.write((tx) => addUser(tx, 'ada')),
    storage.write(async (tx) => {
      await addUser(tx, 'bob')
      throw new Error('no')
    }),
    storage.write((tx) => addUser(tx, 'eve')),
  ])

  const ids = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.equal(ids.length, 2)
  assert.deepEqual(
    told(await entriesOf(storage)),
    ids.map((id) => ['user', id, 'create', {}]),
  )
})

test('several changes of one item are one entry, from what it was before the write to what it is after', async (t) => {
  const storage = await givenStorage(t)
  const id = await storage.write((tx) => addTerm(tx, 'jazz'))
  const rename = (tx: Tx, name: string) => tx.updateTable('terms').set({ name }).where('id', '=', id).execute()

  await storage.write(async (tx) => {
    await rename(tx, 'blues')
    await rename(tx, 'swing')
  })
  await storage.write(async (tx) => {
    await rename(tx, 'gone')
    await tx
      .deleteFrom('terms')
      .where('id', '=', await addTerm(tx, 'fleeting'))
      .execute()
    await tx.updateTable('terms').set({ event_count: 7 }).execute()
    await rename(tx, 'swing')
  })

  assert.deepEqual(told(await entriesOf(storage)).slice(1), [
    ['tag', id, 'update', { name: { before: 'jazz', after: 'swing' } }],
    ['tag', id, 'update', {}],
  ])
})

test('an entry says by whom, under the name of that time, and from where', async (t) => {
  const storage = await givenStorage(t)
  const userId = await storage.write((tx) => addUser(tx, 'ada'))
  const origin = { via: 'http', userId, address: '192.0.2.7', requestId: 'r1' } as const

  await storage.withOrigin(origin).write((tx) => addTerm(tx, 'one'))
  await storage.write((tx) => tx.updateTable('users').set({ name: 'eve' }).where('id', '=', userId).execute())
  await storage.forRequest({ origin, lastRevision: 0, isReading: false }).write((tx) => addTerm(tx, 'two'))
  await storage.write((tx) => tx.deleteFrom('users').where('id', '=', userId).execute())

  assert.deepEqual(
    (await entriesOf(storage)).map(({ at, via, user_id, user_name, address, request_id }) => ({
      ...{ at, via, user_id, user_name, address, request_id },
    })),
    [
      { at: now, via: 'service', user_id: null, user_name: null, address: null, request_id: null },
      { at: now, via: 'http', user_id: userId, user_name: 'ada', address: '192.0.2.7', request_id: 'r1' },
      { at: now, via: 'service', user_id: null, user_name: null, address: null, request_id: null },
      { at: now, via: 'http', user_id: userId, user_name: 'eve', address: '192.0.2.7', request_id: 'r1' },
      { at: now, via: 'service', user_id: null, user_name: null, address: null, request_id: null },
    ],
  )
})

test('keys come and go as part of their user, without their digests', async (t) => {
  const storage = await givenStorage(t)
  const key = { label: 'first', digest: 'digest-of-a-key', created_at: 1 }
  const userId = await storage.write(async (tx) => {
    const id = await addUser(tx, 'ada')
    await tx
      .insertInto('application_passwords')
      .values({ user_id: id, ...key })
      .execute()
    return id
  })

  await storage.write(async (tx) => {
    await tx.deleteFrom('application_passwords').where('user_id', '=', userId).execute()
    await tx
      .insertInto('application_passwords')
      .values({ user_id: userId, ...key, label: 'second' })
      .execute()
  })

  const entries = await entriesOf(storage)
  const [before, after] = [[{ id: 1, label: 'first' }], [{ id: 2, label: 'second' }]]
  assert.deepEqual(told(entries), [
    ['user', userId, 'create', {}],
    ['user', userId, 'update', { application_passwords: { before, after } }],
  ])
  assert.ok(!JSON.stringify(entries).includes(key.digest))
})

test('long values are cut, so that an entry stays small', async (t) => {
  const storage = await givenStorage(t)
  const id = await storage.write((tx) => addTerm(tx, 'jazz'))
  const text = '🎷'.repeat(100_000)

  await storage.write((tx) =>
    tx.updateTable('terms').set({ description: text, name: text }).where('id', '=', id).execute(),
  )

  const changes = (await entriesOf(storage)).at(-1)?.changes ?? ''
  assert.deepEqual(JSON.parse(changes).description, { before: '', after: `${'🎷'.repeat(500)}…`, cut: true })
  assert.ok(Buffer.byteLength(changes) < 16_384)
})

test('entries are neither changed nor removed, nor replaced', async (t) => {
  const storage = await givenStorage(t)
  await storage.write((tx) => addUser(tx, 'ada'))
  const before = await entriesOf(storage)

  const attempts = {
    update: sql`update audit set user_name = 'eve'`,
    updateOfNothing: sql`update audit set at = at`,
    delete: sql`delete from audit`,
    ...(storage.dialect.name === 'postgres'
      ? {
          truncate: sql`truncate audit`,
          replace: sql`insert into audit select * from audit on conflict (id) do update set action = 'none'`,
        }
      : { replace: sql`insert or replace into audit select * from audit` }),
  }

  for (const [name, statement] of Object.entries(attempts)) {
    await assert.rejects(
      storage.write((tx) => statement.execute(tx)),
      /neither changed nor removed/,
      name,
    )
  }
  assert.deepEqual(await entriesOf(storage), before)
})

test('only what is old enough is removed, so many at once, and that is recorded', async (t) => {
  const storage = await givenStorage(t)
  for (const name of ['ada', 'bob', 'eve']) await storage.write((tx) => addUser(tx, name))

  const younger = await storage.write((tx) => pruneAuditEntries(tx, now, 10))
  const older = await storage.write((tx) => pruneAuditEntries(tx, now + 1, 2))

  const entries = await entriesOf(storage)
  assert.deepEqual([younger, older], [0, 2])
  assert.deepEqual(told(entries), [
    ['user', 3, 'create', {}],
    ['audit', 0, 'prune', { entries: { before: 2, after: 0 } }],
  ])
  await assert.rejects(
    storage.write((tx) => sql`delete from audit`.execute(tx)),
    /neither changed nor removed/,
  )
})

/** Columns that are derived from others, or that hold nothing a person has written. */
const untold = {
  records: ['id', 'kind', 'status_before_trash', 'title_folded', 'title_html', 'content_html', 'excerpt_html'].concat([
    ...['created_at', 'modified_at', 'is_dated', 'search_text', 'change_count'],
  ]),
  // The time of a status is that of the entry that records it.
  events: ['record_id', 'start_utc', 'end_utc', 'has_tickets', 'status_at'],
  venues: ['record_id'],
  organizers: ['record_id'],
  media: ['record_id', 'extension', 'sizes', 'source_url'],
  terms: ['id', 'taxonomy', 'name_folded', 'event_count', 'change_count'],
  users: ['id', 'name_folded', 'created_at', 'last_revision'],
  // A digest always exists, so a previous digest implies a current one. The scope of a key never changes.
  application_passwords: ['id', 'user_id', 'created_at', 'last_used_at', 'previous_digest', 'previous_until'].concat([
    ...['makers', 'scope'],
  ]),
  account_passwords: ['user_id', 'changed_at'],
} as const

test('every column that somebody writes is watched', async (t) => {
  const storage = await givenStorage(t)
  const { db, dialect } = storage
  const { rows } = await (dialect.name === 'sqlite'
    ? sql<{ text: string }>`select sql as text from sqlite_schema where type = 'trigger' and name like '%_audit_%'`
    : sql<{ text: string }>`select pg_get_triggerdef(oid) as text from pg_trigger where tgname like '%_audit_%'`
  ).execute(db)
  const watched = (table: string, column: string) =>
    rows.some(({ text }) => {
      const [, columns = '', on] = /after update of (.*?) on (?:[\w"]+\.)?"?(\w+)/i.exec(text) ?? []
      return on === table && columns.split(/,\s*/).includes(column)
    })

  const tables = (await db.introspection.getTables()).filter(({ name }) => name in untold)
  const missing = tables.flatMap(({ name, columns }) =>
    columns
      .map((column) => column.name)
      .filter(
        (column) =>
          !watched(name, column) && !(untold[name as keyof typeof untold] as readonly string[]).includes(column),
      )
      .map((column) => `${name}.${column}`),
  )

  assert.ok(tables.length === Object.keys(untold).length)
  assert.deepEqual(missing, [])
})
