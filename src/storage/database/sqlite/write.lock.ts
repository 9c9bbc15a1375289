import { setTimeout as wait } from 'node:timers/promises'
import { SqliteError } from 'better-sqlite3'
import { unavailable } from '../unavailable.ts'
import { longWriteMs } from '../writes/write.turns.ts'

const defaultWaitMs = 10_000
const longestPauseMs = 3

/**
 * Runs a transaction that takes the file's only write lock when it begins, as soon as no other process holds the lock.
 *
 * SQLite could wait itself (`busy_timeout`), but would block the whole process, including all reads. Therefore the
 * handle must not wait.
 *
 * @throws service_unavailable if another process keeps the lock for longer than `waitMs`, or the file cannot be
 *   written.
 */
export async function withWriteLock<T>(transaction: () => Promise<T>, waitMs = defaultWaitMs): Promise<T> {
  const beganAtMs = performance.now()
  for (;;) {
    try {
      return await transaction()
    } catch (error) {
      if (isFileError(error)) throw unavailable(error)
      if (!isBusy(error)) throw error
      if (performance.now() - beganAtMs > waitMs) throw unavailable(error)
    }
    // A random pause, so that waiting processes do not all retry at once.
    await wait(Math.random() * longestPauseMs)
  }
}

/** The share of a long transaction that the lock is free afterwards: enough that another process finds it so. */
const freeShare = 1 / 50

/**
 * Returns a function that runs transactions with the lock. It does not take the lock again at once after a long
 * transaction: the engine has no queue, so other processes, such as a command that revokes a key, would never get it.
 */
export function takeTurns(now = () => performance.now()): <T>(transaction: () => Promise<T>) => Promise<T> {
  let heldMs = 0
  return async (transaction) => {
    if (heldMs > longWriteMs) await wait(heldMs * freeShare)
    return withWriteLock(async () => {
      const beganAtMs = now()
      try {
        return await transaction()
      } finally {
        heldMs = now() - beganAtMs
      }
    })
  }
}

/**
 * The lock can be busy only at the start of a transaction. The code has variants for the activity of the other process.
 */
function isBusy(error: unknown): boolean {
  return error instanceof SqliteError && error.code.startsWith('SQLITE_BUSY')
}

/**
 * Whether an error concerns the file and its disk: full, not writable, or missing. The statement itself is valid and
 * succeeds once the disk is fixed.
 */
export function isFileError(error: unknown): boolean {
  return error instanceof SqliteError && /^SQLITE_(?:FULL|IOERR|READONLY|CANTOPEN|NOMEM)/.test(error.code)
}
