import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { type Config, ConfigError, readConfig, SETTINGS } from '../config/config.ts'

/** Options of the command line that stand for settings. */
export interface SettingOptions {
  readonly host?: string
  readonly port?: string
  readonly dataDir?: string
  readonly workers?: string
  readonly databaseUrl?: string
}

export type Source = 'option' | 'environment' | '.env' | 'default'

type Texts = Readonly<Record<string, string | undefined>>

/** The texts of the settings by where they come from, what counts most first. */
function layers(options: SettingOptions): readonly { readonly source: Source; readonly texts: Texts }[] {
  const given = ['host', 'port', 'dataDir', 'workers', 'databaseUrl'] as const
  return [
    {
      source: 'option',
      texts: Object.fromEntries(given.map((option) => [SETTINGS[option].name, options[option]])),
    },
    { source: 'environment', texts: process.env },
    { source: '.env', texts: readEnvFile() },
    {
      source: 'default',
      texts: Object.fromEntries(Object.values(SETTINGS).map(({ name, byDefault }) => [name, byDefault])),
    },
  ]
}

/**
 * The settings of a command: its options win over the environment, the environment over the file `.env` of the working
 * folder.
 *
 * @throws ConfigError naming every fault at once.
 */
export function configFor(options: SettingOptions): Config {
  return readConfig(Object.fromEntries(settingTexts(options).map(({ name, text }) => [name, text])))
}

/** Every setting as text, and where it comes from. */
export function settingTexts(
  options: SettingOptions,
): readonly { readonly name: string; readonly meaning: string; readonly text: string; readonly source: Source }[] {
  const known = layers(options)
  return Object.values(SETTINGS).map(({ name, meaning, byDefault }) => {
    const layer = known.find(({ texts }) => texts[name] !== undefined)
    return { name, meaning, text: layer?.texts[name] ?? byDefault, source: layer?.source ?? 'default' }
  })
}

/** @throws ConfigError where the file is there and cannot be read. */
function readEnvFile(): Texts {
  try {
    return parseEnv(readFileSync('.env', 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new ConfigError([`The file .env cannot be read: ${message}.`])
  }
}
