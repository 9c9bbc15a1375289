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
