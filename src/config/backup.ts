import { resolve } from 'node:path'
import { type Settings, setting } from './setting.ts'

/** Settings of what backups are encrypted with. */
export const backupSettings = {
  backupKey: setting(
    'BACKUP_KEY',
    '',
    'What `backup` encrypts with and opens: a key of age, public or secret, or a passphrase. Empty: nothing is encrypted.',
    (text) => (text === '' ? undefined : text),
  ),
  backupKeyFile: setting('BACKUP_KEY_FILE', '', 'A file with that key, in the place of `BACKUP_KEY`.', (text) =>
    text === '' ? undefined : resolve(text),
  ),
} as const

export type BackupSettings = Settings<typeof backupSettings>
