import { chmodSync, closeSync, openSync } from 'node:fs'
import Database, { SqliteError } from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { systemClock } from '../../../base/time/clock.ts'
import { insertAuditRows, type NewAuditRow, withAudit } from '../audit/audit.ts'
import { prepareAll, refreshAll } from '../derivation.ts'
import { setReadCacheBytes } from '../derived.values.ts'
import { sqlite } from '../dialect.ts'
import { isSchemaUpToDate, migrate } from '../migrate.ts'
import { type Origin, serviceOrigin, turnOf } from '../origin.ts'
import { incrementCounter, noRevisionRow, revisionRow } from '../revision.ts'
import { directReader, directRun, withDirectRun } from '../statements/direct.statements.ts'
import { queryLogging } from '../statements/query.logging.ts'
import type { Storage, StorageOptions } from '../storage.ts'
import type { Tables } from '../tables.ts'
import { withBeforeWrite } from '../writes/before.write.ts'
import { groupCommits } from '../writes/group.commit.ts'
import { watchRevision } from './revision.ts'
import { isFileError, takeTurns, withWriteLock } from './write.lock.ts'

export const busyTimeoutMs = 10_000
const preparedStatements = 500
/** Of each handle. A new event changes pages anywhere in its indexes, so a smaller cache reads most of them again. */
const cacheKib = 8 * 1024

/** What the end of a transaction stores about a write. */
interface WriteNote {
  readonly rows: readonly NewAuditRow[]
  readonly counter: typeof revisionRow | typeof noRevisionRow
}

/**
 * Opens the SQLite database at `file`, creates it if it does not exist, and migrates it to the newest schema.
 *
 * One handle writes and another reads. A reader never waits for a writer (write-ahead log), and requests that only read
 * do not see a transaction that is open on the writer.
 */
export async function openSqlite(
  file: string,
  {
    derivations,
    audited,
    isDurable = true,
    readCacheBytes = 0,
    now = systemClock,
    maxWaiting,
    ...queryHooks
  }: StorageOptions,
): Promise<Storage> {
  const logging = queryLogging(queryHooks)
  keepPrivate(file)
  const writerHandle = new Database(file)
  // An acknowledged write is on the disk: FULL makes every commit wait for it.
  for (const pragma of [
    'journal_mode = wal',
    `synchronous = ${isDurable ? 'full' : 'off'}`,
    'foreign_keys = on',
    // Last, because other processes must wait while one creates the file. From here on, writes wait in `withWriteLock`.
    'busy_timeout = 0',
  ]) {
    writerHandle.pragma(pragma)
  }
  const writerStatements = withStatementCache(writerHandle)
  const writer = new Kysely<Tables>({ dialect: new SqliteDialect({ database: writerStatements }), ...logging })
  try {
    await withWriteLock(() => migrate(writer, sqlite, file))
    await withWriteLock(() => writer.transaction().execute((tx) => prepareAll(derivations, tx, sqlite)))
  } catch (error) {
    await writer.destroy()
    throw error
  }
  // Rollback data stays in memory, so a write needs no temporary file that may be unavailable. Not set earlier, because
  // migrations of a large calendar sort more than memory should hold.
  writerHandle.pragma('temp_store = memory')
  writerHandle.pragma(`cache_size = -${cacheKib}`)

  const readerHandle = new Database(file, { readonly: true })
  readerHandle.pragma(`busy_timeout = ${busyTimeoutMs}`)
  readerHandle.pragma(`cache_size = -${cacheKib}`)
  const readerStatements = withStatementCache(readerHandle)
  const reader = directReader(
    new SqliteDialect({ database: readerStatements }),
    directRun(readerStatements, queryHooks),
  )
  setReadCacheBytes(reader, readCacheBytes)
  const runNow = directRun(writerStatements, queryHooks)
  const inTurn = takeTurns()
  const shared = groupCommits<WriteNote>({
    transaction: (work) => inTurn(() => writer.transaction().execute((tx) => withDirectRun(tx, runNow, work))),
    beforeCommit: async (tx, notes) => {
      await refreshAll(derivations, tx, sqlite)
      await insertAuditRows(
        tx,
        notes.flatMap(({ rows }) => rows),
      )
      for (const counter of [revisionRow, noRevisionRow] as const) {
        await incrementCounter(tx, counter, notes.filter((note) => note.counter === counter).length)
      }
    },
    // SQLite may have rolled the whole transaction back.
    isFatal: isFileError,
  })
  const writeAs =
    (origin: Origin, counter: WriteNote['counter'], isUrgent: boolean): Storage['write'] =>
    (work) =>
      shared.write(
        async (tx, leaveNote) => {
          const { result, rows } = await withAudit(tx, work, { origin, now, audited })
          leaveNote({ rows: await rows, counter })
          return result
        },
        turnOf(origin, { isUrgent, maxWaiting }),
      )
  const watched = watchRevision(readerHandle)

  const withOrigin = (origin: Origin, isUrgent = false): Storage => ({
    dialect: sqlite,
    derivations,
    db: reader,
    write: writeAs(origin, revisionRow, isUrgent),
    writeWithoutRevision: writeAs(origin, noRevisionRow, isUrgent),
    withOrigin,
    forRequest: (request) => withBeforeWrite(withOrigin(request.origin, request.isUrgent), request.beforeWrite),
    revision: async () => watched(),
    waitingWrites: shared.waiting,
    isSchemaCurrent: () => isSchemaUpToDate(reader),
    replicaLagsMs: async () => [],
    close: async () => {
      await reader.destroy()
      // To be sure: closing twice does no harm. The last handle to close empties the log.
      readerHandle.close()
      await writer.destroy()
    },
  })
  return withOrigin(serviceOrigin)
}

