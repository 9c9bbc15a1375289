import { failParameter } from '../../base/problems.ts'
import type { FieldValues } from '../directory/field.ts'
import { venueFields } from './venue.fields.ts'

/** Where an event takes place: what a venue has besides the texts of every record. Both coordinates are known, or none. */
export type VenueFields = FieldValues<typeof venueFields>

/** Countries whose `state` counts as the region (venues-organizers.md §4.2). */
const countriesWithStates = new Set(['', 'US', 'United States'])

/** What the region is made of. */
const partsOfRegion = ['region', 'state', 'province', 'country'] as const satisfies readonly (keyof VenueFields)[]

/**
 * The fields after a change. The region is made anew only when something it is made of was sent.
 *
 * @throws rest_invalid_param where one coordinate stands without the other
 */
export function changeVenue(fields: VenueFields, sent: Partial<VenueFields>): VenueFields {
  const next = { ...fields, ...sent }
  const { latitude, longitude } = venueFields
  if (next.latitude === null && next.longitude !== null) failParameter(latitude.name, 'fault.coordinates')
  if (next.longitude === null && next.latitude !== null) failParameter(longitude.name, 'fault.coordinates')
  const isRegionTouched = partsOfRegion.some((name) => name in sent)
  return isRegionTouched ? { ...next, region: regionOf(next, sent.region) } : next
}

function regionOf({ state, province, country }: VenueFields, sent: string | undefined): string {
  if (sent) return sent
  if (state !== '' && countriesWithStates.has(country)) return state
  return province
}
