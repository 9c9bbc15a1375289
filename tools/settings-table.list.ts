import { SETTINGS } from '../src/base/config/config.ts'
import type { Setting } from '../src/base/config/setting.ts'
import { DEFAULT_TEXT_LANGUAGE } from '../src/base/languages/language.ts'
import { settingMeaning } from '../src/base/languages/texts.ts'

const tables = /<!-- settings(?:: (?<names>[A-Z_ ]+))? -->\n[\s\S]*?<!-- \/settings -->/g

/** Returns settings as a Markdown table: name, default, meaning, and which are secrets. */
function settingsTable(settings: readonly Setting<unknown>[] = Object.values(SETTINGS)): string {
  const rows = settings.map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.byDefault === '' ? '' : `\`${setting.byDefault}\``} | ${inWords(setting)} |`,
  )
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function inWords(setting: Setting<unknown>): string {
  const meaning = settingMeaning(DEFAULT_TEXT_LANGUAGE, setting.name)
  return setting.isSecret ? `${meaning} **Secret**.` : meaning
}

/**
 * Updates the tables of settings in a page. Between `<!-- settings -->` and `<!-- /settings -->` are all settings;
 * `<!-- settings: HOST PORT -->` selects those that it names.
 *
 * @throws Error if it names an unknown setting.
 */
export function withSettingsTable(page: string): string {
  return page.replace(tables, (_table, names: string | undefined) => {
    const head = names === undefined ? '<!-- settings -->' : `<!-- settings: ${names} -->`
    return `${head}\n${settingsTable(names?.split(' ').map(settingNamed))}\n<!-- /settings -->`
  })
}

function settingNamed(name: string): Setting<unknown> {
  const setting = Object.values(SETTINGS).find((one) => one.name === name)
  if (!setting) throw new Error(`There is no setting ${name}.`)
  return setting
}
