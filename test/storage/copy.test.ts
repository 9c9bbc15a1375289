import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { setPassword, signIn } from '../../src/access/auth/session.service.ts'
import { createUser } from '../../src/access/auth/user.service.ts'
import type { Deps } from '../../src/access/deps.ts'
import { readConfig } from '../../src/base/config/config.ts'
import { addSeconds, type LocalDateTime } from '../../src/base/time/local.date.time.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { writeContext } from '../../src/calendar/records/write.context.ts'
import { createSeries } from '../../src/calendar/series/series.create.service.ts'
import { importRecordings } from '../../src/exchange/imports/import.service.ts'
import { readTecRecording } from '../../src/exchange/imports/tec.ts'
import { parseTranslations } from '../../src/exchange/imports/translations.ts'
import { openExternalDeps } from '../../src/main.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import {
  countRows,
  nonContentTables,
  type TableRow,
  tableBatches,
  tableNames,
} from '../../src/storage/database/copies/copy.tables.ts'
import { CopyError, copyDatabase } from '../../src/storage/database/copies/copy.ts'
import { inSnapshot, withSnapshot } from '../../src/storage/database/copies/snapshot.ts'
import { derivedTables } from '../../src/storage/database/derivation.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { readRevision } from '../../src/storage/database/revision.ts'
import { type Storage, StorageError } from '../../src/storage/database/storage.ts'
import type { Db } from '../../src/storage/database/tables.ts'
import { testNow } from '../support/app.ts'
import { openTestDatabase } from '../support/database.ts'
import { givenRecording, readRecorded, recordedFiles, tecEvent } from '../support/recording.ts'

type Context = Pick<TestContext, 'after'>

async function givenSqlite(t: Context): Promise<Deps> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-copy-'))
  const config = readConfig({ DATA_DIR: folder })
  const storage = await openStorage(config, {
    audited: auditedTables,
    derivations: derivationsFor(config),
    isDurable: false,
  })
  t.after(async () => {
    await storage.close()
    await rm(folder, { recursive: true })
  })
  return { config, storage, ...(await openExternalDeps(config)), now: () => testNow }
}

async function givenPostgres(t: Context): Promise<Storage> {
  const { storage, remove } = await openTestDatabase({})
  assert.equal(storage.dialect.name, 'postgres')
  t.after(remove)
  return storage
}

/**
 * Three recorded calendars and a translation, a record that refers to a later one, and an id whose write was rolled
 * back.
 */
