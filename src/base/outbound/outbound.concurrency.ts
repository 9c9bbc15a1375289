import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'
import type { FetchOutbound } from './outbound.ts'

const retryAfterSeconds = 10

/** How many may be fetched at a time, and how many may wait for that. */
export interface ConcurrencyOptions {
  readonly maxConcurrent: number
  readonly maxWaiting: number
}

export interface LimitedFetch {
  readonly fetch: FetchOutbound
  waiting(): number
}

/**
 * Fetches no more at a time than this, in the order in which they were asked for. The time of a fetch begins when it is
 * its turn.
 *
 * @returns What fetches, and throws the problem `service_unavailable` where too many wait; and how many do.
 */
export function limitConcurrency(
  fetch: FetchOutbound,
  { maxConcurrent, maxWaiting }: ConcurrencyOptions,
): LimitedFetch {
  const limit = createConcurrencyLimit({
    ...{ maxConcurrent, maxWaiting },
    onFull: () => new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
  return { fetch: (url, options) => limit.run(() => fetch(url, options)), waiting: limit.waiting }
}
