import Database from 'better-sqlite3'
import { SqliteDialect } from 'kysely'
import type { NativeCalls } from '../../../base/concurrency/native.calls.ts'
import { setReadCacheBytes } from '../derived.values.ts'
import { sqlite } from '../dialect.ts'
import { isSchemaUpToDate } from '../migrate.ts'
import { directReader, directRun } from '../statements/direct.statements.ts'
import type { Storage, StorageOptions } from '../storage.ts'
import { withNativeCalls } from './native.ts'
import { watchRevision } from './revision.ts'
import { busyTimeoutMs, withStatementCache } from './sqlite.ts'

/** Less than the cache of the main thread, since each thread has one. The pages are also in the cache of the system. */
const pageCacheKib = 4 * 1024
const preparedStatements = 100

interface SqliteReaderOptions extends Omit<StorageOptions, 'audited'> {
  readonly nativeCalls: NativeCalls
}

/**
 * Opens a SQLite database for reads in another thread. The service has already created and migrated it. Each statement
 * sees all commits that precede it.
 */
export function openSqliteReader(
  file: string,
  { derivations, readCacheBytes = 0, nativeCalls, ...queryHooks }: SqliteReaderOptions,
): Storage {
  const opened = nativeCalls.run(() => {
    const handle = new Database(file, { readonly: true })
    handle.pragma(`busy_timeout = ${busyTimeoutMs}`)
    handle.pragma(`cache_size = -${pageCacheKib}`)
    return handle
  })
  const handle = withNativeCalls(opened, nativeCalls)
  const statements = withStatementCache(handle, preparedStatements)
  const db = directReader(new SqliteDialect({ database: statements }), directRun(statements, queryHooks))
  setReadCacheBytes(db, readCacheBytes)
  const watched = watchRevision(handle)
  const refuse = async (): Promise<never> => {
    throw new Error('A reader thread does not write.')
  }
  const storage: Storage = {
    dialect: sqlite,
    derivations,
    db,
    write: refuse,
    writeWithoutRevision: refuse,
    withOrigin: () => storage,
    forRequest: () => storage,
    revision: async () => watched(),
    waitingWrites: () => 0,
    isSchemaCurrent: () => isSchemaUpToDate(db),
    replicaLagsMs: async () => [],
    close: async () => {
      await db.destroy()
      handle.close()
    },
  }
  return storage
}
