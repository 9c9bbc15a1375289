import { parseNetworks } from './networks.ts'
import { type Settings, secretSetting, setting } from './setting.ts'
import { booleanValue } from './values.ts'

const minTokenLength = 16

/** The settings of logs, metrics and traces. */
export const monitoringSettings = {
  logFormat: setting('LOG_FORMAT', 'auto', (text) => {
    if (text !== 'auto' && text !== 'json' && text !== 'pretty') throw new Error('auto, json or pretty')
    return text
  }),
  logsClientAddresses: setting('LOG_ADDRESSES', 'false', booleanValue),
  metricsToken: secretSetting('METRICS_TOKEN', (text) => {
    if (text !== '' && !/^[\x21-\x7e]+$/.test(text))
      throw new Error('ASCII letters, digits and punctuation, without spaces')
    if (text !== '' && text.length < minTokenLength) throw new Error(`at least ${minTokenLength} characters`)
    return text === '' ? undefined : text
  }),
  metricsFrom: setting('METRICS_FROM', '', (text) => (text.trim() === '' ? undefined : parseNetworks(text))),
  sendsServerTiming: setting('SERVER_TIMING', 'false', booleanValue),
} as const

export type MonitoringSettings = Settings<typeof monitoringSettings>
