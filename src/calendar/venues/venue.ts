import { failParameter } from '../../base/problems.ts'
import type { EntryValues } from '../directory/field.ts'
import { venueFields } from './venue.fields.ts'

/** The fields of a venue besides the shared part of a record. Either both coordinates are known or neither. */
export type VenueFields = EntryValues<typeof venueFields>

/** Countries whose `state` counts as the region (venues-organizers.md §4.2). */
const countriesWithStates = new Set(['', 'US', 'United States'])

const partsOfRegion = ['region', 'state', 'province', 'country'] as const satisfies readonly (keyof VenueFields)[]

/**
 * Returns the fields after a change. The region changes only if one of the fields that it is made from was sent.
 *
 * @throws rest_invalid_param if one coordinate is present without the other
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
