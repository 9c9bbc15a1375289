import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Client } from 'pg'
import { type Config, readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import type { Storage, StorageOptions } from '../../src/storage/database/storage.ts'

/** An open, empty database for one test. */
export interface TestDatabase {
  readonly config: Config
  readonly storage: Storage
  /** Closes the database and removes it. */
  remove(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

/** A test needs only a few connections, and a server has a limited number. */
const poolSize = '4'

/**
 * Opens an empty database with the current schema, and the configuration of the service for it. Uses the server of
 * DATABASE_URL if the environment sets it, else the engine in TEST_ENGINE, `sqlite` or `postgres`.
 */
export async function openTestDatabase(
  environment: Environment,
  options: Partial<StorageOptions> = {},
): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-test-'))
  const made = await makeDatabase(environment)
  const config = readConfig({
    DATA_DIR: folder,
    DATABASE_POOL_SIZE: poolSize,
    READERS: '0',
    ...environment,
    DATABASE_URL: made.url ?? '',
  })
  if (config.database.engine === 'sqlite') await copyTemplate(config.database.file)
  const given = {
    audited: auditedTables,
    derivations: derivationsFor(config, options.now ? { now: options.now } : {}),
    ...options,
  }
  const storage = await (made.open?.(given) ?? openStorage(config, { isDurable: false, ...given }))
  return {
    config,
    storage,
    remove: async () => {
      await storage.close()
      await made.drop()
      await rm(folder, { recursive: true })
    },
  }
}

let template: Promise<Buffer> | undefined

/** Copies a migrated database of SQLite to this place: that of `test/run.ts`, else one that this process migrates. */
async function copyTemplate(file: string): Promise<void> {
  const { TEST_SQLITE_TEMPLATE: made } = process.env
  template ??= made === undefined ? migratedDatabase() : readFile(made)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, await template)
}

/** The bytes of an empty database of SQLite with the current schema. */
export async function migratedDatabase(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-test-'))
  const config = readConfig({ DATA_DIR: folder })
  // The derivations are prepared when a copy is opened, because they depend on the settings of its test.
  const storage = await openStorage(config, { isDurable: false, derivations: [], audited: auditedTables })
  await storage.close()
  const bytes = await readFile(join(folder, 'calendar.sqlite'))
  await rm(folder, { recursive: true })
  return bytes
}

interface Made {
  readonly url?: string
  readonly open?: (options: Partial<StorageOptions>) => Promise<Storage>
  drop(): Promise<void>
}

/** Uses the server that the environment names, else TEST_ENGINE. */
async function makeDatabase({ DATABASE_URL = '' }: Environment): Promise<Made> {
  if (/^postgres/.test(DATABASE_URL)) return createDatabase(DATABASE_URL, undefined)
  const { TEST_ENGINE = 'sqlite', TEST_POSTGRES_URL = '', TEST_POSTGRES_TEMPLATE } = process.env
  if (TEST_ENGINE === 'sqlite') return { drop: async () => {} }
  if (TEST_ENGINE !== 'postgres') throw new Error(`TEST_ENGINE is “${TEST_ENGINE}” but must be sqlite or postgres.`)
  if (TEST_POSTGRES_URL === '') {
    throw new Error('TEST_POSTGRES_URL is not set. “npm test” sets it, to a server of its own where need be.')
  }
  if (TEST_POSTGRES_URL === 'pglite') {
    const { openPglite } = await import('./pglite.ts')
    return { open: openPglite, drop: async () => {} }
  }
  return createDatabase(TEST_POSTGRES_URL, TEST_POSTGRES_TEMPLATE)
}

/**
 * Returns the DATABASE_URL of an empty database for processes that the test starts. '' means SQLite in their data
 * folder. Undefined on PGlite, which exists in one process only.
 */
export async function givenDatabaseUrl(t: { after(work: () => Promise<void>): void }): Promise<string | undefined> {
  const { url, open, drop } = await makeDatabase({})
  t.after(drop)
  return open ? undefined : (url ?? '')
}

/** Returns true if tests run on PostgreSQL, for tests that need their own server. */
export const isOnPostgres = (): boolean => process.env.TEST_ENGINE === 'postgres'

/**
 * Returns true if tests run on PGlite. It has one connection, so a write also blocks reads of authenticated requests.
 */
export const isOnPglite = (): boolean => isOnPostgres() && process.env.TEST_POSTGRES_URL === 'pglite'

/** Creates a database on the server: a copy of the template if there is one, else an empty one. */
export async function createDatabase(
  server: string,
  template: string | undefined,
): Promise<{ readonly url: string; readonly name: string; drop(): Promise<void> }> {
  const name = `cal_events_test_${randomBytes(8).toString('hex')}`
  const run = template === undefined ? (statement: string) => runOn(server, statement) : administration(server)
  // Copying the files of a template takes half the time of writing its pages to the log.
  const { TEST_POSTGRES_COPY: how = '' } = process.env
  await run(`create database ${name} encoding 'UTF8' template ${template ?? 'template0'} ${template ? how : ''}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  const drop = async () => {
    await run(untilUnused(name))
    await run(`drop database if exists ${name} with (force)`)
  }
  return { url: url.href, name, drop }
}

/**
 * Waits until no connection uses a database. A pool is closed before its connections end, a few milliseconds later.
 * PostgreSQL would drop a database in use as well, but it looks only every 100 ms whether the last connection has ended.
 */
const untilUnused = (name: string) => `do $$ begin
  for attempt in 1..50 loop
    exit when not exists (select from pg_stat_activity where datname = '${name}');
    perform pg_sleep(0.002), pg_stat_clear_snapshot();
  end loop;
end $$`

/** The types of the driver leave out what ends a wait for its connection. */
type AdministratorClient = Client & { ref(): void; unref(): void }

let administrator: { readonly server: string; readonly client: Promise<AdministratorClient> } | undefined
let running = 0

/** Runs statements on one connection of this process, because opening one takes longer than most statements. */
function administration(server: string): (statement: string) => Promise<void> {
  return async (statement) => {
    if (administrator?.server !== server) administrator = { server, client: connect(server) }
    const client = await administrator.client
    // The connection keeps the process alive only while statements run.
    running += 1
    client.ref()
    try {
      await client.query(statement)
    } finally {
      running -= 1
      if (running === 0) client.unref()
    }
  }
}

async function connect(url: string): Promise<AdministratorClient> {
  const { default: postgres } = await import('pg')
  const client = new postgres.Client(url)
  client.once('error', () => {
    administrator = undefined
  })
  await client.connect()
  return client as AdministratorClient
}

/** Runs one statement on its own connection. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = await connect(url)
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
