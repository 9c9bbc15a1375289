import { parseNetworks } from './networks.ts'
import { setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** A maximum number within a number of seconds. */
export interface Rate {
  readonly most: number
  readonly seconds: number
}

/** Reads a rate such as `3000/60`: 3000 within 60 seconds. `0` means no limit and returns undefined. */
function rate(text: string): Rate | undefined {
  if (text === '0') return undefined
  const [, most = '', seconds = ''] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []
  if (Number(most) < 1 || Number(seconds) < 1)
    throw new Error('a rate such as 3000/60 (3000 within 60 seconds), or 0 for no limit')
  return { most: Number(most), seconds: Number(seconds) }
}

export const limitSettings = {
  seriesMonthsAhead: setting('SERIES_MONTHS_AHEAD', '25', wholeNumber(1, 120)),
  seriesMostDates: setting('SERIES_MOST_DATES', '800', wholeNumber(1, 2000)),
  rateLimit: setting('RATE_LIMIT', '3000/60', rate),
  failureLimit: setting('FAILURE_LIMIT', '20/300', rate),
  isExempt: setting('RATE_LIMIT_EXEMPT', 'private', parseNetworks),
  contributorQuota: setting('CONTRIBUTOR_QUOTA', '16', wholeNumber(0, 100_000)),
  maxInFlight: setting('MAX_IN_FLIGHT', '256', wholeNumber(1, 100_000)),
  maxConnections: setting('MAX_CONNECTIONS', '4000', wholeNumber(1, 1_000_000)),
  maxConnectionsPerAddress: setting('MAX_CONNECTIONS_PER_ADDRESS', '256', wholeNumber(1, 1_000_000)),
  readers: setting('READERS', '2', wholeNumber(0, 16)),
  queryTimeoutMs: setting('QUERY_TIMEOUT_MS', '2000', wholeNumber(50, 600_000)),
  idempotencyHours: setting('IDEMPOTENCY_HOURS', '24', wholeNumber(0, 168)),
  batchSeconds: setting('BATCH_SECONDS', '5', wholeNumber(1, 600)),
  pictureTimeoutSeconds: setting('PICTURE_TIMEOUT', '30', wholeNumber(1, 3600)),
} as const
