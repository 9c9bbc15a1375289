import { defineDirectory } from '../directory/directory.definition.ts'
import { fieldStore } from '../directory/field.repository.ts'
import { venueFields } from './venue.fields.ts'
import { presentPlaceJsonLd, presentVenue } from './venue.present.ts'
import { changeVenue } from './venue.ts'

/** Venues among the kinds of records that events link to. */
export const venues = defineDirectory({
  kind: 'venue',
  plural: 'venues',
  tag: 'Venues',
  schemas: {
    one: async () => (await import('./venue.schema.ts')).VenueSchema,
    list: async () => (await import('./venue.schema.ts')).VenueListSchema,
    usage: async () => (await import('./venue.schema.ts')).VenueUsageSchema,
    source: async () => (await import('./venue.schema.ts')).VenueSourceSchema,
  },
  fields: venueFields,
  store: fieldStore('venues', venueFields),
  declaredDefault: {},
  change: changeVenue,
  present: presentVenue,
  presentJsonLd: presentPlaceJsonLd,
})
