import type { Db } from './tables.ts'

const allowed = new WeakMap<Db, number>()

/** Lets so many bytes be kept, in about, of what is read by this handle. */
export function allowKept(db: Db, bytes: number): void {
  allowed.set(db, bytes)
}

/** Bytes that may be kept of what is read by this handle; none where nobody said so. */
export function keptBytesOf(db: Db): number {
  return allowed.get(db) ?? 0
}

/** Reads the values of ids; there may be ids without one. */
export type ReadValues<T> = (ids: readonly number[]) => Promise<ReadonlyMap<number, T>>

/**
 * Values by id that need not be read again.
 *
 * @param state A number that is another one after every change of what the values are made of, read before them;
 * undefined where nobody knows: then all are read.
 * @returns the values of those of these ids that have one.
 */
export type Kept<T> = (
  state: number | undefined,
  ids: readonly number[],
  read: ReadValues<T>,
) => Promise<ReadonlyMap<number, T>>

/**
 * Keeps values for as long as the state stays that in which they were read.
 *
 * @param mostSize What the values may take in together, by `sizeOf`; those that were read first are given up first.
 */
export function keepValues<T>(mostSize: number, sizeOf: (value: T) => number): Kept<T> {
  const values = new Map<number, T>()
  let valuesState: number | undefined
  let size = 0
  const keep = (id: number, value: T) => {
    if (values.has(id)) return
    values.set(id, value)
    size += sizeOf(value)
    for (const [oldest, other] of values) {
      if (size <= mostSize) break
      values.delete(oldest)
      size -= sizeOf(other)
    }
  }
  return async (state, ids, read) => {
    if (state !== valuesState) {
      values.clear()
      valuesState = state
      size = 0
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
      if (state !== undefined && state === valuesState) keep(id, value)
    }
    return found
  }
}

/**
 * Makes something of a record once for as long as the record is kept, and given again for the same keys (`===`). Nobody
 * may change what was made.
 */
export function madeOnce<R extends object, K extends readonly unknown[], T>(
  make: (record: R, ...keys: K) => T,
): (record: R, ...keys: K) => T {
  const known = new WeakMap<R, { readonly keys: K; readonly made: T }>()
  return (record, ...keys) => {
    const earlier = known.get(record)
    if (earlier?.keys.every((key, place) => key === keys[place])) return earlier.made
    const made = make(record, ...keys)
    known.set(record, { keys, made })
    return made
  }
}
