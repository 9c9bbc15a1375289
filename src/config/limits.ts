import { parseNetworks } from './networks.ts'
import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** So many within so long. */
export interface Rate {
  readonly most: number
  readonly seconds: number
}

/** A rate such as `3000/60`: 3000 within 60 seconds. `0` is none: undefined. */
function rate(text: string): Rate | undefined {
  if (text === '0') return undefined
  const [, most = '', seconds = ''] = /^(\d{1,7})\/(\d{1,5})$/.exec(text) ?? []
  if (Number(most) < 1 || Number(seconds) < 1) throw new Error('such as 3000/60, 3000 within 60 seconds, or 0 for none')
  return { most: Number(most), seconds: Number(seconds) }
}

/** Settings of how much clients may ask for. */
export const limitSettings = {
  rateLimit: setting(
    'RATE_LIMIT',
    '3000/60',
    'Requests of one address, and of one user, within so many seconds; 0: no limit.',
    rate,
  ),
  failureLimit: setting(
    'FAILURE_LIMIT',
    '20/300',
    'Wrong credentials, and wrong passwords of events, of one address; ten times as many for one login or event. 0: no limit.',
    rate,
  ),
  isExempt: setting(
    'RATE_LIMIT_EXEMPT',
    'private',
    'Networks whose addresses stand for no single client: neither requests nor connections are counted, comma-separated; `private`: loopback and private ones.',
    parseNetworks,
  ),
  maxInFlight: setting(
    'MAX_IN_FLIGHT',
    '256',
    'Requests that one process works on, or that wait in line for it; what comes beyond is answered with 503.',
    wholeNumber(1, 100_000),
  ),
  maxConnections: setting(
    'MAX_CONNECTIONS',
    '4000',
    'Connections of clients to one process. Where all are taken, those that nobody uses are closed for new ones; what comes beyond is answered with 503 or closed, but for probes.',
    wholeNumber(1, 1_000_000),
  ),
  maxConnectionsPerAddress: setting(
    'MAX_CONNECTIONS_PER_ADDRESS',
    '256',
    'The same for one address, of IPv6 the network of one customer (/64); what comes beyond is closed.',
    wholeNumber(1, 1_000_000),
  ),
  pictureTimeoutSeconds: setting(
    'PICTURE_TIMEOUT',
    '30',
    'Seconds that making one picture may take; what takes longer is refused.',
    wholeNumber(1, 3600),
  ),
} as const

export type LimitSettings = Settings<typeof limitSettings>
