import { CompiledQuery, sql } from 'kysely'
import { refreshAll } from '../derivation.ts'
import { forgetSharedReads } from '../statements/shared.reads.ts'
import type { Storage } from '../storage.ts'
import type { Tx } from '../tables.ts'
import { unavailable } from '../unavailable.ts'

/** A storage whose writes share one transaction that somebody else ends. */
export interface HeldStorage extends Storage {
  /** Whether the transaction has begun. From then on, other writers wait. */
  readonly isOpen: () => boolean
}

/** What happens in the transaction before and after the work. */
interface HeldWriteSteps<T> {
  /** Runs first in the transaction. If it throws, the work fails with that error. */
  readonly begin?: (tx: Tx) => Promise<void>
  /** Runs last in the transaction. If it throws, everything is rolled back. */
  readonly end: (tx: Tx, result: T) => Promise<void>
}

/**
 * Runs work whose writes share one transaction. The first write opens it, so what precedes that holds no lock, and it
 * ends after the work. From the first write on, the work reads in the transaction too.
 *
 * @throws service_unavailable if the transaction would have to be repeated: the work cannot be.
 */
export async function holdWrite<T>(
  storage: Storage,
  { begin, end }: HeldWriteSteps<T>,
  work: (held: HeldStorage) => Promise<T>,
): Promise<T> {
  const outcome = Promise.withResolvers<T>()
  outcome.promise.catch(() => {})
  let ended: Promise<void> | undefined
  let opening: Promise<Tx> | undefined
  let current: Tx | undefined
  const open = (write: Storage['write']): Promise<Tx> => {
    const { promise, resolve, reject } = Promise.withResolvers<Tx>()
    ended = write(async (tx) => {
      if (current) throw unavailable(new Error('The transaction of a held write was repeated.'))
      current = tx
      await begin?.(tx)
      resolve(tx)
      await end(tx, await outcome.promise)
    })
    ended.catch(reject)
    return promise
  }
  const within =
    (write: Storage['write']): Storage['write'] =>
    async (step) => {
      opening ??= open(write)
      return step(await opening)
    }
  const held: HeldStorage = {
    ...storage,
    get db() {
      return current ?? storage.db
    },
    write: within(storage.write),
    writeWithoutRevision: within(storage.writeWithoutRevision),
    isOpen: () => current !== undefined,
  }
  try {
    outcome.resolve(await work(held))
  } catch (error) {
    outcome.reject(error)
  }
  if (ended) await ended
  return outcome.promise
}

/** Ends a transaction whose changes nobody wants. */
class RolledBack extends Error {}

/**
 * Runs work and rolls back all that it has written, after everything is derived from it as before a commit. Returns
 * the result of the work.
 */
export async function rehearse<T>(storage: Storage, work: (held: HeldStorage) => Promise<T>): Promise<T> {
  let result: { readonly value: T } | undefined
  const end = async (tx: Tx, value: T) => {
    await refreshAll(storage.derivations, tx, storage.dialect)
    // Waits for statements that were sent ahead: a rollback would hide that one of them failed.
    await sql`select 1`.execute(tx)
    result = { value }
    throw new RolledBack()
  }
  try {
    return await holdWrite(storage, { end }, work)
  } catch (error) {
    if (result && error instanceof RolledBack) return result.value
    throw error
  }
}

/** Returns the storage with all reads and writes in an open transaction, which its caller ends. */
export function storageWithin(storage: Storage, tx: Tx): Storage {
  const step: Storage['write'] = (work) => work(tx)
  const own: Storage = {
    ...storage,
    ...{ db: tx, write: step, writeWithoutRevision: step },
    withOrigin: () => own,
    forRequest: () => own,
  }
  return own
}

const setSavepoint = CompiledQuery.raw('savepoint step_of_write')
const rollBackToSavepoint = CompiledQuery.raw('rollback to savepoint step_of_write')
const releaseSavepoint = CompiledQuery.raw('release savepoint step_of_write')

/**
 * Runs one step of a transaction between savepoints: if `isKept` refuses its result or it throws, only its own changes
 * are rolled back.
 */
export async function inSavepoint<T>(tx: Tx, work: () => Promise<T>, isKept: (result: T) => boolean): Promise<T> {
  await tx.executeQuery(setSavepoint)
  let kept = false
  try {
    const result = await work()
    kept = isKept(result)
    return result
  } finally {
    if (!kept) {
      forgetSharedReads(tx)
      await tx.executeQuery(rollBackToSavepoint)
    }
    await tx.executeQuery(releaseSavepoint)
  }
}
