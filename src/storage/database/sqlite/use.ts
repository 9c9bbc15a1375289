import Database, { SqliteError } from 'better-sqlite3'

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
