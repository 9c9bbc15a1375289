import { message } from '../languages/texts.ts'
import { Problem } from '../problems.ts'
import type { Tx } from '../storage/tables.ts'

/** How records are written. */
export interface Batches {
  /** Runs its work in a transaction. */
  readonly transact: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>
  /** Most records in one. */
  readonly size: number
}

/** What became of one record: what its writer says, or why the domain refuses it. */
export type Settled<T> = { readonly done: T } | { readonly refused: string }

/**
 * Writes records, a batch to the transaction: what was done stays done when a later batch breaks. A batch in which a
 * record is refused is written again one by one, so that the others are kept.
 *
 * @param settle Told of each record once it is committed, in order.
 */
export async function writeInBatches<R, T>(
  { transact, size }: Batches,
  records: readonly R[],
  write: (tx: Tx, record: R) => Promise<T>,
  settle: (record: R, outcome: Settled<T>) => void,
): Promise<void> {
  for (let start = 0; start < records.length; start += size) {
    const batch = records.slice(start, start + size)
    const whole = await attempt(() =>
      transact(async (tx) => {
        const done: T[] = []
        for (const record of batch) done.push(await write(tx, record))
        return done
      }),
    )
    if ('done' in whole) {
      whole.done.forEach((done, index) => {
        settle(batch[index] as R, { done })
      })
    } else if (batch.length === 1) {
      settle(batch[0] as R, whole)
    } else {
      for (const record of batch) settle(record, await attempt(() => transact((tx) => write(tx, record))))
    }
  }
}

/** Problems are the domain's answers to a bad record, unless the database is away; all else is a bug, and goes its way. */
async function attempt<T>(work: () => Promise<T>): Promise<Settled<T>> {
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
