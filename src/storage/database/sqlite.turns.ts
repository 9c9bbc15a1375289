import { setTimeout as wait } from 'node:timers/promises'
import { SqliteError } from 'better-sqlite3'
import { unavailable } from './unavailable.ts'

const defaultWaitMs = 10_000
const longestPauseMs = 3

/**
 * Runs a transaction that takes the file's only write lock as it begins, as soon as no other process has it.
 *
 * SQLite could wait by itself (`busy_timeout`), but would keep the whole process waiting, and so all that only read.
 * Here its handle must not wait.
 *
 * @throws service_unavailable where another process keeps the lock for longer than `waitMs`, or the file cannot be
 *   written.
 */
export async function inTurn<T>(transaction: () => Promise<T>, waitMs = defaultWaitMs): Promise<T> {
  const beganAtMs = performance.now()
  for (;;) {
    try {
      return await transaction()
    } catch (error) {
      if (isOfTheFile(error)) throw unavailable(error)
      if (!isBusy(error)) throw error
      if (performance.now() - beganAtMs > waitMs) throw unavailable(error)
    }
    // By chance, so that those who wait do not come all at once.
    await wait(Math.random() * longestPauseMs)
  }
}

/** The lock is met at the start of a transaction only. The code has forms for what the other process does. */
function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/**
 * Whether an error speaks of the file and its disk: it is full, cannot be written, or gone. Nothing is wrong with the
 * statement, and once the disk is as it should be the same succeeds.
 */
export function isOfTheFile(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(error.code)
}
