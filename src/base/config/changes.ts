import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

const auditSettings = {
  /** 0: no limit. */
  auditRetentionDays: setting('AUDIT_RETENTION_DAYS', '365', wholeNumber(0, 36_500)),
} as const

/** The settings of what is kept about changes: the audit log, and the feed of changes. */
export const changeSettings = {
  ...auditSettings,
  changesRetentionDays: setting('CHANGES_RETENTION_DAYS', '400', wholeNumber(7, 36_500)),
  dataLicense: setting('DATA_LICENSE', '', (text) => {
    if (text !== '' && !(URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)))
      throw new Error('empty, or an http or https address')
    return text === '' ? undefined : text
  }),
} as const

export type ChangeSettings = Settings<typeof changeSettings>
