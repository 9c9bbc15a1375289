import { message } from '../../base/languages/texts.ts'
import { Problem } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'

/** How records are written. */
export interface BatchOptions {
  /** Runs its work in a transaction. */
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Most records in one. */
  readonly size: number
}

/** What became of one record: what its writer says, or why the domain refuses it. */
export type BatchResult<T> = { readonly done: T } | { readonly refused: string }

/** What becomes of the records. */
interface BatchSteps<R, T> {
  /** Writes some records in their order, and gives what is to be told of each. */
  readonly write: (tx: Tx, some: readonly R[]) => Promise<readonly T[]>
  /** Told of each record once it is committed, in order. */
  readonly settle: (record: R, outcome: BatchResult<T>) => void
}

/**
 * Writes records, a batch to the transaction: what was done stays done when a later batch breaks. A batch in which a
 * record is refused is written again in halves, so that the others are kept.
 */
export async function writeInBatches<R, T>(
  batches: BatchOptions,
  records: Iterable<R> | AsyncIterable<R>,
  { write, settle }: BatchSteps<R, T>,
): Promise<void> {
  const { transact, size } = batches
  for await (const batch of batchesOf(records, size)) {
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

async function* batchesOf<R>(records: Iterable<R> | AsyncIterable<R>, size: number): AsyncGenerator<readonly R[]> {
  let batch: R[] = []
  for await (const record of records) {
    batch.push(record)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Writes records one after the other. */
export function oneByOne<R, T>(write: (tx: Tx, record: R) => Promise<T>) {
  return async (tx: Tx, records: readonly R[]): Promise<readonly T[]> => {
    const done: T[] = []
    for (const record of records) done.push(await write(tx, record))
    return done
  }
}

/** Problems are the domain's answers to a bad record, unless the database is away; all else is a bug, and goes its way. */
async function attempt<T>(work: () => Promise<T>): Promise<BatchResult<T>> {
  try {
    return { done: await work() }
  } catch (error) {
    if (error instanceof Problem && error.code !== 'service_unavailable') return { refused: reasonOf(error) }
    throw error
  }
}

function reasonOf({ code, faults }: Problem): string {
  const texts = Object.entries(faults).map(([name, fault]) => message('en', fault.text, { name, ...fault.values }))
  return texts.length > 0 ? texts.join(' ') : message('en', code)
}
