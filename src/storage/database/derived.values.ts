import type { Db } from './tables.ts'

const allowed = new WeakMap<Db, number>()

/** Allows about this many bytes of data read by this handle to be cached. */
export function setReadCacheBytes(db: Db, bytes: number): void {
  allowed.set(db, bytes)
}

/** Returns the bytes that may be cached of data read by this handle. 0 unless `setReadCacheBytes` was called. */
export function readCacheBytesOf(db: Db): number {
  return allowed.get(db) ?? 0
}

/**
 * Memoizes `make` per record: computes the result once for the same keys (`===`), and keeps it as long as the record
 * exists. Callers must not change the result.
 */
export function memoizePerObject<R extends object, K extends readonly unknown[], T>(
  make: (record: R, ...keys: K) => T,
): (record: R, ...keys: K) => T {
  const known = new WeakMap<R, { readonly keys: K; readonly made: T }>()
  return (record, ...keys) => {
    const earlier = known.get(record)
    if (earlier && areSame(earlier.keys, keys)) return earlier.made
    const made = make(record, ...keys)
    known.set(record, { keys, made })
    return made
  }
}

/** A loop, because feeds and lists ask for most of their values here. */
function areSame(keys: readonly unknown[], others: readonly unknown[]): boolean {
  for (let place = 0; place < keys.length; place += 1) if (keys[place] !== others[place]) return false
  return true
}
