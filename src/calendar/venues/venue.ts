import { failParameter } from '../../base/problems.ts'

/** Where an event takes place: what a venue has besides the texts of every record. */
export interface VenueFields {
  readonly address: string
  readonly city: string
  readonly country: string
  readonly province: string
  readonly state: string
  readonly stateprovince: string
  readonly zip: string
  readonly phone: string
  readonly website: string
  readonly show_map: boolean
  readonly show_map_link: boolean
  /** Degrees, WGS 84; null where unknown. Both or none. */
  readonly geo_lat: number | null
  readonly geo_lng: number | null
}

export const blankVenue: VenueFields = {
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  stateprovince: '',
  zip: '',
  phone: '',
  website: '',
  show_map: true,
  show_map_link: true,
  geo_lat: null,
  geo_lng: null,
}

/** Countries whose `state` counts as the region (venues-organizers.md §4.2). */
const countriesWithStates = new Set(['', 'US', 'United States'])

/**
 * The fields after a change. The region is made anew only when something it is made of was sent.
 *
 * @throws rest_invalid_param where one coordinate stands without the other
 */
export function changeVenue(fields: VenueFields, sent: Partial<VenueFields>): VenueFields {
  const next = { ...fields, ...sent }
  if (next.geo_lat === null && next.geo_lng !== null) failParameter('geo_lat', 'fault.coordinates')
  if (next.geo_lng === null && next.geo_lat !== null) failParameter('geo_lng', 'fault.coordinates')
  const isRegionTouched = ['stateprovince', 'state', 'province', 'country'].some((name) => name in sent)
  return isRegionTouched ? { ...next, stateprovince: regionOf(next, sent.stateprovince) } : next
}

function regionOf({ state, province, country }: VenueFields, sent: string | undefined): string {
  if (sent) return sent
  if (state !== '' && countriesWithStates.has(country)) return state
  return province
}
