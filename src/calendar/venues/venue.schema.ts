import Type from 'typebox'
import { listSchema } from '../../access/http/paging.schema.ts'
import { id, ref, said, text, url } from '../../access/http/schema.ts'
import { ImageSchema } from '../media/media.schema.ts'
import { globalIdProperties, recordMetadataProperties } from '../records/record.schema.ts'

/** A venue in the words of schema.org (venues-organizers.md §2.1). */
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
  { $id: 'PlaceJsonLd', ...said('PlaceJsonLd') },
)

const degrees = { type: 'number', format: 'double' } as const

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
    address: Type.Optional(text('address')),
    city: Type.Optional(text('city')),
    country: Type.Optional(text('country')),
    province: Type.Optional(text('province')),
    state: Type.Optional(text('state')),
    zip: Type.Optional(text('zip')),
    phone: Type.Optional(text('phone')),
    website: Type.Optional(text('website.venue')),
    stateprovince: Type.Optional(text('Venue.stateprovince')),
    geo_lat: Type.Optional(Type.Number({ ...degrees, ...said('geo_lat'), minimum: -90, maximum: 90 })),
    geo_lng: Type.Optional(Type.Number({ ...degrees, ...said('geo_lng'), minimum: -180, maximum: 180 })),
    json_ld: Type.Optional(ref(PlaceJsonLdSchema, 'Record.json_ld')),
    show_map: Type.Boolean(said('show_map.venue')),
    show_map_link: Type.Boolean(said('show_map_link.venue')),
    ...globalIdProperties,
  },
  { $id: 'Venue', ...said('Venue') },
)

export const VenueListSchema = listSchema('VenueList', 'venues', VenueSchema)
