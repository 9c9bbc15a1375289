import { type Settings, secretSetting } from './setting.ts'

export const backupSettings = {
  backupKey: secretSetting('BACKUP_KEY', (text) => (text === '' ? undefined : text)),
} as const

export type BackupSettings = Settings<typeof backupSettings>
