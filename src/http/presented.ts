import type { Addresses } from './addresses.ts'

/**
 * Presents a record once for as long as it is kept: whoever comes to the same addresses is given the same object, which
 * nobody may change. What `present` is given beside them must be the same wherever the addresses are.
 */
export function presentedOnce<R extends object, P extends readonly unknown[], T extends object>(
  present: (record: R, addresses: Addresses, ...rest: P) => T,
): (record: R, addresses: Addresses, ...rest: P) => T {
  const known = new WeakMap<R, { readonly addresses: Addresses; readonly presented: T }>()
  return (record, addresses, ...rest) => {
    const earlier = known.get(record)
    if (earlier?.addresses === addresses) return earlier.presented
    const presented = present(record, addresses, ...rest)
    known.set(record, { addresses, presented })
    return presented
  }
}
