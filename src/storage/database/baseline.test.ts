import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { tablesOfPostgres, tablesOfSqlite, triggersOf } from '../../../test/storage/tables.ts'
import { givenBackupConfig, packed, partsOf, restore, textPart, withSums } from '../../../test/support/backup.ts'
import { ensureBundle } from '../../../test/support/bundle.ts'
import { openTestDatabase } from '../../../test/support/database.ts'
import { givenDevelopmentBackup, givenDevelopmentCalendar, keptKey } from '../../../test/support/development.ts'
import { createApp } from '../../app.ts'
import type { Config } from '../../base/config/config.ts'
import { openDeps } from '../../main.ts'
import { checkAll } from '../../operate/checks/check.service.ts'
import { latestMigration } from './migrate.ts'
import type { Storage } from './storage.ts'

// The schema of the first release is frozen: it is the one that all migrations of its development made together.

/** The calendar of the last program before the baseline; undefined on PGlite. */
async function given(t: TestContext) {
  const calendar = await givenDevelopmentCalendar(t)
  if (!calendar) t.skip('PGlite is in one process only.')
  return calendar
}

/** Opens a calendar as the service does when it starts. */
async function opened(t: TestContext, config: Config) {
  await ensureBundle()
  const deps = await openDeps(config, { now: () => Date.UTC(2030, 0, 16) / 1000 })
  const server = createApp(deps)
  t.after(async () => {
    await server.close()
    await deps.pictures.imageWorker.close()
    await deps.streets.close()
    await deps.storage.close()
  })
  const ask = async (path: string, json?: object) =>
    (
      await server.inject({
        ...{ method: json ? 'POST' : 'GET', url: `/cal/${path}` },
        headers: { host: 'calendar.test', authorization: `Basic ${btoa(`zoe:${keptKey}`)}` },
        ...(json ? { payload: json } : {}),
      })
    ).json()
  return { ask, storage: deps.storage }
}

async function schemaOf({ db, dialect }: Storage) {
  const tables = await (dialect.name === 'sqlite' ? tablesOfSqlite(db) : tablesOfPostgres(db))
  const bounds = sql`select relname, pg_get_expr(relpartbound, oid) as bounds from pg_class
    where relispartition and relnamespace = current_schema()::regnamespace order by relname`
  const parts = dialect.name === 'postgres' ? (await bounds.execute(db)).rows : []
  return { tables, parts, triggers: await triggersOf(db, dialect.name) }
}

/** What the calendar shows. */
async function shownIn(t: TestContext, config: Config) {
  const { ask, storage } = await opened(t, config)
  const titles = async (query: string) =>
    (await ask(`events/v1/events?${query}`)).events.map(({ title }: { readonly title: string }) => title)
  const { items } = await ask('service/v1/changes')
  return {
    ...{ all: await titles('status=any'), found: await titles('search=Été'), tagged: await titles('tags=loud') },
    ...{
      logged: items.length,
      next: (await ask('events/v1/events', { title: 'New', start_date: '2030-02-01', end_date: '2030-02-01' })).id,
    },
    schema: await schemaOf(storage),
  }
}

const shown = {
  all: ['Été 🎉', 'Secret meeting', 'Draft', 'Summer', 'Yoga', 'Yoga', 'Yoga'],
  ...{ found: ['Été 🎉'], tagged: ['Été 🎉'], logged: 11, next: 12 },
}

async function assertSound(config: Config): Promise<void> {
  const found = (await checkAll(config)).filter(({ count }) => count > 0)
  assert.deepEqual(found, [])
}

test('a calendar of the last program before the baseline goes on, with the schema of a new one', async (t) => {
  const calendar = await given(t)
  if (!calendar) return
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)

  const { schema, ...rest } = await shownIn(t, calendar.config)

  assert.deepEqual(schema, await schemaOf(storage))
  assert.ok(Object.keys(schema.triggers).length > 100)
  assert.deepEqual(rest, shown)
  await assertSound(calendar.config)
})

test('a backup of that program is restored', async (t) => {
  const config = await givenBackupConfig(t)
  if (!config) return t.skip('PGlite is in one process only.')

  await restore(config, await givenDevelopmentBackup(t))

  const { schema: _, ...rest } = await shownIn(t, config)
  assert.deepEqual(rest, shown)
  await assertSound(config)
})

test('an older calendar is refused with the commit to go through, and stays as it was', async (t) => {
  const calendar = await given(t)
  if (!calendar) return
  const { config, run } = calendar
  await run("delete from kysely_migration where name > '0049-list-pages'")

  const refusal =
    /has the schema 0049-list-pages\. It is from before the first release\. Run “cal-events migrate” with the commit [0-9a-f]{8} of this program first/
  await assert.rejects(opened(t, config), refusal)
  await assert.rejects(opened(t, config), refusal)
})

test('an older backup is refused with the commit to go through', async (t) => {
  const config = await givenBackupConfig(t)
  if (!config) return t.skip('PGlite is in one process only.')
  const file = await givenDevelopmentBackup(t)
  const parts = (await partsOf(file)).map(({ name, bytes }) =>
    textPart(name, bytes.toString().replace(/(?<="migration":\s*")[^"]*/, '0049-list-pages')),
  )
  await writeFile(file, await packed(withSums(parts)))

  await assert.rejects(
    restore(config, file),
    /^Error: The backup has the schema 0049-list-pages\. It is from before the first release\. Run “cal-events backup restore” with the commit [0-9a-f]{8}/,
  )
})

test('the schema is recorded once, under the name that a new database has', async (t) => {
  const calendar = await given(t)
  if (!calendar) return

  const { storage } = await opened(t, calendar.config)

  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(storage.db)
  assert.deepEqual(
    rows.map(({ name }) => name),
    [latestMigration],
  )
})
