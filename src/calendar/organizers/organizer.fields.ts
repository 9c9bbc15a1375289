import { type FieldTable, lineField, websiteField } from '../directory/field.ts'
import { websiteRule } from '../records/record.arguments.ts'

/** The fields of an organizer, in the order of the index. */
export const organizerFields = {
  phone: lineField({ name: 'phone', description: 'phone', isShared: true, isSearched: true }),
  website: websiteField({ name: 'website', description: 'website.organizer', isSearched: true }, websiteRule),
  /** The value need not be a valid address (rulings.md 22). */
  email: lineField({ name: 'email', description: 'email', isShared: true, isSearched: true }),
} as const satisfies FieldTable
