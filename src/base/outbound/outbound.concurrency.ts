import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'
import type { FetchOutbound, OutboundOptions } from './outbound.ts'

const retryAfterSeconds = 10

/** The number of concurrent fetches, and of those that may wait. */
export interface ConcurrencyOptions {
  readonly maxConcurrent: number
  readonly maxWaiting: number
}

/** Fetches an address for a client, when it is the client's turn. */
export type FetchForClient = (url: string, options: OutboundOptions, client: string) => Promise<Buffer>

export interface LimitedFetch {
  readonly fetch: FetchForClient
  waiting(): number
}

/**
 * Limits the number of concurrent fetches. Clients take turns, and the fetches of one start in the order of their calls.
 * The time limit of a fetch begins when the fetch starts.
 *
 * @returns The fetch function, which throws the problem `service_unavailable` if too many wait, and the number that
 *   wait.
 */
export function limitConcurrency(
  fetch: FetchOutbound,
  { maxConcurrent, maxWaiting }: ConcurrencyOptions,
): LimitedFetch {
  const limit = createConcurrencyLimit({
    ...{ maxConcurrent, maxWaiting },
    onFull: () => new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
  return {
    fetch: (url, options, client) => limit.run(() => fetch(url, options), { client }),
    waiting: limit.waiting,
  }
}
