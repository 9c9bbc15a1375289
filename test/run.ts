// Runs the tests, on SQLite and, at the same time, on PostgreSQL those that reach a database:
//   npm test                          everything except tests that take minutes; long properties in their quick form;
//                                     on PostgreSQL without tests that ask the same queries again
//   npm run test:long                 tests that take minutes, and the long form of properties
//   npm run test:ci                   as npm test, with some of the tests that take minutes
//   npm run test:all                  all tests, properties in their quick form
//   node test/run.ts FILES            these, with quotes also patterns; also tests of pages, headers and pictures run on both
//   node test/run.ts --test-name-pattern=TEXT
// PostgreSQL is the server of TEST_POSTGRES_URL, on which databases are created and dropped; else a private one of this
// machine's programs; else PGlite. Without any of them the run fails.

import { spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync, rmSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { derivationsFor } from '../src/calendar/derivations.ts'
import { auditedTables } from '../src/operate/audit/audited.fields.ts'
import { openPostgres } from '../src/storage/database/postgres/postgres.ts'
import { bundleDesk } from '../tools/bundle.desk.ts'
import { createDatabase, migratedDatabase } from './support/database.ts'
import { programsOf, type TestEngine, writePrograms } from './support/groups.ts'
import { findBinaries, startServer } from './support/postgres.server.ts'
import { bundleProgram } from './support/program.ts'

/** The PostgreSQL that tests run on. */
interface Server {
  /** For people. */
  readonly name: string
  readonly environment: Readonly<Record<string, string>>
  remove(): Promise<void>
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** Tests of the PostgreSQL side of storage; they run once. */
const storageTests = 'test/storage/'
/** Those of them that stop and start a server of their own. */
const serverTests = 'test/storage/server/'
/** Tests of pages, which do not depend on databases. */
const browserTests = 'test/browser/'
/** Tests of the client, which speaks HTTP to a service on any database. */
const clientTests = 'test/client/'
/** Tests of documents, of refusals, limits and sanitizing before storage, and of test tools. One engine is enough. */
const anyEngineTests = [
  ...[browserTests, clientTests, 'src/publish/doc/', 'src/base/text/', 'test/docs/'],
  ...['test/contract/attacks.test.ts', 'test/hostile/fuzzing.test.ts', 'test/hostile/verdict.test.ts'],
  ...[
    'src/access/http/site',
    'src/access/http/answers/page.headers',
    'src/access/server/admission',
    'src/access/server/connections',
  ],
  ...['src/access/server/limits', 'src/access/server/slow.readers', 'src/base/languages/', 'src/base/monitoring/log'],
  ...['src/publish/embed/', 'src/publish/pages/robots/robots'],
  // Disks and files of SQLite, also where others run on PostgreSQL.
  ...['test/process/faults', 'test/process/readers', 'test/process/backup.disk'],
]
/**
 * Tests of pages, headers and pictures, and of how processes are watched and stopped. Other tests run their queries on
 * both engines, so these run on SQLite only, unless they are named.
 */
const onSqliteOnly = [
  ...['src/publish/pages/', 'src/publish/feeds/feeds.coded', 'src/access/http/', 'test/languages/', 'test/desk/'],
  ...['src/access/server/response.cache', 'src/calendar/media/media.deadline', 'src/calendar/media/media.hostile'],
  ...['test/process/stop', 'test/process/workers.supervision'],
]
/**
 * Tests with many cells or requests, which run on PostgreSQL in the long form only, not even with all tests, so that these
 * take less than twenty minutes. Other tests run their queries on both engines:
 *
 * - The recorded cases, permissions, states and hostile requests repeat what tests of rooms and of the contract ask.
 * - Who sees what is asked of PostgreSQL by `event.sets`, which lists for every caller.
 * - Imports write as other writes do.
 * - `test/process/durability` checks the database of both engines after each kill, and cancellations write events as others do.
 * - Processes of one service share PostgreSQL as the nodes of `test/storage/server/` do, and commands read a version from
 *   one row.
 * - Long feeds, lengths of texts and the members of answers (`keys`) are of the process; `feeds`, `plans` and `event.sets` ask for
 *   the same lists and months. Segments of series are written by the statements of `series` and `series.histories`.
 */
const onPostgresInLongFormOnly = [
  ...['test/conformance/', 'test/contract/permissions', 'test/contract/event.states', 'test/hostile/'],
  ...['src/operate/checks/', 'src/calendar/cancellations/', 'src/exchange/imports/'],
  ...['test/process/workers.test', 'test/process/newer', 'test/contract/keys.test'],
  ...['src/publish/feeds/feeds.long', 'src/calendar/events/model/length', 'src/calendar/events/list/list.once'],
  'src/calendar/series/series.segments',
]
/**
 * Tests that ask PostgreSQL no more than three statements that no other test asks it too, most of them none: statements of all
 * tests were recorded and compared. They take a third of the time of PostgreSQL. CI leaves them to `npm run test:all`.
 */
const repeatedOnPostgres = [
  ...[
    'src/access/accounts/keys',
    'src/access/accounts/links',
    'src/access/accounts/sessions',
    'src/access/accounts/users',
  ],
  ...['src/access/server/bounds', 'src/access/server/dropin', 'src/base/monitoring/'],
  ...['src/calendar/events/model/decisions', 'src/calendar/events/read/groups', 'src/calendar/events/list/next'],
  ...['src/calendar/series/series.joining', 'src/calendar/series/series.rights', 'src/calendar/series/series.version'],
  ...['src/calendar/terms/term.event', 'src/calendar/terms/term.write', 'src/calendar/trash/restore'],
  ...['src/calendar/translations/shared.fields', 'src/calendar/translations/translations.test'],
  ...['src/publish/feeds/feeds.series', 'src/publish/feeds/feeds.test'],
  ...['test/contract/batch', 'test/contract/conventions.parameters', 'test/contract/conventions.shape'],
  ...['test/contract/dry.runs', 'test/contract/preconditions', 'test/contract/told'],
  ...['src/exchange/calendars/calendar.', 'src/exchange/calendars/subscription.routes'],
  ...['src/exchange/calendars/subscription.test', 'src/exchange/links/', 'src/exchange/verify/verify'],
  ...['src/exchange/upsert/line.import', 'src/exchange/upsert/sweep', 'src/exchange/upsert/upsert.series'],
  ...['src/exchange/upsert/upsert.times', 'src/access/server/body.bounds', 'src/access/server/shared.cache'],
  ...['src/access/views/', 'src/calendar/directory/directory.apart', 'src/calendar/events/read/protected'],
  ...['src/calendar/events/write/links', 'src/calendar/media/media.fetch', 'src/calendar/merges/term.unmerge'],
  ...['src/calendar/series/series.size', 'src/calendar/terms/term.groups', 'src/calendar/translations/independent'],
  ...['src/publish/feeds/feeds.conditional', 'test/contract/beside.reference'],
  ...['test/contract/conventions.answers', 'test/contract/conventions.test'],
]
/** Backups, which read all rows, also run on PostgreSQL with `test:all`. */
const onPostgresInLongForm = [...onPostgresInLongFormOnly, ...repeatedOnPostgres, 'src/operate/backup/']
/** Tests that take minutes, most of them because they start processes. `npm run test:long` runs them. */
const longTests = [
  ...[
    'test/process/',
    'test/docs/pages.test.ts',
    'test/hostile/access/',
    'test/hostile/backup',
    'test/storage/server/',
  ],
  ...['src/cli/cli.test.ts', 'test/node-24/', 'test/hostile/fuzzing.test.ts', 'src/publish/feeds/feeds.long.test.ts'],
]
/** Those of them that CI runs too: what is published starts, and nothing is lost when processes and servers end. */
const longTestsOfCi = [
  ...[
    'test/process/packed',
    'test/process/first.start',
    'test/process/durability',
    'test/process/stop',
    'test/process/jobs',
  ],
  ...[
    'test/process/workers.test',
    'test/process/backup.test',
    'test/storage/server/nodes',
    'test/storage/server/outage',
  ],
  ...['src/cli/cli.test.ts', 'test/hostile/fuzzing.test.ts', 'src/publish/feeds/feeds.long.test.ts'],
  // The commands of the documents, and who may read what.
  ...['test/docs/pages.test.ts', 'test/hostile/access/', 'test/hostile/backup'],
  ...['test/process/revocation', 'test/process/secrets', 'test/process/compiled', 'test/process/start.modules'],
  'test/process/keyed.writes',
]
/** A file that imports it has a long form besides the quick one. */
const longSupport = join(fileURLToPath(new URL('.', import.meta.url)), 'support/long.ts')
const compileCache = join(root, 'node_modules/.cache/cal-events-compiled')
/** One more than there are processors, because tests often wait for a disk or for the end of a process. */
const lanes = availableParallelism() + 1
/** A process of tests that takes longer than this hangs. */
const longestMs = 600_000
const databaseSupport = join(root, 'test/support/database.ts')
/** A file that imports it starts the service as a process. */
const programSupport = join(root, 'test/support/program.ts')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.chdir(root)

/** All tests, those with two forms in the quick one. */
const isAll = process.argv.includes('--all')
/** Those of CI: quick ones, and some that take long. */
const isCi = process.argv.includes('--ci')
const isLong = process.argv.includes('--long')
const options = process.argv
  .slice(2)
  .filter((argument) => argument.startsWith('-') && !['--long', '--all', '--ci'].includes(argument))
const patterns = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const everything = () =>
  // Not every machine has a browser: its tests have a command of their own.
  globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).filter((file) => !file.startsWith(browserTests))
const files = (patterns.length > 0 ? globSync(patterns) : everything()).sort()
if (files.length === 0) throw new Error('No test has such a name.')
const lists = [
  ...anyEngineTests,
  ...onSqliteOnly,
  ...onPostgresInLongForm,
  ...longTests,
  ...longTestsOfCi,
  storageTests,
]
const all = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
// A place of a file that was moved would have no effect.
for (const place of lists) if (!all.some((file) => file.startsWith(place))) throw new Error(`No test is at ${place}.`)

const engineFree = patterns.length > 0 ? anyEngineTests : [...anyEngineTests, ...onSqliteOnly]
const onSqlite = files.filter((file) => !file.startsWith(storageTests) && isInThisForm(file, isLeft(file)))
const onPostgres = files.filter(
  (file) =>
    isInThisForm(file, isLeft(file) || isAmong(file, onPostgresInLongForm)) &&
    !(isAll && isAmong(file, onPostgresInLongFormOnly)) &&
    (file.startsWith(storageTests) || (!isAmong(file, engineFree) && reaches(file, databaseSupport))),
)

// Tests of the desk see the visual editor as it is now.
await bundleDesk()
const program = files.some((file) => reaches(file, programSupport)) ? await bundleProgram() : undefined
const template = await sqliteTemplate()
const server = onPostgres.length > 0 ? await findServer() : undefined
try {
  // A machine without server programs cannot test a stopped server.
  const cannotRun = (await findBinaries()) ? [] : onPostgres.filter((file) => file.startsWith(serverTests))
  const canRun = onPostgres.filter((file) => !cannotRun.includes(file))
  if (onSqlite.length > 0) console.log(`On SQLite: ${onSqlite.length} files of tests.`)
  if (server) console.log(`On ${server.name}: ${canRun.length} files of tests.`)
  if (cannotRun.length > 0) console.log(`NOT RUN, since PostgreSQL is not installed here: ${cannotRun.join(', ')}`)
  const isPassed = await runTests(
    { sqlite: onSqlite, postgres: canRun },
    { ...server?.environment, TEST_SQLITE_TEMPLATE: template, ...(program ? { TEST_PROGRAM: program } : {}) },
  )
  process.exitCode = isPassed ? 0 : 1
} finally {
  await server?.remove()
}

/** Runs the files of both engines in one pool of processes. */
function runTests(
  names: Readonly<Record<TestEngine, readonly string[]>>,
  environment: Readonly<Record<string, string>>,
): Promise<boolean> {
  const { DATABASE_URL: _url, ...others } = process.env
  const { paths, remove } = writePrograms(programsOf(names))
  if (paths.length === 0) return Promise.resolve(true)
  const child = spawn(
    process.execPath,
    [...['--test', `--test-concurrency=${lanes}`, `--test-timeout=${longestMs}`], ...[...options, ...paths]],
    {
      stdio: 'inherit',
      // Hundreds of processes load the same code: only the first one compiles it from TypeScript.
      env: { NODE_COMPILE_CACHE: compileCache, ...others, ...environment, ...(isLong ? { TEST_LONG: '1' } : {}) },
    },
  )
  const end = () => {
    child.kill()
    remove()
  }
  process.once('exit', end)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => {
      process.off('exit', end)
      remove()
      resolve(code === 0)
    })
  })
}

