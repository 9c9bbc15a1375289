import { type Settings, secretSetting } from './setting.ts'

/** Settings of what backups are encrypted with. */
export const backupSettings = {
  backupKey: secretSetting(
    'BACKUP_KEY',
    'What `backup` encrypts with and opens: a key of age, public or secret, or a passphrase. Empty: nothing is encrypted.',
    (text) => (text === '' ? undefined : text),
  ),
} as const

export type BackupSettings = Settings<typeof backupSettings>
