import { resolve } from 'node:path'
import { CONTRACT_LANGUAGES, type Language } from '../languages/language.ts'
import {
  type DatabaseAddress,
  parseDatabaseUrl,
  parsePrepareMode,
  parseServerUrls,
  withoutPassword,
  withoutPasswords,
} from './database.ts'
import { parseAddressLanguages, parseFallback, parseLanguage, parseLanguages } from './languages.ts'
import { limitSettings } from './limits.ts'
import { type MediaLocation, parseMediaUrl, withoutCredentials } from './media.ts'
import { parseNetworks } from './networks.ts'
import { pageSettings } from './pages.ts'
import { frozen, pathSetting, type Settings, secretSetting, setting } from './setting.ts'
import { booleanValue, folder, matching, nonEmptyText, wholeNumber, word, zone } from './values.ts'
import { webSettings } from './web.ts'

/** Every setting, defined once: name, default, meaning and parser. */
export const SETTINGS = {
  host: setting('HOST', '127.0.0.1', nonEmptyText),
  port: setting('PORT', '3000', wholeNumber(0, 65_535)),
  workers: setting('WORKERS', '1', wholeNumber(1, 256)),
  dataDir: pathSetting('DATA_DIR', './data', folder),
  databaseUrl: secretSetting('DATABASE_URL', parseDatabaseUrl, withoutPassword),
  databasePoolSize: setting('DATABASE_POOL_SIZE', '10', wholeNumber(2, 1000)),
  databaseStatementTimeoutMs: setting('DATABASE_STATEMENT_TIMEOUT_MS', '15000', wholeNumber(100, 3_600_000)),
  databaseWaitSeconds: setting('DATABASE_WAIT_SECONDS', '60', wholeNumber(0, 86_400)),
  databaseOutageWaitSeconds: setting('DATABASE_OUTAGE_WAIT_SECONDS', '20', wholeNumber(0, 600)),
  databasePrepare: setting('DATABASE_PREPARE', 'auto', parsePrepareMode),
  databaseReplicas: secretSetting('DATABASE_REPLICA_URL', parseServerUrls, withoutPasswords),
  databaseReplicaMaxLagMs: setting('DATABASE_REPLICA_MAX_LAG_MS', '5000', wholeNumber(1000, 3_600_000)),
  databaseReplicaAloneSeconds: setting('DATABASE_REPLICA_ALONE_SECONDS', '60', wholeNumber(0, 86_400)),
  mediaUrl: pathSetting('MEDIA_URL', '', parseMediaUrl, withoutCredentials),
  ...webSettings,
  restPrefix: setting('REST_PREFIX', '', matching(/^(\/[a-z0-9-]+)*$/, 'a path such as /wp-json, or nothing')),
  vendorWord: setting('VENDOR_WORD', 'cal', matching(/^[a-z][a-z0-9-]{0,31}$/, 'a lower-case word')),
  languageParameter: setting(
    'LANGUAGE_PARAMETER',
    'ml_language',
    matching(/^[a-z][a-z0-9_]{0,31}$/, 'a lower-case word'),
  ),
  languages: setting('LANGUAGES', CONTRACT_LANGUAGES.join(','), parseLanguages),
  defaultLanguage: setting('DEFAULT_LANGUAGE', 'en', parseLanguage),
  eventsFallback: setting('EVENTS_FALLBACK', 'language', parseFallback),
  namesFallback: setting('NAMES_FALLBACK', 'any', parseFallback),
  listsAllGroups: setting('DEFAULT_LISTS_ALL_GROUPS', 'true', booleanValue),
  addressLanguages: setting('ADDRESS_LANGUAGES', '', parseAddressLanguages),
  usesAcceptLanguage: setting('TEXTS_FROM_ACCEPT_LANGUAGE', 'false', booleanValue),
  sharesFields: setting('SHARE_FIELDS', 'true', booleanValue),
  siteName: setting('SITE_NAME', 'Calendar', nonEmptyText),
  ...pageSettings,
  siteZone: setting('SITE_TIMEZONE', 'UTC', zone),
  perPage: setting('PER_PAGE', '10', wholeNumber(1, 1000)),
  maxPerPage: setting('MAX_PER_PAGE', '100', wholeNumber(1, 1000)),
  currencySymbol: setting('CURRENCY_SYMBOL', '$', (text) => text),
  currencyPosition: setting('CURRENCY_POSITION', 'prefix', word('prefix', 'postfix')),
  currencyCode: setting('CURRENCY_CODE', 'USD', matching(/^[A-Z]{3}$/, 'three capital letters')),
  isJsonpAllowed: setting('JSONP', 'true', booleanValue),
  adminUser: setting('ADMIN_USER', 'admin', nonEmptyText),
  adminPassword: secretSetting('ADMIN_PASSWORD', (text) => {
    if (text !== '' && text.replace(/[^a-z0-9]/gi, '').length < 16) throw new Error('at least 16 letters and digits')
    return text === '' ? undefined : text
  }),
  backupKey: secretSetting('BACKUP_KEY', (text) => (text === '' ? undefined : text)),
  cacheMegabytes: setting('CACHE_MEGABYTES', '32', wholeNumber(0, 100_000)),
  auditRetentionDays: setting('AUDIT_RETENTION_DAYS', '365', wholeNumber(0, 36_500)),
  changesRetentionDays: setting('CHANGES_RETENTION_DAYS', '400', wholeNumber(7, 36_500)),
  dataLicense: setting('DATA_LICENSE', '', (text) => {
    if (text !== '' && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
      throw new Error('empty, or an http or https address')
    return text === '' ? undefined : text
  }),
  logLevel: setting(
    'LOG_LEVEL',
    'warn',
    matching(
      /^(fatal|error|warn|info|debug|trace|silent)$/,
      'one of these levels: fatal, error, warn, info, debug, trace, silent',
    ),
  ),
  logFormat: setting('LOG_FORMAT', 'auto', word('auto', 'json', 'pretty')),
  logsClientAddresses: setting('LOG_ADDRESSES', 'false', booleanValue),
  metricsToken: secretSetting('METRICS_TOKEN', (text) => {
    if (text !== '' && !/^[\x21-\x7e]+$/.test(text))
      throw new Error('ASCII letters, digits and punctuation, without spaces')
    if (text !== '' && text.length < 16) throw new Error('at least 16 characters')
    return text === '' ? undefined : text
  }),
  metricsFrom: setting('METRICS_FROM', '', (text) => (text.trim() === '' ? undefined : parseNetworks(text))),
  sendsServerTiming: setting('SERVER_TIMING', 'false', booleanValue),
  ...limitSettings,
  shutdownTimeoutSeconds: setting('SHUTDOWN_TIMEOUT', '25', wholeNumber(1, 3600)),
  shutdownDelaySeconds: setting('SHUTDOWN_DELAY', '0', wholeNumber(0, 3600)),
  minFreeDiskMegabytes: setting('MIN_FREE_DISK', '100', wholeNumber(0, 100_000_000)),
} as const

/** The settings. They are read once at startup and never change. */
export interface Config extends Omit<Settings<typeof SETTINGS>, 'databaseUrl' | 'mediaUrl'> {
  readonly database: DatabaseAddress
  /** The location of the database as it may be printed. */
  readonly databaseFile: string
  /** The location of the picture files. */
  readonly media: MediaLocation
}

const mebibyte = 1024 * 1024

/** Returns how the bytes for caches are shared: whole responses, and linked records that many responses contain. */
export function cacheBudgets({ cacheMegabytes }: Pick<Config, 'cacheMegabytes'>) {
  const bytes = cacheMegabytes * mebibyte
  return { answers: (bytes * 3) / 4, linked: bytes / 4 }
}

/** All faults of a configuration, one line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration is not valid:\n${faults.map((fault) => `- ${fault}`).join('\n')}`)
    this.faults = faults
  }
}

/**
 * Reads the settings.
 *
 * @param before Faults found earlier, to report together with these.
 * @throws ConfigError naming every fault at once.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  before: readonly string[] = [],
): Config {
  const faults = [...before]
  const values = Object.fromEntries(
    Object.entries(SETTINGS).map(([key, { name, byDefault, read, shown }]) => {
      const text = environment[name] ?? byDefault
      try {
        return [key, read(text)]
      } catch (error) {
        faults.push(`${name} is “${shown(text)}” but must be ${(error as Error).message}.`)
        return [key, undefined]
      }
    }),
  ) as Settings<typeof SETTINGS>
  if (values.perPage > values.maxPerPage) faults.push('PER_PAGE must not be above MAX_PER_PAGE.')
  if (values.mapTileUrl && values.mapPmtiles) faults.push('MAP_TILE_URL and MAP_PMTILES cannot both be set.')
  const { languages, defaultLanguage, addressLanguages } = values
  const isOther = (language: Language | undefined) => language && languages?.includes(language) === false
  if (isOther(defaultLanguage)) faults.push('DEFAULT_LANGUAGE must be one of LANGUAGES.')
  if (Object.values(addressLanguages ?? {}).some(isOther)) faults.push('ADDRESS_LANGUAGES must be some of LANGUAGES.')
  if (faults.length === 0 && values.databaseReplicas.length > 0 && values.databaseUrl?.engine !== 'postgres') {
    faults.push('DATABASE_REPLICA_URL requires a PostgreSQL server in DATABASE_URL.')
  }
  if (faults.length > 0) throw new ConfigError(faults)
  const { databaseUrl, mediaUrl, ...others } = values
  const media = mediaUrl ?? { kind: 'folder', folder: resolve(values.dataDir, 'uploads') }
  const database = databaseUrl ?? { engine: 'sqlite', file: resolve(values.dataDir, 'calendar.sqlite') }
  const databaseFile = database.engine === 'sqlite' ? database.file : database.shown
  return frozen({ ...others, database, databaseFile, media }, environment)
}
