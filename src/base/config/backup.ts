import { type Settings, secretSetting } from './setting.ts'

/** The settings of the encryption of backups. */
export const backupSettings = {
  backupKey: secretSetting(
    'BACKUP_KEY',
    'Key that encrypts and decrypts backups: an age key, public or secret, or a passphrase. Empty: backups are not encrypted.',
    (text) => (text === '' ? undefined : text),
  ),
} as const

export type BackupSettings = Settings<typeof backupSettings>
