import { readFileSync } from 'node:fs'
import { SETTINGS } from './config.ts'
import { unreadableReason } from './file.faults.ts'
import { fileSettingOf, type Setting, type SettingSource } from './setting.ts'

export type SettingTexts = Readonly<Record<string, string | undefined>>

export interface SettingLayer {
  readonly source: SettingSource
  readonly texts: SettingTexts
}

export interface ResolvedSetting {
  readonly setting: Setting<unknown>
  readonly text: string
  readonly source: SettingSource
}

/** Much longer than any secret, to report a wrong file name. */
const maxSecretBytes = 64 * 1024

/**
 * Returns the text of every setting, and all faults of their sources, one line each.
 *
 * @param layers In order of precedence, highest first. A secret may be in a file that a layer names instead.
 */
export function resolveSettings(layers: readonly SettingLayer[]): {
  readonly found: readonly ResolvedSetting[]
  readonly faults: readonly string[]
} {
  const faults: string[] = []
  const found = Object.values(SETTINGS).map((setting: Setting<unknown>): ResolvedSetting => {
    try {
      return resolveSetting(setting, layers)
    } catch (error) {
      faults.push((error as Error).message)
      return { setting, text: setting.byDefault, source: 'default' }
    }
  })
  return { found, faults }
}

/** @throws Error with a sentence, if the value is ambiguous. */
function resolveSetting(setting: Setting<unknown>, layers: readonly SettingLayer[]): ResolvedSetting {
  const { name, byDefault, isSecret } = setting
  const fileName = fileSettingOf(setting)
  for (const { source, texts } of layers) {
    const [text, file] = [texts[name], isSecret ? texts[fileName] : undefined]
    // An empty value counts as missing: Compose files name every variable.
    if (text && file) throw new Error(`Only one of ${name} and ${fileName} can be set.`)
    if (file) return { setting, text: readSecretFile(fileName, file), source: 'file' }
    if (text !== undefined) return { setting, text, source }
  }
  return { setting, text: byDefault, source: 'default' }
}

/** Reads a secret from a file, without the final line break that editors add. */
function readSecretFile(name: string, file: string): string {
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new Error(`${name}: the file ${file} cannot be read: ${unreadableReason(error)}.`, { cause: error })
  }
  if (bytes.length > maxSecretBytes) throw new Error(`${name}: ${file} is too large to be a secret.`)
  const text = bytes.toString('utf8').replace(/\r?\n$/, '')
  if (text.trim() === '') throw new Error(`${name}: ${file} is empty.`)
  return text
}
