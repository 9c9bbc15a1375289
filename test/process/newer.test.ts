import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import packageJson from '../../package.json' with { type: 'json' }
import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { latestMigration } from '../../src/storage/database/migrate.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { beginningPart, packed, withSums } from '../support/backup.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { startShell } from '../support/shell.ts'

// The message must name the version that the database needs, for operators who return to an older version.

const options = { timeout: 120_000 }
const tomorrow = '9999-of-tomorrow'

/** A database that a newer program has migrated, with the same notes about it that this program writes. */
async function givenNewer(t: TestContext, { version = '98.7.6' }: { readonly version?: string | null } = {}) {
  const [url, elsewhere] = [await givenDatabaseUrl(t), await givenDatabaseUrl(t)]
  if (url === undefined || elsewhere === undefined) {
    t.skip('PGlite is in one process only.')
    return undefined
  }
  const shell = await startShell(t)
  const environment = { DATABASE_URL: url, DATA_DIR: join(shell.folder, 'data') }
  const config = readConfig(environment)
  const storage = await openStorage(config, { audited: auditedTables, derivations: derivationsFor(config) })
  await storage.writeWithoutRevision(async (tx) => {
    await sql`insert into kysely_migration (name, timestamp) values (${tomorrow}, '2099-01-01')`.execute(tx)
    if (version !== null) await sql`insert into program_versions values (${tomorrow}, ${version})`.execute(tx)
  })
  await storage.close()
  const { database, databaseFile } = config
  const address = database.engine === 'sqlite' ? `sqlite:${database.file}` : url
  const empty = elsewhere === '' ? `sqlite:${join(shell.folder, 'empty.sqlite')}` : elsewhere
  return { ...shell, environment, databaseFile, address, empty }
}

test('every command says that the database is newer, and which version it needs', options, async (t) => {
  const given = await givenNewer(t)
  if (!given) return
  const { folder, run, environment, databaseFile, address, empty } = given
  const backup = join(folder, 'backup')
  const other = { DATA_DIR: join(folder, 'other') }
  await run(['migrate'], other)
  assert.equal((await run(['backup', 'create', backup], other)).exitCode, 0)
  await run(['migrate'], { ...environment, DATABASE_URL: empty })
  const told =
    `The database ${databaseFile} is newer than this program: it was updated to the schema ${tomorrow} by version ` +
    `98.7.6. This is version ${packageJson.version}, which supports schemas up to ${latestMigration}. ` +
    'Run version 98.7.6 or a newer one.\n'
  const commands = [
    ['serve', '--port', '0'],
    ['serve', '--port', '0', '--workers', '2'],
    ['migrate'],
    ['check'],
    ['user', 'list'],
    ['backup', 'create', join(folder, 'new')],
    ['backup', 'restore', backup],
    ['backup', 'restore', backup, '--force'],
    ['db', 'copy', '--from', address, '--to', empty],
    ['db', 'copy', '--from', empty, '--to', address],
  ]

  // One after the other: a command that reads the database locks out a restore into it.
  for (const args of commands) {
    const { exitCode, err } = await run(args, environment)
    assert.deepEqual([exitCode, err], [69, told], `${args}`)
  }
})

test('a database that does not say which version made its form is told as newer all the same', options, async (t) => {
  const given = await givenNewer(t, { version: null })
  if (!given) return

  const { exitCode, err } = await given.run(['migrate'], given.environment)

  assert.equal(exitCode, 69)
  assert.match(err, /is newer than this program: it has the schema 9999-of-tomorrow.* Run the version that updated it/)
  assert.equal(err.split('\n').length, 2)
})

test('a backup of a newer version is refused with the version that it needs', options, async (t) => {
  const { folder, run } = await startShell(t)
  const file = join(folder, 'backup')
  await writeFile(file, await packed(withSums([beginningPart({ migration: tomorrow, service: '98.7.6' })])))

  const { exitCode, err } = await run(['backup', 'restore', file])

  assert.equal(exitCode, 1)
  assert.match(
    err,
    /^The backup has the schema 9999-of-tomorrow and was made by version 98\.7\.6\. This is .* Restore it with version 98\.7\.6 or a newer one\.\n$/,
  )
})

test('what a later build of the same version has made is not told to need that version', options, async (t) => {
  const given = await givenNewer(t, packageJson)
  if (!given) return
  const { folder, run, environment } = given
  const file = join(folder, 'backup')
  const beginning = beginningPart({ migration: tomorrow, service: packageJson.version })
  await writeFile(file, await packed(withSums([beginning])))
  const build = `a later build of version ${packageJson.version}`

  const migrated = await run(['migrate'], environment)
  const restored = await run(['backup', 'restore', file])

  assert.ok(migrated.err.includes(`was updated to the schema ${tomorrow} by ${build}. This is`), migrated.err)
  assert.ok(migrated.err.endsWith(` Run ${build} or a newer one.\n`), migrated.err)
  assert.ok(restored.err.includes(`the schema ${tomorrow} and was made by ${build}. This is`), restored.err)
  assert.ok(restored.err.endsWith(` Restore it with ${build} or a newer one.\n`), restored.err)
})

test('a database notes which version brought it to its form', options, async (t) => {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) return t.skip('PGlite is in one process only.')
  const { folder } = await startShell(t)
  const storage = await openStorage(readConfig({ DATABASE_URL: url, DATA_DIR: folder }), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  t.after(() => storage.close())

  const { rows } = await sql`select migration, version from program_versions`.execute(storage.db)

  assert.deepEqual(
    rows.map((row) => ({ ...(row as object) })),
    [{ migration: latestMigration, version: packageJson.version }],
  )
})
