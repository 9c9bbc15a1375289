import { LRUCache } from 'lru-cache'

/** Reads the values of ids; there may be ids without one. */
type ReadValues<T> = (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>

/**
 * Values by id that need not be read again.
 *
 * @param state A number that is another one after every change of what the values are made of, read before them;
 * undefined where nobody knows: then all are read.
 * @returns the values of those of these ids that have one.
 */
export type ReadCache<T> = (
  state: number | undefined,
  ids: readonly number[],
  read: ReadValues<T>,
) => Promise<ReadonlyMap<number, T>>

/**
 * Caches values for as long as the state stays that in which they were read.
 *
 * @param maxSize What the values may take together, by `sizeOf`. The least recently used ones are dropped first.
 */
export function createReadCache<T extends NonNullable<unknown>>(
  maxSize: number,
  sizeOf: (value: T) => number,
): ReadCache<T> {
  const values = new LRUCache<number, T>({
    // Sizes of 0 are not valid ones.
    maxSize: Math.max(1, Math.floor(maxSize)),
    sizeCalculation: (value) => Math.max(1, sizeOf(value)),
  })
  let valuesState: number | undefined
  return async (state, ids, read) => {
    if (state !== valuesState) {
      values.clear()
      valuesState = state
    }
    const found = new Map<number, T>()
    const missing: number[] = []
    for (const id of ids) {
      const value = values.get(id)
      if (value === undefined) missing.push(id)
      else found.set(id, value)
    }
    for (const [id, value] of missing.length > 0 ? await read(missing) : []) {
      found.set(id, value)
      // Meanwhile somebody may have seen a newer state.
      if (state !== undefined && state === valuesState) values.set(id, value)
    }
    return found
  }
}
