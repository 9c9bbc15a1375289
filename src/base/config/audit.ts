import { type Settings, setting } from './setting.ts'
import { wholeNumber } from './values.ts'

export const auditSettings = {
  /** 0: no limit. */
  auditRetentionDays: setting(
    'AUDIT_RETENTION_DAYS',
    '365',
    'How many days audit entries are kept; 0 keeps them forever.',
    wholeNumber(0, 36_500),
  ),
} as const

export type AuditSettings = Settings<typeof auditSettings>
