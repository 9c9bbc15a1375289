import { parseNetworks } from './networks.ts'
import { type Settings, secretSetting, setting } from './setting.ts'
import { truth } from './values.ts'

const leastTokenLength = 16

/** Settings of what the service tells those who look after it. */
export const monitoringSettings = {
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    'How it is logged: `json`, a line each; `pretty`, for people; `auto`, pretty on a terminal.',
    (text) => {
      if (text !== 'auto' && text !== 'json' && text !== 'pretty') throw new Error('auto, json or pretty')
      return text
    },
  ),
  isLoggingAddresses: setting(
    'LOG_ADDRESSES',
    'false',
    'Whether the log names the network addresses of clients, which may be personal data.',
    truth,
  ),
  metricsToken: secretSetting(
    'METRICS_TOKEN',
    'Whoever sends it as a bearer token may read `/metrics`; 16 characters or more. Empty, and no `METRICS_FROM`: nobody may.',
    (text) => {
      if (text !== '' && !/^[\x21-\x7e]+$/.test(text)) throw new Error('letters, digits and signs, without spaces')
      if (text !== '' && text.length < leastTokenLength) throw new Error(`at least ${leastTokenLength} characters`)
      return text === '' ? undefined : text
    },
  ),
  metricsFrom: setting(
    'METRICS_FROM',
    '',
    'Networks from which `/metrics` may be read, comma-separated, or `private`; with `METRICS_TOKEN` both must be right.',
    (text) => (text.trim() === '' ? undefined : parseNetworks(text)),
  ),
  isTellingTimes: setting(
    'SERVER_TIMING',
    'false',
    'Whether answers say how long their parts took (`Server-Timing`). For development: it tells strangers much.',
    truth,
  ),
} as const

export type MonitoringSettings = Settings<typeof monitoringSettings>
