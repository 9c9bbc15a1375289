import type { Storage } from '../../storage/database/storage.ts'
import type { Tx } from '../../storage/database/tables.ts'

/** Ends a transaction that must be rolled back, and carries its result. */
class RolledBack<T> extends Error {
  readonly result: T

  constructor(result: T) {
    super()
    this.result = result
  }
}

/** Runs work in a transaction, rolls it back, and returns the result. */
export async function rolledBack<T>({ write }: Pick<Storage, 'write'>, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await write(async (tx) => {
      throw new RolledBack(await work(tx))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result as T
    throw error
  }
}
