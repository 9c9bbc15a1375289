import { DEFAULT_TEXT_LANGUAGE } from '../base/languages/language.ts'
import { settingMeaning } from '../base/languages/texts.ts'
import { EXIT, type OutputOptions, printResult, table } from './output.ts'
import { type SettingOptions, settingsFor } from './settings.ts'

/**
 * Prints every setting, its value and its source. Secrets are not shown.
 *
 * @throws ConfigError naming every fault at once.
 */
export async function printConfig(options: OutputOptions & SettingOptions): Promise<number> {
  const settings = settingsFor(options).found.map(({ setting: { name, shown }, text, source }) => ({
    ...{ name, source, meaning: settingMeaning(DEFAULT_TEXT_LANGUAGE, name) },
    value: shown(text),
  }))
  printResult(
    options,
    Object.fromEntries(settings.map(({ name, value, source, meaning }) => [name, { value, source, meaning }])),
    table(
      ['SETTING', 'VALUE', 'SOURCE'],
      settings.map(({ name, value, source }) => [name, value, source]),
    ),
  )
  return EXIT.ok
}
