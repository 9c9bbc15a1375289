import { parseNetworks } from './networks.ts'
import { type Settings, secretSetting, setting } from './setting.ts'
import { booleanValue } from './values.ts'

const minTokenLength = 16

/** The settings of logs, metrics and traces. */
export const monitoringSettings = {
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    'Log format: `json`, one line per entry; `pretty`, for people; `auto`, pretty on a terminal.',
    (text) => {
      if (text !== 'auto' && text !== 'json' && text !== 'pretty') throw new Error('auto, json or pretty')
      return text
    },
  ),
  logsClientAddresses: setting(
    'LOG_ADDRESSES',
    'false',
    'Whether the log includes clients’ network addresses, which may be personal data.',
    booleanValue,
  ),
  metricsToken: secretSetting(
    'METRICS_TOKEN',
    'Bearer token for reading `/metrics`, at least 16 characters. If this and `METRICS_FROM` are empty, nobody may read it.',
    (text) => {
      if (text !== '' && !/^[\x21-\x7e]+$/.test(text)) throw new Error('letters, digits and signs, without spaces')
      if (text !== '' && text.length < minTokenLength) throw new Error(`at least ${minTokenLength} characters`)
      return text === '' ? undefined : text
    },
  ),
  metricsFrom: setting(
    'METRICS_FROM',
    '',
    'Networks that may read `/metrics`, comma-separated, or `private`; with `METRICS_TOKEN`, both must match.',
    (text) => (text.trim() === '' ? undefined : parseNetworks(text)),
  ),
  sendsServerTiming: setting(
    'SERVER_TIMING',
    'false',
    'Whether answers include timings (`Server-Timing`). For development only: it reveals a lot to strangers.',
    booleanValue,
  ),
} as const

export type MonitoringSettings = Settings<typeof monitoringSettings>
