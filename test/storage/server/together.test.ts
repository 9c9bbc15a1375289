import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import { readConfig } from '../../../src/base/config/config.ts'
import { derivationsFor } from '../../../src/calendar/derivations.ts'
import { auditedTables } from '../../../src/operate/audit/audited.fields.ts'
import { latestMigration } from '../../../src/storage/database/migrate.ts'
import { openStorage } from '../../../src/storage/database/open.ts'
import { createDatabase } from '../../support/database.ts'
import { ownServer } from '../../support/postgres.server.ts'

const server = await ownServer()
const run = promisify(execFile)
const program = fileURLToPath(new URL('../open.ts', import.meta.url))
const nodes = 10

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`ten processes that start at once on an empty ${engine} database migrate it once`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'cal-events-together-'))
    t.after(() => rm(folder, { recursive: true }))
    const url = engine === 'sqlite' ? '' : (await createDatabase(server.url, undefined)).url
    const environment = { DATA_DIR: folder, DATABASE_URL: url }

    const started = await Promise.all(
      Array.from({ length: nodes }, () =>
        run(process.execPath, [program], { env: { ...process.env, ...environment } }),
      ),
    )

    assert.deepEqual(
      started.map(({ stdout }) => stdout),
      Array.from({ length: nodes }, () => 'open\n'),
    )
    const storage = await openStorage(readConfig(environment), {
      audited: auditedTables,
      derivations: derivationsFor(),
    })
    t.after(() => storage.close())
    const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(storage.db)
    assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
    assert.equal(rows.at(-1)?.name, latestMigration)
  })
}
