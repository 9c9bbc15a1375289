import { auditSettings } from './audit.ts'
import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

/** The settings of what is kept about changes: the audit log, and the feed of changes. */
export const changeSettings = {
  ...auditSettings,
  changesRetentionDays: setting(
    'CHANGES_RETENTION_DAYS',
    '400',
    'Number of days that the feed of changes keeps what was deleted. A program that reads it less often must read everything again.',
    wholeNumber(7, 36_500),
  ),
  dataLicense: setting(
    'DATA_LICENSE',
    '',
    'URL of the licence under which others may use the data, such as `https://creativecommons.org/licenses/by/4.0/`. The feed of changes names it. Empty: none.',
    (text) => {
      if (text !== '' && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
        throw new Error('empty, or an http or https address')
      return text === '' ? undefined : text
    },
  ),
} as const

export type ChangeSettings = Settings<typeof changeSettings>
