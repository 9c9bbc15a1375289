import { parseNetworks } from './networks.ts'
import { type Settings, secretSetting, setting } from './setting.ts'
import { booleanValue } from './values.ts'

const minTokenLength = 16

/** The settings of logs, metrics and traces. */
export const monitoringSettings = {
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    'Log format. `json`: one line per entry. `pretty`: for people. `auto`: `pretty` on a terminal, otherwise `json`.',
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
    'Bearer token that a client needs to read `/metrics`, with at least 16 characters. If `METRICS_TOKEN` and `METRICS_FROM` are both empty, nobody may read `/metrics`.',
    (text) => {
      if (text !== '' && !/^[\x21-\x7e]+$/.test(text))
        throw new Error('ASCII letters, digits and punctuation, without spaces')
      if (text !== '' && text.length < minTokenLength) throw new Error(`at least ${minTokenLength} characters`)
      return text === '' ? undefined : text
    },
  ),
  metricsFrom: setting(
    'METRICS_FROM',
    '',
    'Networks that may read `/metrics`, comma-separated. `private`: loopback and private networks. If `METRICS_TOKEN` is also set, both must match.',
    (text) => (text.trim() === '' ? undefined : parseNetworks(text)),
  ),
  sendsServerTiming: setting(
    'SERVER_TIMING',
    'false',
    'Whether answers include the header `Server-Timing`. For development only, because it reveals internals of the service.',
    booleanValue,
  ),
} as const

export type MonitoringSettings = Settings<typeof monitoringSettings>
