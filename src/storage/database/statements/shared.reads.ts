import type { Tx } from '../tables.ts'

const readsOf = new WeakMap<Tx, Map<string, Promise<unknown>>>()

/**
 * Reads rows in a transaction once for all writes that share it, such as those of users, keys or sessions. Nobody else
 * writes during the transaction. After a write that changed such rows, or failed, they are read again.
 *
 * @param name Identifies what is read.
 */
export function sharedRead<T>(tx: Tx, name: string, read: () => Promise<T>): Promise<T> {
  const reads = readsOf.get(tx) ?? new Map<string, Promise<unknown>>()
  readsOf.set(tx, reads)
  const known = reads.get(name) as Promise<T> | undefined
  const result = known ?? read()
  if (!known) reads.set(name, result)
  return result
}

/** Makes the next writes of the transaction read again. */
export function forgetSharedReads(tx: Tx): void {
  readsOf.delete(tx)
}
