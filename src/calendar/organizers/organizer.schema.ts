import Type, { type Static } from 'typebox'
import { listSchema } from '../../access/http/arguments/paging.schema.ts'
import { id, ref, schemaKit, text, url, withDescription } from '../../access/http/schema.ts'
import { entrySourceSchema, usageListSchema } from '../directory/directory.usage.schema.ts'
import { fieldProperties } from '../directory/field.ts'
import { ImageSchema } from '../media/media.schema.ts'
import { globalIdProperties, recordMetadataProperties } from '../records/record.schema.ts'
import { RecordSourceSchema } from '../sources/source.schema.ts'
import { organizerFields } from './organizer.fields.ts'

/** An organizer in schema.org terms (venues-organizers.md §2.1). */
export const PersonJsonLdSchema = Type.Object(
  {
    '@type': Type.Literal('Person'),
    name: text(),
    description: text(),
    image: Type.Optional(url()),
    url: text(),
    telephone: text(),
    email: text(),
    sameAs: text(),
  },
  { $id: 'PersonJsonLd', ...withDescription('PersonJsonLd') },
)

export type PersonJsonLd = Static<typeof PersonJsonLdSchema>

/** An organizer as clients read it (venues-organizers.md §2). */
export const OrganizerSchema = Type.Object(
  {
    id: id('id.organizer'),
    ...recordMetadataProperties,
    organizer: text('organizer.name'),
    description: Type.Optional(text('Record.description')),
    excerpt: Type.Optional(text('Record.excerpt')),
    slug: text('Record.slug'),
    image: Type.Optional(ref(ImageSchema)),
    ...fieldProperties(organizerFields, 'body', schemaKit),
    json_ld: Type.Optional(ref(PersonJsonLdSchema, 'Record.json_ld')),
    ...globalIdProperties,
    source: Type.Optional(ref(RecordSourceSchema)),
  },
  { $id: 'Organizer', ...withDescription('Organizer') },
)

export type OrganizerJson = Static<typeof OrganizerSchema>

export const OrganizerListSchema = listSchema('OrganizerList', 'organizers', OrganizerSchema)

export const OrganizerUsageSchema = usageListSchema('OrganizerUsage', 'organizer', OrganizerSchema)

export const OrganizerSourceSchema = entrySourceSchema('OrganizerSource', 'organizer')
