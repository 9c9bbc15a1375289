import { Problem } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Tx } from '../../storage/database/tables.ts'

const unauthorized = 401

/** How records are written in batches. */
export interface BatchedWrites {
  /** Runs work in a transaction. */
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** The maximum number of records per transaction. */
  readonly size: number
}

/** Batches of which each is a transaction of its own. Those of a dry run are rolled back. */
export function batchesOf(
  storage: Pick<Storage, 'write'>,
  of: { readonly size: number; readonly isDry: boolean },
): BatchedWrites {
  const transact: BatchedWrites['transact'] = of.isDry ? (work) => rolledBack(storage, work) : storage.write
  return { size: of.size, transact }
}

/** Does all batches in one transaction, and rolls it back. */
export function inOneDryRun<T>(
  storage: Pick<Storage, 'write'>,
  work: (batches: BatchedWrites) => Promise<T>,
): Promise<T> {
  // One record at a time: the changes of a refused record are rolled back only at the end.
  return rolledBack(storage, (tx) => work({ transact: (part) => part(tx), size: 1 }))
}

/** The result of one record: the result of its writer, or the problem for which it was refused. */
type BatchResult<T> = { readonly done: T } | { readonly refused: Problem }

/** The functions that write records and receive their results. */
interface BatchSteps<R, T> {
  /** Writes some records in order, and returns the result of each. */
  readonly write: (tx: Tx, some: readonly R[]) => Promise<readonly T[]>
  /** Called for each record after it is committed, in order. */
  readonly settle: (record: R, outcome: BatchResult<T>) => void
}

/**
 * Writes records in batches, one transaction each. Earlier batches stay committed if a later one fails. A batch with a
 * refused record is split and written again, so that its other records are kept.
 */
export async function writeInBatches<R, T>(
  batches: BatchedWrites,
  records: Iterable<R> | AsyncIterable<R>,
  { write, settle }: BatchSteps<R, T>,
): Promise<void> {
  const { transact, size } = batches
  for await (const batch of inBatches(records, size)) {
    const whole = await attempt(() => transact((tx) => write(tx, batch)))
    if ('done' in whole) {
      for (const [place, record] of batch.entries()) settle(record, { done: whole.done[place] as T })
    } else if (batch.length === 1) {
      settle(batch[0] as R, whole)
    } else {
      await writeInBatches({ transact, size: Math.ceil(batch.length / 2) }, batch, { write, settle })
    }
  }
}

async function* inBatches<R>(records: Iterable<R> | AsyncIterable<R>, size: number): AsyncGenerator<readonly R[]> {
  let batch: R[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Writes records one after the other: each may name earlier ones. */
export function oneByOne<R, T>(write: (tx: Tx, record: R) => Promise<readonly T[]>) {
  return async (tx: Tx, records: readonly R[]): Promise<readonly T[]> => {
    const done: T[] = []
    for (const record of records) done.push(...(await write(tx, record)))
    return done
  }
}

/**
 * A problem means that the record is invalid, unless the database is down or the caller has lost his rights. Any other
 * error is a bug and is thrown.
 */
async function attempt<T>(work: () => Promise<T>): Promise<BatchResult<T>> {
  try {
    return { done: await work() }
  } catch (error) {
    if (error instanceof Problem && !isFatal(error)) return { refused: error }
    throw error
  }
}

function isFatal({ code, status }: Problem): boolean {
  return code === 'service_unavailable' || status === unauthorized
}

/** Ends a transaction that must be rolled back, and carries its result. */
class RolledBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super()
    this.result = result
  }
}

/** Runs work in a transaction, rolls it back, and returns the result. */
async function rolledBack<T>({ write }: Pick<Storage, 'write'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await write(async (tx) => {
      throw new RolledBack(await work(tx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}
