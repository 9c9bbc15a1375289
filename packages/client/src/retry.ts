/** The limits of retries. */
export interface Patience {
  /** The maximum number of retries after the first attempt. */
  readonly retries: number
  /** If the service asks for more, the request fails at once. */
  readonly longestWaitMs: number
}

const firstWaitMs = 500

/**
 * Returns true if a request may be sent again after a response with this status. A request with status 429 was refused
 * before any work. One with status 503 may have been fulfilled, if the database failed during the commit. So only
 * requests that have the same effect twice are then sent again.
 */
export function mayRetry(status: number, isRepeatable: boolean): boolean {
  return status === 429 || (status === 503 && isRepeatable)
}

/**
 * Returns the time to wait before a retry, or undefined for no retry.
 *
 * @param failures The number of failures so far, from 1.
 * @param retryAfterMs The wait that the service asks for.
 * @param random From 0 to 1: spreads the retries of requests that were refused together.
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

/** Converts a `Retry-After` value to milliseconds from now. It contains seconds, or a date (RFC 9110, 10.2.3). */
export function retryAfterOf(header: string | null, nowMs: number): number | undefined {
  if (header === null) return undefined
  if (/^\d+$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}
