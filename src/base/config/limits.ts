import { parseNetworks } from './networks.ts'
import { seriesSettings } from './series.ts'
import { type Settings, setting } from './setting.ts'
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

/** The settings of limits for clients. */
export const limitSettings = {
  ...seriesSettings,
  rateLimit: setting(
    'RATE_LIMIT',
    '3000/60',
    'Number of requests allowed per client address, and per user, within a number of seconds: `3000/60` is 3000 in 60 seconds. 0: no limit.',
    rate,
  ),
  failureLimit: setting(
    'FAILURE_LIMIT',
    '20/300',
    'Number of wrong credentials or event passwords allowed per client address within a number of seconds. Each login and each event allows ten times as many. 0: no limit.',
    rate,
  ),
  isExempt: setting(
    'RATE_LIMIT_EXEMPT',
    'private',
    'Networks whose requests and connections are not limited per address, because many clients share one address there; comma-separated. `private`: loopback and private networks.',
    parseNetworks,
  ),
  contributorQuota: setting(
    'CONTRIBUTOR_QUOTA',
    '16',
    'Megabytes that each user who may not publish can store in records that nobody has published, those in the trash included. 0: no limit.',
    wholeNumber(0, 100_000),
  ),
  maxInFlight: setting(
    'MAX_IN_FLIGHT',
    '256',
    'Number of requests that one process handles or queues at a time. Further requests get 503.',
    wholeNumber(1, 100_000),
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    '4000',
    'Number of client connections per process. When all are taken, idle connections are closed to make room. Further ones get 503 or are closed, except those of health probes.',
    wholeNumber(1, 1_000_000),
  ),
  maxConnectionsPerAddress: setting(
    'MAX_CONNECTIONS_PER_ADDRESS',
    '256',
    'Number of connections per process from one client address, or from one /64 network for IPv6. Further connections are closed.',
    wholeNumber(1, 1_000_000),
  ),
  readers: setting(
    'READERS',
    '2',
    'Maximum number of reader threads per process, on SQLite. They answer reads that may take long, such as searches, feeds and pages. 0: none, and such reads hold up all others. PostgreSQL needs none.',
    wholeNumber(0, 16),
  ),
  readerTimeoutMs: setting(
    'READER_TIMEOUT_MS',
    '2000',
    'Milliseconds that a reader thread may work on one answer. Requests that take longer get 503. On a busy machine an answer may take up to four times as long, as long as the process has had less processor time than this.',
    wholeNumber(50, 600_000),
  ),
  idempotencyHours: setting(
    'IDEMPOTENCY_HOURS',
    '24',
    'Hours that the result of a write with an `Idempotency-Key` is remembered. 0: such keys are ignored.',
    wholeNumber(0, 168),
  ),
  pictureTimeoutSeconds: setting(
    'PICTURE_TIMEOUT',
    '30',
    'Seconds that processing one picture may take. Pictures that take longer are refused.',
    wholeNumber(1, 3600),
  ),
} as const

export type LimitSettings = Settings<typeof limitSettings>
