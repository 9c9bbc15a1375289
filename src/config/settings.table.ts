import { SETTINGS } from './config.ts'

const start = '<!-- settings -->'
const end = '<!-- /settings -->'

/** The settings as a Markdown table: name, default, meaning. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(
    ({ name, byDefault, meaning }) => `| \`${name}\` | ${byDefault === '' ? '' : `\`${byDefault}\``} | ${meaning} |`,
  )
  return ['| setting | default | meaning |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The README with its table of settings as it is now. */
export function withSettingsTable(readme: string): string {
  const [before = '', rest = ''] = readme.split(start)
  const [, after = ''] = rest.split(end)
  return `${before}${start}\n${settingsTable()}\n${end}${after}`
}
