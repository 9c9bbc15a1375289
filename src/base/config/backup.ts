import { type Settings, secretSetting } from './setting.ts'

/** The settings of the encryption of backups. */
export const backupSettings = {
  backupKey: secretSetting(
    'BACKUP_KEY',
    'Key that `backup` encrypts and decrypts with: an age key, public or secret, or a passphrase. Empty: no encryption.',
    (text) => (text === '' ? undefined : text),
  ),
} as const

export type BackupSettings = Settings<typeof backupSettings>
