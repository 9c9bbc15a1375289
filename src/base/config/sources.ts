import { readFileSync } from 'node:fs'
import { SETTINGS } from './config.ts'
import { unreadableReason } from './file.faults.ts'
import { fileSettingOf, type Setting } from './setting.ts'

/** Where the text of a setting comes from; `file` is one that `NAME_FILE` names. */
type SettingSource = 'option' | 'environment' | '.env' | 'file' | 'default'

export type SettingTexts = Readonly<Record<string, string | undefined>>

/** What one place says of all settings. */
export interface SettingLayer {
  readonly source: SettingSource
  readonly texts: SettingTexts
}

/** A setting as text, and where it comes from. */
export interface ResolvedSetting {
  readonly setting: Setting<unknown>
  readonly text: string
  readonly source: SettingSource
}

/** Far more than any secret has: whoever names another file by mistake is told so. */
const maxSecretBytes = 64 * 1024

/**
 * The text of every setting, and all that is wrong with where they stand, one line each.
 *
 * @param layers What counts most first. Secrets may stand in a file that a layer names in their place.
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

/** @throws Error in a sentence, where it cannot be told what was meant. */
function resolveSetting(setting: Setting<unknown>, layers: readonly SettingLayer[]): ResolvedSetting {
  const { name, byDefault, isSecret } = setting
  const fileName = fileSettingOf(setting)
  for (const { source, texts } of layers) {
    const [text, file] = [texts[name], isSecret ? texts[fileName] : undefined]
    // Empty is not given: files of composed services name all that there is.
    if (text && file) throw new Error(`Only one of ${name} and ${fileName} can be set.`)
    if (file) return { setting, text: readSecretFile(fileName, file), source: 'file' }
    if (text !== undefined) return { setting, text, source }
  }
  return { setting, text: byDefault, source: 'default' }
}

/** The secret in a file, without the line break that editors leave behind it. */
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