async function givenCalendar(t: Context): Promise<Deps> {
  const deps = await givenSqlite(t)
  const { user } = await createUser(deps, { name: 'Zoë', role: 'administrator', email: 'zoe@example.org' })
  await createUser(deps, { name: 'éva', role: 'author' })
  await setPassword(deps, user.id, { password: 'correct horse battery staple' })
  await signIn(deps, 'Zoë', 'correct horse battery staple')
  const author = { authorId: user.id }
  const recorded = recordedFiles.map((file) => readTecRecording(file, readRecorded(file)))
  await importRecordings(deps, recorded, author)
  const recording = (text: string) => [readTecRecording('test.json', text)]
  await importRecordings(deps, recording(givenRecording([tecEvent(1)])), author)
  await importRecordings(deps, recording(givenRecording([tecEvent(2, { title: 'Fête 🎉' })])), {
    ...author,
    language: 'fr-CA',
    translations: parseTranslations('{"events": {"2": 1}}'),
  })
  const start = '2030-05-03 18:30:00'
  await deps.storage.write((tx) =>
    createSeries(writeContext({ deps, actor: { kind: 'user', id: user.id, role: user.role } }, tx), {
      draft: { title: 'Yoga', start: start as LocalDateTime, end: addSeconds(start as LocalDateTime, 3600) },
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3', except: ['2030-05-10'] },
      language: 'en',
    }),
  )
  await deps.storage.write(async (tx) => {
    const { first, last } = await tx
      .selectFrom('records')
      .select(({ fn }) => [fn.min('id').as('first'), fn.max('id').as('last')])
      .executeTakeFirstOrThrow()
    await tx.updateTable('records').set({ parent_id: last, image_id: last }).where('id', '=', first).execute()
    await tx
      .updateTable('events')
      .set({ event_status: 'rescheduled', status_reason: 'Tempête', status_at: 1, attendance: 'mixed' })
      .set({ previous_starts: '[{"until":1}]', virtual_url: 'https://meet.example/', virtual_access: 'registered' })
      .where(
        'record_id',
        '=',
        tx.selectFrom('events').select(({ fn }) => fn.min('record_id').as('id')),
      )
      .execute()
    await tx.insertInto('settings').values({ name: 'colour', value: 'bleu' }).execute()
    const gone = await tx
      .insertInto('users')
      .values({ name: 'x', name_folded: 'x', email: '', role: 'author', created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx.deleteFrom('users').where('id', '=', gone.id).execute()
  })
  return deps
}

async function contentOf(db: Db): Promise<Readonly<Record<string, readonly TableRow[]>>> {
  const tables: [string, readonly TableRow[]][] = []
  for (const table of tableNames) tables.push([table, (await Array.fromAsync(tableBatches(db, table))).flat()])
  return Object.fromEntries(tables)
}

async function rowsOf(db: Db): Promise<number> {
  let rows = 0
  for (const table of tableNames) rows += await countRows(db, table)
  return rows
}

test('a database copied to PostgreSQL and back is the same', async (t) => {
  const source = await givenCalendar(t)
  const between = await givenPostgres(t)
  const target = await givenSqlite(t)
  const progress: number[] = []

  const there = await withSnapshot(source.config, (snapshot) =>
    copyDatabase(snapshot, between, (done, total) => progress.push(done / total)),
  )
  const back = await inSnapshot(between.db, between.dialect, (snapshot) => copyDatabase(snapshot, target.storage))

  const expected = await contentOf(source.storage.db)
  assert.deepEqual(await contentOf(target.storage.db), expected)
  assert.deepEqual(back, there)
  assert.equal(there.records.rows, expected.records?.length)
  assert.ok(there.records.rows > 50)
  assert.ok(expected.records?.some(({ group_id }) => group_id !== null))
  assert.ok(expected.records?.some(({ parent_id, id }) => Number(parent_id) > Number(id)))
  assert.equal(progress.at(-1), 1)
})

test('every table is copied but the counter of writes, which is the database’s own, and what is derived', async (t) => {
  const { storage } = await givenSqlite(t)

  const { rows } = await sql<{ name: string }>`select name from pragma_table_list
    where schema = 'main' and type in ('table', 'virtual') and name not like 'sqlite%' and name not like 'kysely%'
    order by name`.execute(storage.db)

  assert.deepEqual(
    [...tableNames, ...nonContentTables, ...derivedTables(derivationsFor())].sort(),
    rows.map(({ name }) => name),
  )
})

test('after a copy no id is given that the source had given before, also to what is gone', async (t) => {
  const source = await givenCalendar(t)
  const between = await givenPostgres(t)
  const target = await givenSqlite(t)
  await withSnapshot(source.config, (snapshot) => copyDatabase(snapshot, between))
  await inSnapshot(between.db, between.dialect, (snapshot) => copyDatabase(snapshot, target.storage))

  const [here, there, back] = await Promise.all(
    [source, { ...source, storage: between }, target].map(async (deps) => {
      const { user } = await createUser(deps, { name: 'new', role: 'editor' })
      const [recorded] = recordedFiles.map((file) => readTecRecording(file, givenRecording([tecEvent(99)])))
      assert.ok(recorded)
      await importRecordings(deps, [recorded], { authorId: user.id })
      const { db } = deps.storage
      const record = await db
        .selectFrom('records')
        .select(({ fn }) => fn.max('id').as('id'))
        .executeTakeFirst()
      return { user: user.id, record: record?.id }
    }),
  )

  // Two users exist; the third was removed.
  assert.equal(here?.user, 4)
  assert.deepEqual(there, here)
  assert.deepEqual(back, here)
})

test('a copy counts its writes on from those that its users made, so that replicas of it are read from', async (t) => {
  const source = await givenCalendar(t)
  const between = await givenPostgres(t)
  const lastRevision = 500
  await source.storage.write((tx) => tx.updateTable('users').set({ last_revision: lastRevision }).execute())

  await withSnapshot(source.config, (snapshot) => copyDatabase(snapshot, between))

  const copied = await readRevision(between.db)
  assert.ok(copied >= lastRevision, `${copied} writes`)
  await between.write((tx) => tx.deleteFrom('settings').execute())
  assert.equal(await readRevision(between.db), copied + 1)
})

for (const engine of ['sqlite', 'postgres'] as const) {
  const givenTarget = async (t: Context) => (engine === 'sqlite' ? (await givenSqlite(t)).storage : givenPostgres(t))

  test(`a ${engine} target that is not empty is refused, and left as it was`, async (t) => {
    const source = await givenCalendar(t)
    const target = await givenTarget(t)
    await target.write((tx) => tx.insertInto('settings').values({ name: 'colour', value: 'red' }).execute())

    await assert.rejects(
      withSnapshot(source.config, (snapshot) => copyDatabase(snapshot, target)),
      (error) => error instanceof CopyError && /rows in settings \(1\)/.test(error.message),
    )

    assert.equal(await rowsOf(target.db), 1)
  })

  test(`a row that is not the same on a ${engine} target is found, and nothing of the copy is kept`, async (t) => {
    const source = await givenCalendar(t)
    const target = await givenTarget(t)
    await changeWhatIsWritten(target)

    await assert.rejects(
      withSnapshot(source.config, (snapshot) => copyDatabase(snapshot, target)),
      (error) => error instanceof CopyError && /copy of terms differs/.test(error.message),
    )

    assert.equal(await rowsOf(target.db), 0)
  })
}

/** Makes the database change a term without the knowledge of its writer. */
async function changeWhatIsWritten({ dialect, write }: Storage): Promise<void> {
  const change = sql`update terms set description = 'changed' where id = new.id`
  await write(async (tx) => {
    if (dialect.name === 'sqlite') {
      await sql`create trigger change after insert on terms when new.id = 3 begin ${change}; end`.execute(tx)
      return
    }
    await sql`create function change() returns trigger language plpgsql as 'begin
      update terms set description = ''changed'' where id = new.id; return null; end'`.execute(tx)
    await sql`create trigger change after insert on terms for each row when (new.id = 3)
      execute function change()`.execute(tx)
  })
}

test('a copy shows one moment, whatever is written to the source meanwhile', async (t) => {
  const source = await givenCalendar(t)
  const target = await givenPostgres(t)
  const before = await countRows(source.storage.db, 'users')

  await withSnapshot(source.config, async (snapshot) => {
    await countRows(snapshot.db, 'users')
    await createUser(source, { name: 'late', role: 'author' })
    await copyDatabase(snapshot, target)
  })

  assert.equal(await countRows(target.db, 'users'), before)
  assert.equal(await countRows(source.storage.db, 'users'), before + 1)
})

test('a source that is not in its newest form is refused and not changed', async (t) => {
  const { config, storage } = await givenSqlite(t)
  await storage.write((tx) => sql`delete from kysely_migration where name > '0001'`.execute(tx))

  await assert.rejects(
    withSnapshot(config, async () => {}),
    (error) =>
      error instanceof StorageError &&
      /is not up to date: the migration \d{4}-\S+ is missing. Run “migrate” first\.$/.test(error.message),
  )
})
