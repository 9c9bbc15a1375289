import { htmlToText } from '../../../base/text/escape.ts'
import type { DirectoryEntry } from '../../../calendar/directory/directory.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'

const externalMap = 'https://www.openstreetmap.org'

/** Returns the address of a venue, line by line; empty if it is unknown. */
export function addressLines({ fields }: DirectoryEntry<VenueFields>): readonly string[] {
  const { address, city, region, postalCode, country } = fields
  const town = [[city, region].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [address, town, country].filter((line) => line !== '')
}

/** Returns name and address of the venue of an event, in one line; '' if the event has no venue. */
export function placeText({ venues: [venue] }: Pick<LinkedEvent, 'venues'>): string {
  return venue ? [htmlToText(venue.titleHtml), ...addressLines(venue)].join(', ') : ''
}

/** Returns the coordinates of a venue, if they are known. Contract: zero stands for unknown. */
export function pointOf({ fields: { latitude, longitude } }: DirectoryEntry<VenueFields>) {
  return latitude && longitude ? { latitude, longitude } : undefined
}

/** Returns a link to the venue in an external map, if the venue allows it. */
export function mapLink(venue: DirectoryEntry<VenueFields>): string | undefined {
  const point = pointOf(venue)
  if (!venue.fields.showMapLink) return undefined
  if (point) {
    const { latitude, longitude } = point
    return `${externalMap}/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  }
  const lines = addressLines(venue)
  return lines.length < 2 ? undefined : `${externalMap}/search?query=${encodeURIComponent(lines.join(', '))}`
}

/** Returns a link to the way to the venue in an external map, if the venue allows links to maps. */
export function directionsLink(venue: DirectoryEntry<VenueFields>): string | undefined {
  if (mapLink(venue) === undefined) return undefined
  const point = pointOf(venue)
  const to = point ? `${point.latitude},${point.longitude}` : addressLines(venue).join(', ')
  return `${externalMap}/directions?to=${encodeURIComponent(to)}`
}
