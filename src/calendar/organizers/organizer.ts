import type { EntryValues } from '../directory/field.ts'
import type { organizerFields } from './organizer.fields.ts'

/** The fields of an organizer besides the shared part of a record. */
export type OrganizerFields = EntryValues<typeof organizerFields>