async function findServer(): Promise<Server> {
  const given = process.env.TEST_POSTGRES_URL
  if (given === 'pglite') return pglite()
  if (given) return withTemplate(given, 'the PostgreSQL of TEST_POSTGRES_URL', async () => {})
  const binaries = await findBinaries()
  if (!binaries) return pglite()
  const server = await startServer(binaries)
  const name = `PostgreSQL ${binaries.version}, a private server of ${binaries.folder}`
  const { environment, ...found } = await withTemplate(server.url, name, server.remove)
  // A server that is not ours may be older than this choice.
  return { ...found, environment: { ...environment, TEST_POSTGRES_COPY: 'strategy file_copy' } }
}

/** Returns a migrated database of SQLite, which all processes of tests copy. Making one takes a tenth of a second. */
async function sqliteTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'calendar.sqlite')
  await writeFile(file, await migratedDatabase())
  return file
}

/** Each test gets a copy of one database that has the newest schema already. */
async function withTemplate(url: string, name: string, remove: () => Promise<void>): Promise<Server> {
  const template = await createDatabase(url, undefined)
  const storage = await openPostgres(
    {
      url: template.url,
      shown: template.name,
      poolSize: 2,
      statementTimeoutMs: 60_000,
      waitMs: 0,
    },
    { audited: auditedTables, derivations: derivationsFor() },
  )
  await storage.close()
  return {
    name,
    environment: { TEST_POSTGRES_URL: url, TEST_POSTGRES_TEMPLATE: template.name },
    remove: async () => {
      await template.drop()
      await remove()
    },
  }
}

