import { defineDirectory } from '../directory/directory.definition.ts'
import { fieldStore } from '../directory/field.repository.ts'
import { organizerFields } from './organizer.fields.ts'
import { presentOrganizer, presentPersonJsonLd } from './organizer.present.ts'

/** Organizers among the kinds of records that events link to. */
export const organizers = defineDirectory({
  kind: 'organizer',
  plural: 'organizers',
  tag: 'Organizers',
  schemas: {
    one: async () => (await import('./organizer.schema.ts')).OrganizerSchema,
    list: async () => (await import('./organizer.schema.ts')).OrganizerListSchema,
    usage: async () => (await import('./organizer.schema.ts')).OrganizerUsageSchema,
    source: async () => (await import('./organizer.schema.ts')).OrganizerSourceSchema,
  },
  fields: organizerFields,
  store: fieldStore('organizers', organizerFields),
  declaredDefault: { default: null },
  change: (fields, sent) => ({ ...fields, ...sent }),
  present: presentOrganizer,
  presentJsonLd: presentPersonJsonLd,
})
