import { LRUCache } from 'lru-cache'

type ReadValues<T> = (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>

/**
 * Cached values by id.
 *
 * @param state A number that differs after every change of the data behind the values. It must be read before them. If
 *   undefined, the state is unknown and all values are read.
 * @returns the values of those of these ids that have one.
 */
export type ReadCache<T> = (
  state: number | undefined,
  ids: readonly number[],
  read: ReadValues<T>,
) => Promise<ReadonlyMap<number, T>>

/**
 * Caches values for as long as the state in which they were read stays the same.
 *
 * @param maxSize Maximum total size of the values, measured by `sizeOf`. The least recently used values are dropped
 *   first.
 */
export function createReadCache<T extends NonNullable<unknown>>(
  maxSize: number,
  sizeOf: (value: T) => number,
): ReadCache<T> {
  const values = new LRUCache<number, T>({
    // The cache does not accept sizes of 0.
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
      // Another caller may have seen a newer state in the meantime.
      if (state !== undefined && state === valuesState) values.set(id, value)
    }
    return found
  }
}
