import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { Problem } from '../../../base/problems.ts'
import { openSqlite } from './sqlite.ts'
import { takeTurns, withWriteLock } from './write.lock.ts'

const nothingAudited = { items: {}, parts: {} }

async function givenFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-sqlite-'))
  t.after(() => rm(folder, { recursive: true }))
  return join(folder, 'calendar.sqlite')
}

const tablesIn = (file: string): readonly string[] => {
  const handle = new Database(file, { readonly: true })
  const rows = handle.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'").all()
  handle.close()
  return rows.map((row) => (row as { name: string }).name)
}

test('a commit waits for the disk, references hold, and every table is strict', async (t) => {
  const storage = await openSqlite(await givenFile(t), { audited: nothingAudited, derivations: [] })
  const pragma = async (name: string) => {
    const { rows } = await storage.write((tx) => sql<Record<string, unknown>>`${sql.raw(`pragma ${name}`)}`.execute(tx))
    return Object.values(rows[0] ?? {})[0]
  }

  assert.deepEqual(
    [await pragma('journal_mode'), await pragma('synchronous'), await pragma('foreign_keys')],
    ['wal', 2, 1],
  )
  const { rows } = await sql<{ name: string }>`select name from pragma_table_list
    where strict = 0 and type = 'table' and schema = 'main' and name not like 'sqlite_%' and name not like 'kysely_%'`.execute(
    storage.db,
  )
  assert.deepEqual(rows, [])
  await storage.close()
})

test('only the owner may read the files of a database, also of one that others could read before', async (t) => {
  const file = await givenFile(t)
  const files = [file, `${file}-wal`, `${file}-shm`]
  const modes = () => Promise.all(files.map(async (name) => (await stat(name)).mode & 0o777))
  const written = async () => {
    const storage = await openSqlite(file, { audited: nothingAudited, derivations: [] })
    await storage.write((tx) => tx.insertInto('settings').values({ name: randomUUID(), value: '' }).execute())
    return storage
  }

  const first = await written()
  assert.deepEqual(await modes(), [0o600, 0o600, 0o600])
  for (const name of files) await chmod(name, 0o644)
  const second = await written()

  assert.deepEqual(await modes(), [0o600, 0o600, 0o600])
  await Promise.all([first.close(), second.close()])
})

test('migrations run whole or not at all, and again once what was in their way is gone', async (t) => {
  const file = await givenFile(t)
  const handle = new Database(file)
  handle.exec('create table terms (wrong text)')

  await assert.rejects(openSqlite(file, { audited: nothingAudited, derivations: [] }), /newest schema/)
  assert.deepEqual(tablesIn(file), ['terms'])

  handle.exec('drop table terms')
  handle.close()
  const storage = await openSqlite(file, { audited: nothingAudited, derivations: [] })
  await storage.close()
  assert.ok(tablesIn(file).includes('records'))
})

test('what was written is there after the next start, and a write that throws leaves nothing', async (t) => {
  const file = await givenFile(t)
  const first = await openSqlite(file, { audited: nothingAudited, derivations: [] })
  await first.write((tx) => tx.insertInto('settings').values({ name: 'kept', value: '1' }).execute())
  const failing = first.write(async (tx) => {
    await tx.insertInto('settings').values({ name: 'lost', value: '1' }).execute()
    throw new Error('on purpose')
  })
  await assert.rejects(failing, /on purpose/)
  await first.close()

  const second = await openSqlite(file, { audited: nothingAudited, derivations: [] })
  const rows = await second.db.selectFrom('settings').select('name').execute()
  await second.close()

  assert.deepEqual(
    rows.map(({ name }) => name),
    ['kept'],
  )
})

test('a reader sees what is committed and does not wait for a write that is open', async (t) => {
  const storage = await openSqlite(await givenFile(t), { audited: nothingAudited, derivations: [], isDurable: false })
  const names = async () => (await storage.db.selectFrom('settings').select('name').execute()).map(({ name }) => name)
  const { promise: isRead, resolve: finish } = Promise.withResolvers<void>()
  const { promise: isWritten, resolve: written } = Promise.withResolvers<void>()

  const writing = storage.write(async (tx) => {
    await tx.insertInto('settings').values({ name: 'new', value: '1' }).execute()
    written()
    await isRead
  })
  await isWritten
  const before = await names()
  finish()
  await writing

  assert.deepEqual([before, await names()], [[], ['new']])
  await storage.close()
})

/** Opens a second handle on the same file, as another program in the middle of a write. */
function givenWriter(t: TestContext, file: string): Database.Database {
  const handle = new Database(file, { timeout: 0 })
  t.after(() => handle.close())
  handle.exec("begin immediate; insert into settings (name, value) values ('theirs', '1')")
  return handle
}

const options = { timeout: 5000 }

test('a write waits for that of another process, and keeps no reader waiting meanwhile', options, async (t) => {
  const file = await givenFile(t)
  let asked = () => {}
  const storage = await openSqlite(file, {
    audited: nothingAudited,
    derivations: [],
    isDurable: false,
    onQuery: (text) => text === 'begin' && asked(),
  })
  const other = givenWriter(t, file)

  const writing = storage.write((tx) => tx.insertInto('settings').values({ name: 'ours', value: '1' }).execute())
  await new Promise<void>((resolve) => {
    asked = resolve
  })
  const before = await storage.db.selectFrom('settings').select('name').execute()
  other.exec('commit')
  await writing
  const after = await storage.db.selectFrom('settings').select('name').orderBy('name').execute()
  await storage.close()

  assert.deepEqual([before, after], [[], [{ name: 'ours' }, { name: 'theirs' }]])
})

test('a process that does not end its write has others answer that they are unavailable', async (t) => {
  const file = await givenFile(t)
  const storage = await openSqlite(file, { audited: nothingAudited, derivations: [], isDurable: false })
  await storage.close()
  givenWriter(t, file)
  const waiting = new Database(file, { timeout: 0 })
  t.after(() => waiting.close())

  await assert.rejects(
    withWriteLock(async () => waiting.exec('begin immediate'), 10),
    (error) => error instanceof Problem && error.code === 'service_unavailable',
  )
})

test('a write to a database that is closed fails', options, async (t) => {
  const storage = await openSqlite(await givenFile(t), { audited: nothingAudited, derivations: [], isDurable: false })
  await storage.close()

  await assert.rejects(storage.write((tx) => tx.deleteFrom('settings').execute()))
})

test('between long transactions another process gets the lock', async (t) => {
  const file = await givenFile(t)
  const [one, other] = [new Database(file, { timeout: 0 }), new Database(file, { timeout: 0 })]
  t.after(() => [one, other].map((handle) => handle.close()))
  let nowMs = 0
  const inTurn = takeTurns(() => nowMs)
  let transactions = 0
  const long = async () => {
    one.exec('begin immediate')
    transactions += 1
    await new Promise((resolve) => setImmediate(resolve))
    nowMs += 5000
    one.exec('commit')
  }
  let isOver = false
  const busy = (async () => {
    while (!isOver) await inTurn(long)
  })()

  await withWriteLock(async () => {
    other.exec('begin immediate')
    other.exec('commit')
  })
  isOver = true
  await busy

  assert.ok(transactions <= 3, `${transactions} transactions`)
})
