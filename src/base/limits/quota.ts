import { LRUCache } from 'lru-cache'
import type { Rate } from '../config/limits.ts'

/** What is left of a share. */
export interface Allowance {
  readonly isAllowed: boolean
  /** How many more are allowed at once. */
  readonly remaining: number
  /** Until the share is whole again. */
  readonly resetSeconds: number
  /** Until the next one is allowed; 0 where it is. */
  readonly waitSeconds: number
}

/** A share of something for each of many keys. */
export interface Quota {
  /** Whether the key may have one more, and what is left. */
  peek(key: string): Allowance
  /** Takes one, if there is one. */
  take(key: string): Allowance
  /** Takes one even where there is none: the key waits the longer. */
  charge(key: string): void
  /** How many keys are remembered. */
  readonly size: number
}

export interface QuotaOptions extends Rate {
  /** Twice as many keys are remembered at most, those that were used last. */
  readonly maxKeys: number
  /** Milliseconds of a clock that is never put back. */
  readonly now?: () => number
}

/**
 * Gives each key a share that refills steadily: all of it may be used at once, and then one each time that one has
 * grown back (GCRA). Of a key only the moment is kept at which its share is whole again.
 */
export function createQuota({ most, seconds, maxKeys, now = () => performance.now() }: QuotaOptions): Quota {
  const windowMs = seconds * 1000
  const oneMs = windowMs / most
  // No time to live: a key whose share is whole again says the same as one that is forgotten.
  const shares = new LRUCache<string, number>({ max: 2 * maxKeys })
  // To look at a share is not to use it: only who takes from it is remembered for longer.
  const wholeAt = (key: string, at: number) => Math.max(shares.peek(key) ?? 0, at)
  const keep = (key: string, whole: number) => void shares.set(key, whole)
  // What is reckoned in fractions of a millisecond is not always round.
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
