import { jsonLdDescription, jsonLdName, jsonLdText } from '../../base/text/escape.ts'
import { withoutEmptyTexts } from '../directory/directory.present.ts'
import type { Directory } from '../directory/directory.ts'
import { pictureUrl } from '../media/media.present.ts'
import { venueArguments } from './venue.arguments.ts'
import { venueStore } from './venue.repository.ts'
import { blankVenue, changeVenue, type VenueFields } from './venue.ts'

/** Venues among the kinds of records that events link to. */
export const venues: Directory<VenueFields> = {
  kind: 'venue',
  plural: 'venues',
  tag: 'Venues',
  schemas: {
    one: async () => (await import('./venue.schema.ts')).VenueSchema,
    list: async () => (await import('./venue.schema.ts')).VenueListSchema,
  },
  blank: blankVenue,
  store: venueStore,
  sharedFields: ['zip', 'phone', 'geo_lat', 'geo_lng', 'show_map', 'show_map_link'],
  arguments: venueArguments,
  declaredDefault: {},
  change: changeVenue,
  searchable: ({ address, city, country, province, state, stateprovince, zip, phone, website }) => [
    address,
    city,
    country,
    province,
    state,
    stateprovince,
    zip,
    phone,
    website,
  ],
  presentFields: ({
    address,
    city,
    country,
    province,
    state,
    zip,
    phone,
    website,
    stateprovince,
    geo_lat,
    geo_lng,
  }) => ({
    ...withoutEmptyTexts({ address, city, country, province, state, zip, phone, website, stateprovince }),
    // Contract: only where both are known and neither is zero.
    ...(geo_lat && geo_lng ? { geo_lat, geo_lng } : {}),
  }),
  presentFlags: ({ show_map, show_map_link }) => ({ show_map, show_map_link }),
  presentJsonLd: ({ titleHtml, contentHtml, image, fields }, addresses) => ({
    '@type': 'Place',
    name: jsonLdName(titleHtml),
    description: jsonLdDescription(contentHtml),
    ...(image ? { image: pictureUrl(addresses, image.file) } : {}),
    url: '',
    address: {
      '@type': 'PostalAddress',
      ...withoutEmptyTexts({
        streetAddress: jsonLdText(fields.address),
        addressLocality: jsonLdText(fields.city),
        addressRegion: jsonLdText(fields.stateprovince),
        postalCode: jsonLdText(fields.zip),
        addressCountry: jsonLdText(fields.country),
      }),
    },
    telephone: jsonLdText(fields.phone),
    sameAs: fields.website,
  }),
}