/** Only the owner reads and writes: the database has digests of passwords, and drafts. */
const privateMode = 0o600

/**
 * Makes the file private, and creates it if it does not exist. The engine gives its mode to the files beside it. An existing file is not opened:
 * closing it would end the locks of other handles of this process.
 */
function keepPrivate(file: string): void {
  const attempts = [
    () => closeSync(openSync(file, 'wx', privateMode)),
    ...[file, `${file}-wal`, `${file}-shm`].map((name) => () => chmodSync(name, privateMode)),
  ]
  for (const attempt of attempts) {
    try {
      attempt()
    } catch {
      // The file exists, or does not, or belongs to another user, who decides. The engine tells whether it can be used.
    }
  }
}

/**
 * Returns the handle with a cache of its most recently used prepared statements. A transaction takes the write lock
 * when it begins. If it took the lock only at its first write, it could find that another process had written in the
 * meantime, and fail.
 */
export function withStatementCache(
  handle: Pick<Database.Database, 'prepare' | 'close' | 'inTransaction'>,
  max: number = preparedStatements,
): Pick<Database.Database, 'prepare' | 'close'> {
  const statements = new LRUCache<string, Database.Statement>({ max })
  // If the disk is full, the engine rolls the transaction back itself. Report the error that says so, not the failed
  // rollback.
  const isOver = (source: string) => source === 'rollback' && !handle.inTransaction
  const prepare = (source: string) => {
    const text = source === 'begin' ? 'begin immediate' : isOver(source) ? 'select 1' : source
    const known = statements.get(text)
    if (known) return known
    const statement = handle.prepare(text)
    statements.set(text, statement)
    return statement
  }
  return { prepare: prepare as Database.Database['prepare'], close: () => handle.close() }
}

/**
 * Whether another handle, in this or another process, has this database open. A handle that uses a write-ahead log
 * holds a shared lock on the file while it is open, so no other handle can get an exclusive lock.
 */
export function isInUse(file: string): boolean {
  const handle = new Database(file, { timeout: 0 })
  try {
    handle.pragma('locking_mode = exclusive')
    handle.exec('begin exclusive')
    handle.exec('rollback')
    return false
  } catch (error) {
    if (error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    handle.close()
  }
}
