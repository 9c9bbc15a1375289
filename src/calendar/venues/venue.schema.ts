import Type, { type Static } from 'typebox'
import { listSchema } from '../../access/http/arguments/paging.schema.ts'
import { id, ref, schemaKit, text, url, withDescription } from '../../access/http/schema.ts'
import { entrySourceSchema, usageListSchema } from '../directory/directory.usage.schema.ts'
import { fieldProperties } from '../directory/field.ts'
import { ImageSchema } from '../media/media.schema.ts'
import { globalIdProperties, recordMetadataProperties } from '../records/record.schema.ts'
import { RecordSourceSchema } from '../sources/source.schema.ts'
import { venueFields } from './venue.fields.ts'

/** A venue in schema.org terms (venues-organizers.md §2.1). */
export const PlaceJsonLdSchema = Type.Object(
  {
    '@type': Type.Literal('Place'),
    name: text(),
    description: text(),
    image: Type.Optional(url()),
    url: text(),
    address: Type.Object({
      '@type': Type.Literal('PostalAddress'),
      streetAddress: Type.Optional(text()),
      addressLocality: Type.Optional(text()),
      addressRegion: Type.Optional(text()),
      postalCode: Type.Optional(text()),
      addressCountry: Type.Optional(text()),
    }),
    telephone: text(),
    sameAs: text(),
  },
  { $id: 'PlaceJsonLd', ...withDescription('PlaceJsonLd') },
)

export type PlaceJsonLd = Static<typeof PlaceJsonLdSchema>

/** A venue as clients read it (venues-organizers.md §2). */
export const VenueSchema = Type.Object(
  {
    id: id('id.venue'),
    ...recordMetadataProperties,
    venue: text('venue.name'),
    description: Type.Optional(text('Record.description')),
    excerpt: Type.Optional(text('Record.excerpt')),
    slug: text('Record.slug'),
    image: Type.Optional(ref(ImageSchema)),
    ...fieldProperties(venueFields, 'body', schemaKit),
    json_ld: Type.Optional(ref(PlaceJsonLdSchema, 'Record.json_ld')),
    ...fieldProperties(venueFields, 'end', schemaKit),
    ...globalIdProperties,
    source: Type.Optional(ref(RecordSourceSchema)),
  },
  { $id: 'Venue', ...withDescription('Venue') },
)

export type VenueJson = Static<typeof VenueSchema>

export const VenueListSchema = listSchema('VenueList', 'venues', VenueSchema)

export const VenueUsageSchema = usageListSchema('VenueUsage', 'venue', VenueSchema)

export const VenueSourceSchema = entrySourceSchema('VenueSource', 'venue')
