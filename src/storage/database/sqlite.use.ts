import Database, { SqliteError } from 'better-sqlite3'

/**
 * Whether another handle, of whatever process, has this database open. A handle that uses a write-ahead log holds a
 * shared lock on the file for as long as it is open, so that nobody else gets all of it.
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
