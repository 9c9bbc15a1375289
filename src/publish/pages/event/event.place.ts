import { htmlToText } from '../../../base/text/escape.ts'
import type { DirectoryEntry } from '../../../calendar/directory/directory.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'

/** The address of a venue, line by line; empty where nothing is known. */
export function addressLines({ fields }: DirectoryEntry<VenueFields>): readonly string[] {
  const { address, city, region, postalCode, country } = fields
  const town = [[city, region].filter(Boolean).join(', '), postalCode].filter(Boolean).join(' ')
  return [address, town, country].filter((line) => line !== '')
}

/** Name and address of the venue of an event, in one line; '' where it has none. */
export function placeText({ venues: [venue] }: Pick<LinkedEvent, 'venues'>): string {
  return venue ? [htmlToText(venue.titleHtml), ...addressLines(venue)].join(', ') : ''
}

/** Where a venue is on the Earth, where that is known. Contract: zero stands for unknown. */
export function pointOf({ fields: { latitude, longitude } }: DirectoryEntry<VenueFields>) {
  return latitude && longitude ? { latitude, longitude } : undefined
}

/** The venue in a map of whoever the visitor likes, where it may be linked. */
export function mapLink(venue: DirectoryEntry<VenueFields>): string | undefined {
  const point = pointOf(venue)
  if (!venue.fields.showMapLink) return undefined
  if (point) {
    const { latitude, longitude } = point
    return `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`
  }
  const lines = addressLines(venue)
  return lines.length < 2
    ? undefined
    : `https://www.openstreetmap.org/search?query=${encodeURIComponent(lines.join(', '))}`
}
