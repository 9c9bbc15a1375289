import { SETTINGS } from './config.ts'
import { fileSettingOf, type Setting } from './setting.ts'

const start = '<!-- settings -->'
const end = '<!-- /settings -->'

/** The settings as a Markdown table: name, default, meaning, and which are secrets. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(
    (setting) =>
      `| \`${setting.name}\` | ${setting.byDefault === '' ? '' : `\`${setting.byDefault}\``} | ${inWords(setting)} |`,
  )
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

function inWords(setting: Setting<unknown>): string {
  return setting.isSecret
    ? `${setting.meaning} **Secret**: or a file, by \`${fileSettingOf(setting)}\`.`
    : setting.meaning
}

/** The README with its table of settings as it is now. */
export function withSettingsTable(readme: string): string {
  const [before = '', rest = ''] = readme.split(start)
  const [, after = ''] = rest.split(end)
  return `${before}${start}\n${settingsTable()}\n${end}${after}`
}
