import cluster from 'node:cluster'
import { type Config, readConfig, SETTINGS } from '../base/config/config.ts'
import { readEnvFile } from '../base/config/env.file.ts'
import { ignoredFileSettings, misspelledSettings } from '../base/config/misspelled.settings.ts'
import { fileSettingOf, noteSources, type Setting } from '../base/config/setting.ts'
import { type ResolvedSetting, resolveSettings, type SettingTexts } from '../base/config/sources.ts'
import { printError } from './output.ts'

/** The command line options that override settings. */
export interface SettingOptions {
  readonly host?: string
  readonly port?: string
  readonly dataDir?: string
  readonly workers?: string
  readonly databaseUrl?: string
}

/**
 * Returns the settings of a command. Options override the environment, and the environment overrides the settings file.
 *
 * @throws ConfigError naming every fault at once.
 */
export function configFor(options: SettingOptions): Config {
  return settingsFor(options).config
}

/**
 * Returns the same, with the text and the source of every setting.
 *
 * @throws ConfigError naming every fault at once.
 */
export function settingsFor(options: SettingOptions): {
  readonly config: Config
  readonly found: readonly ResolvedSetting[]
} {
  const file = readEnvFile(process.env)
  const { found, faults } = resolveSettings([
    { source: 'option', texts: textsOf(options) },
    { source: 'environment', texts: process.env },
    { source: '.env', texts: file.texts },
  ])
  // Workers have the settings of the primary process, which has already printed this.
  if (!cluster.isWorker) for (const line of likelyMistakes(file.texts)) printError(line)
  const texts = Object.fromEntries(found.map(({ setting, text }) => [setting.name, text]))
  const config = readConfig(texts, [...file.faults, ...faults])
  noteSources(config, Object.fromEntries(found.map(({ setting, source }) => [setting.name, source])))
  exportToEnvironment(file.texts)
  return { config, found }
}

function textsOf(options: SettingOptions): SettingTexts {
  const given = ['host', 'port', 'dataDir', 'workers', 'databaseUrl'] as const
  return Object.fromEntries(given.map((option) => [SETTINGS[option].name, options[option]]))
}

function likelyMistakes(file: SettingTexts): readonly string[] {
  const [names, others] = [Object.keys(file), Object.keys(process.env)]
  return [
    ...misspelledSettings(names, { isOurs: true }),
    ...misspelledSettings(
      others.filter((name) => !names.includes(name)),
      { isOurs: false },
    ),
    ...ignoredFileSettings([...names, ...others]),
  ]
}

/**
 * Adds variables of the file for other programs, such as the credentials of an S3 client, to the environment. Settings
 * of the service are left out: workers that start later read them again.
 */
function exportToEnvironment(file: SettingTexts): void {
  const ours = new Set(Object.values(SETTINGS).flatMap((own: Setting<unknown>) => [own.name, fileSettingOf(own)]))
  for (const [name, text] of Object.entries(file)) if (!ours.has(name)) process.env[name] ??= text
}
