import { LRUCache } from 'lru-cache'
import type { Rate } from '../config/limits.ts'

export interface Allowance {
  readonly isAllowed: boolean
  /** How many more are allowed at once. */
  readonly remaining: number
  /** Seconds until the quota is full again. */
  readonly resetSeconds: number
  /** Seconds until the next one is allowed; 0 if it is allowed now. */
  readonly waitSeconds: number
}

/** A quota for each of many keys. */
export interface Quota {
  /** Returns whether the key may take one more, and what remains. Takes nothing. */
  peek(key: string): Allowance
  /** Takes one if the quota allows it. */
  take(key: string): Allowance
  /** Takes one even if the quota is empty, which makes the key wait longer. */
  charge(key: string): void
  /** How many keys are stored. */
  readonly size: number
}

export interface QuotaOptions extends Rate {
  /** At most twice this number of keys is stored: the most recently used. */
  readonly maxKeys: number
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

interface Share {
  /** The time at which the quota of a key is full again. */
  wholeAt: number
}

/**
 * Creates a quota per key that refills steadily (GCRA). A key may use its whole quota at once. After that, it may take
 * one per refill interval. The only value stored per key is the time at which its quota is full again.
 */
export function createQuota({ most, seconds, maxKeys, now = () => performance.now() }: QuotaOptions): Quota {
  const windowMs = seconds * 1000
  const oneMs = windowMs / most
  // No time to live: a key with a full quota gives the same result as a key that is not stored.
  // Bounded by a size: with `max`, the cache would allocate the memory of all keys at once, for each quota.
  const shares = new LRUCache<string, Share>({ maxSize: 2 * maxKeys, sizeCalculation: () => 1 })
  // Reading a quota is not a use of it: only taking from it keeps the key longer.
  const wholeAt = (key: string, at: number) => Math.max(shares.peek(key)?.wholeAt ?? 0, at)
  const keep = (key: string, whole: number) => {
    // Storing costs more than finding.
    const known = shares.get(key)
    if (known) known.wholeAt = whole
    else shares.set(key, { wholeAt: whole })
  }
  // Fractions of a millisecond cause rounding errors.
  const remainingOf = (whole: number, at: number) => Math.max(0, Math.floor((windowMs - (whole - at)) / oneMs + 1e-6))
  const allowance = (whole: number, at: number): Allowance => {
    const remaining = remainingOf(whole, at)
    return {
      isAllowed: remaining > 0,
      remaining,
      resetSeconds: Math.ceil((whole - at) / 1000),
      waitSeconds: remaining > 0 ? 0 : Math.max(1, Math.ceil((oneMs - windowMs + whole - at) / 1000)),
    }
  }
  return {
    peek: (key) => {
      const at = now()
      return allowance(wholeAt(key, at), at)
    },
    take: (key) => {
      const at = now()
      const whole = wholeAt(key, at)
      const remaining = remainingOf(whole, at)
      if (remaining < 1) return allowance(whole, at)
      keep(key, whole + oneMs)
      const resetSeconds = Math.ceil((whole + oneMs - at) / 1000)
      return { isAllowed: true, remaining: remaining - 1, resetSeconds, waitSeconds: 0 }
    },
    charge: (key) => keep(key, wholeAt(key, now()) + oneMs),
    get size() {
      return shares.size
    },
  }
}
