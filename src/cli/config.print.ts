import { shownSetting } from '../config/shown.ts'
import { EXIT, type OutputOptions, report, table } from './output.ts'
import { configFor, type SettingOptions, settingTexts } from './settings.ts'

/**
 * Prints every setting, its value and where it comes from. Secrets are not shown.
 *
 * @throws ConfigError naming every fault at once.
 */
export async function printConfig(options: OutputOptions & SettingOptions): Promise<number> {
  configFor(options)
  const settings = settingTexts(options).map(({ text, ...setting }) => ({
    ...setting,
    value: shownSetting(setting.name, text),
  }))
  report(
    options,
    Object.fromEntries(settings.map(({ name, value, source, meaning }) => [name, { value, source, meaning }])),
    table(
      ['SETTING', 'VALUE', 'SOURCE'],
      settings.map(({ name, value, source }) => [name, value, source]),
    ),
  )
  return EXIT.ok
}
