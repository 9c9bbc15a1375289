import { type Settings, secretSetting } from './setting.ts'

/** The settings of the encryption of backups. */
export const backupSettings = {
  backupKey: secretSetting('BACKUP_KEY', (text) => (text === '' ? undefined : text)),
} as const

export type BackupSettings = Settings<typeof backupSettings>
