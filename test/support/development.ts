import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { type Config, readConfig } from '../../src/base/config/config.ts'
import { givenFolder } from './backup.ts'
import { givenDatabaseUrl, runOn } from './database.ts'

// A small calendar of the last program before the baseline, as that made it on each engine, and a backup of it.

/** The key of its editor “zoe”. */
export const keptKey = 'abcd efgh ijkl mnop qrst uvwx'

interface DevelopmentCalendar {
  readonly config: Config
  /** Runs SQL on its database, past the program. */
  run(sql: string): Promise<void>
}

/** Returns the calendar on the engine in TEST_ENGINE; undefined on PGlite. */
export async function givenDevelopmentCalendar(t: TestContext): Promise<DevelopmentCalendar | undefined> {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) return undefined
  const config = readConfig({
    ...{ DATA_DIR: await givenFolder(t), DATABASE_URL: url },
    ...{ SITE_TIMEZONE: 'UTC', LOG_LEVEL: 'silent', READERS: '0' },
  })
  if (config.database.engine === 'sqlite') {
    const { file } = config.database
    await writeFile(file, await unpacked('calendar.sqlite.gz'))
    const run = async (sql: string) => {
      new Database(file).exec(sql).close()
    }
    return { config, run }
  }
  // The database may be a copy of the template, with the present schema.
  await runOn(url, 'drop schema public cascade; create schema public')
  await runOn(url, (await unpacked('calendar.postgres.sql.gz')).toString())
  return { config, run: (sql) => runOn(url, sql) }
}

/** Copies the backup into a folder, and returns its path. */
export async function givenDevelopmentBackup(t: TestContext): Promise<string> {
  const file = join(await givenFolder(t), 'backup')
  await copyFile(kept('backup.tar.zst'), file)
  return file
}

function kept(name: string): string {
  return fileURLToPath(new URL(`development/${name}`, import.meta.url))
}

async function unpacked(name: string): Promise<Buffer> {
  return gunzipSync(await readFile(kept(name)))
}
