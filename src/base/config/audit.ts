import { setting } from './setting.ts'
import { wholeNumber } from './values.ts'

export const auditSettings = {
  /** 0: no limit. */
  auditRetentionDays: setting('AUDIT_RETENTION_DAYS', '365', wholeNumber(0, 36_500)),
} as const
