/** How often, and how patiently, a request is sent again. */
export interface Patience {
  /** How many times, after the first. */
  readonly retries: number
  /** Where the service asks for more, the request fails at once. */
  readonly longestWaitMs: number
}

const firstWaitMs = 500

/**
 * Whether a request that was answered with this status may be sent again. One answered with 429 was refused before
 * anything was done. One answered with 503 may have been fulfilled, where the database went away while it kept a
 * write: then only what comes to the same when it is done twice is sent again, and a POST is not.
 */
export function mayRetry(status: number, method: string): boolean {
  return status === 429 || (status === 503 && method !== 'POST')
}

/**
 * How long to wait before a request is sent again, or undefined where it is not.
 *
 * @param failures How many times it has failed already, from 1.
 * @param retryAfterMs What the service asks for.
 * @param random From 0 to 1: spreads those that were refused together.
 */
export function waitBeforeRetry(
  failures: number,
  retryAfterMs: number | undefined,
  { retries, longestWaitMs }: Patience,
  random: number,
): number | undefined {
  if (failures > retries || (retryAfterMs ?? 0) > longestWaitMs) return undefined
  const spreadMs = firstWaitMs * 2 ** (failures - 1) * random
  return Math.min(longestWaitMs, (retryAfterMs ?? 0) + spreadMs)
}

/** A `Retry-After` header, in milliseconds from now: seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