async function pglite(): Promise<Server> {
  const { openPglite } = await import('./support/pglite.ts')
  await (await openPglite()).close()
  return { name: 'PGlite', environment: { TEST_POSTGRES_URL: 'pglite' }, remove: async () => {} }
}

/**
 * Whether a file belongs to the form that is run. A file with two forms belongs to both, and a file that is named to any.
 *
 * @param takesLong Whether it is of the long form.
 */
function isInThisForm(file: string, takesLong: boolean): boolean {
  if (isAll || patterns.length > 0) return true
  return isLong ? takesLong || reaches(file, longSupport) : !takesLong
}

function isAmong(file: string, places: readonly string[]): boolean {
  return places.some((place) => file.startsWith(place))
}

/** Whether a file is left to the long form, or to `--all`. */
function isLeft(file: string): boolean {
  return isAmong(file, longTests) && !(isCi && isAmong(file, longTestsOfCi))
}

/** True if a file imports `target`, directly or through other files. */
function reaches(file: string, target: string, seen: Set<string> = new Set()): boolean {
  const path = join(root, file)
  if (path === target) return true
  if (seen.has(path) || !existsSync(path)) return false
  seen.add(path)
  return [...readFileSync(path, 'utf8').matchAll(/'([\w./-]+\.ts)'/g)].some(([, name = '']) =>
    reaches(relative(root, join(dirname(path), name)), target, seen),
  )
}
