import { resolve } from 'node:path'
import type { Fallback } from '../languages/chain.ts'
import { CONTRACT_LANGUAGES, type Language } from '../languages/language.ts'
import type { Zone } from '../time/zone.ts'
import { type BackupSettings, backupSettings } from './backup.ts'
import { type ChangeSettings, changeSettings } from './changes.ts'
import {
  type DatabaseAddress,
  type PrepareMode,
  parseDatabaseUrl,
  parsePrepareMode,
  parseServerUrls,
  type ServerAddress,
  withoutPassword,
  withoutPasswords,
} from './database.ts'
import {
  type AddressLanguages,
  parseAddressLanguages,
  parseFallback,
  parseLanguage,
  parseLanguages,
} from './languages.ts'
import { type LifecycleSettings, lifecycleSettings } from './lifecycle.ts'
import { type LimitSettings, limitSettings } from './limits.ts'
import { type MediaLocation, parseMediaUrl, withoutCredentials } from './media.ts'
import { type MonitoringSettings, monitoringSettings } from './monitoring.ts'
import { type PageConfig, pageSettings } from './pages.ts'
import { frozen, pathSetting, type Settings, secretSetting, setting } from './setting.ts'
import { booleanValue, folder, matching, nonEmptyText, wholeNumber, zone } from './values.ts'
import { type WebSettings, webSettings } from './web.ts'

/** The settings. They are read once at startup and never change. */
export interface Config
  extends ChangeSettings,
    WebSettings,
    LimitSettings,
    BackupSettings,
    MonitoringSettings,
    LifecycleSettings,
    PageConfig {
  readonly host: string
  readonly port: number
  /** The number of worker processes, which share the port and the database. */
  readonly workers: number
  readonly dataDir: string
  readonly database: DatabaseAddress
  /** The location of the database as it may be printed. */
  readonly databaseFile: string
  /** Connections per process to a PostgreSQL server. */
  readonly databasePoolSize: number
  readonly databaseStatementTimeoutMs: number
  /** How long to wait for a PostgreSQL server at startup. */
  readonly databaseWaitSeconds: number
  /** How long a request waits while no PostgreSQL server can be written to. */
  readonly databaseOutageWaitSeconds: number
  /** Whether connections to PostgreSQL keep named statements. */
  readonly databasePrepare: PrepareMode
  /** Replicas of the PostgreSQL server that queries are sent to. */
  readonly databaseReplicas: readonly ServerAddress[]
  /** The maximum lag of a replica. */
  readonly databaseReplicaMaxLagMs: number
  /** How long replicas are read from while there is no primary. */
  readonly databaseReplicaAloneSeconds: number
  /** Path prefix before the namespace: '' or '/wp-json'. */
  readonly restPrefix: string
  readonly vendorWord: string
  readonly languageParameter: string
  /** The languages in which records can be requested and written. */
  readonly languages: readonly Language[]
  readonly defaultLanguage: Language
  /** What a list of events in one language shows of events that are not translated into it. */
  readonly eventsFallback: Fallback
  /** The same for lists of venues, organizers, categories and tags. */
  readonly namesFallback: Fallback
  /** Whether lists requested without a language include what exists in other languages only. */
  readonly listsAllGroups: boolean
  /** The language of records by text language of the address, if a request names none. */
  readonly addressLanguages: AddressLanguages
  /** Whether clients may choose the language of texts by a header. */
  readonly usesAcceptLanguage: boolean
  /** Whether translations share dates, venues, pictures and similar fields. */
  readonly sharesFields: boolean
  readonly siteName: string
  readonly siteZone: Zone
  readonly perPage: number
  readonly maxPerPage: number
  readonly currencySymbol: string
  readonly currencyPosition: 'prefix' | 'postfix'
  readonly currencyCode: string
  readonly isJsonpAllowed: boolean
  readonly adminUser: string
  readonly adminPassword: string | undefined
  /** The location of the picture files. */
  readonly media: MediaLocation
  /** Memory for cached responses and for data that many of them contain; 0: nothing is cached. */
  readonly cacheMegabytes: number
  readonly logLevel: string
}

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
  currencyPosition: setting('CURRENCY_POSITION', 'prefix', (text) => {
    if (text !== 'prefix' && text !== 'postfix') throw new Error('prefix or postfix')
    return text
  }),
  currencyCode: setting('CURRENCY_CODE', 'USD', matching(/^[A-Z]{3}$/, 'three capital letters')),
  isJsonpAllowed: setting('JSONP', 'true', booleanValue),
  adminUser: setting('ADMIN_USER', 'admin', nonEmptyText),
  adminPassword: secretSetting('ADMIN_PASSWORD', (text) => {
    if (text !== '' && text.replace(/[^a-z0-9]/gi, '').length < 16) throw new Error('at least 16 letters and digits')
    return text === '' ? undefined : text
  }),
  ...backupSettings,
  cacheMegabytes: setting('CACHE_MEGABYTES', '32', wholeNumber(0, 100_000)),
  ...changeSettings,
  logLevel: setting(
    'LOG_LEVEL',
    'warn',
    matching(
      /^(fatal|error|warn|info|debug|trace|silent)$/,
      'one of these levels: fatal, error, warn, info, debug, trace, silent',
    ),
  ),
  ...monitoringSettings,
  ...limitSettings,
  ...lifecycleSettings,
} as const

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
