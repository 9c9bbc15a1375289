import type { FieldValues } from '../directory/field.ts'
import type { organizerFields } from './organizer.fields.ts'

/** Who is behind an event: what an organizer has besides the texts of every record. */
export type OrganizerFields = FieldValues<typeof organizerFields>
