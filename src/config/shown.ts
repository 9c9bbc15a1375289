import { withoutPassword, withoutPasswords } from './database.ts'
import { withoutCredentials } from './media.ts'

/** The text of a setting as it may be printed: without what is secret in it. */
export function shownSetting(name: string, text: string): string {
  if (name === 'DATABASE_URL') return withoutPassword(text)
  if (name === 'DATABASE_REPLICA_URL') return withoutPasswords(text)
  if (name === 'MEDIA_URL') return withoutCredentials(text)
  return (name.includes('PASSWORD') || name === 'BACKUP_KEY') && text !== '' ? '…' : text
}
