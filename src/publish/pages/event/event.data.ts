import { htmlToText } from '../../../base/text/escape.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import { isoUtc, isoWithOffset } from '../../../base/time/wire.ts'
import { offsetAt } from '../../../base/time/zone.ts'
import type { DirectoryEntry } from '../../../calendar/directory/directory.ts'
import { offerPrice } from '../../../calendar/events/event.cost.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { chooseAltText } from '../../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../../calendar/media/media.present.ts'
import type { Picture } from '../../../calendar/media/media.ts'
import type { OrganizerFields } from '../../../calendar/organizers/organizer.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'
import type { PageCall } from '../page.ts'
import { cardTitle, excerptText, sourcesOf } from './event.card.ts'
import { pointOf } from './event.place.ts'

// The words of schema.org. Texts are plain here: the interface's own `json_ld` has entities in them (events.md §2).

/** An event for search engines. */
export function eventData(call: PageCall, event: LinkedEvent): object {
  const { addresses } = call
  const { start, end, startUtc, endUtc, zone, isAllDay } = event
  const url = recordUrl(addresses, event)
  return {
    '@context': 'https://schema.org',
    '@type': 'Event',
    name: cardTitle(event),
    ...filled({ description: excerptText(event) }),
    url,
    inLanguage: event.language,
    startDate: isAllDay ? dayOf(start) : isoWithOffset(start, offsetAt(startUtc, zone)),
    endDate: isAllDay ? dayOf(end) : isoWithOffset(end, offsetAt(endUtc, zone)),
    eventStatus: 'https://schema.org/EventScheduled',
    ...(event.venues.length > 0
      ? {
          eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
          location: one(event.venues.map((venue) => placeData(call, venue))),
        }
      : {}),
    ...(event.image
      ? {
          image: pictureData(call, event.image),
        }
      : {}),
    ...(event.organizers.length > 0
      ? { organizer: one(event.organizers.map((organizer) => organizerData(call, organizer))) }
      : {}),
    ...offers(call, event, url),
  }
}

/** A picture in its sizes, the largest first: addresses alone, or with what it shows where that was written. */
function pictureData({ addresses, language }: PageCall, picture: Picture): readonly (string | object)[] {
  const caption = chooseAltText(picture, language)?.text
  return sourcesOf(picture)
    .map(({ file }) => pictureUrl(addresses, file))
    .toReversed()
    .map((url) => (caption === undefined ? url : { '@type': 'ImageObject', url, caption }))
}

/** A venue. */
export function placeData({ addresses }: PageCall, venue: DirectoryEntry<VenueFields>): object {
  const { address, city, region, postalCode, country, phone, website } = venue.fields
  const point = pointOf(venue)
  return {
    '@type': 'Place',
    name: htmlToText(venue.titleHtml),
    url: recordUrl(addresses, venue),
    address: {
      '@type': 'PostalAddress',
      ...filled({
        streetAddress: address,
        addressLocality: city,
        addressRegion: region,
        postalCode,
        addressCountry: country,
      }),
    },
    ...(point ? { geo: { '@type': 'GeoCoordinates', ...point } } : {}),
    ...filled({ telephone: phone, sameAs: website }),
  }
}

/** An organizer: a body or a person, which nobody tells us. */
export function organizerData({ addresses }: PageCall, organizer: DirectoryEntry<OrganizerFields>): object {
  const { phone, email, website } = organizer.fields
  return {
    '@type': 'Organization',
    name: htmlToText(organizer.titleHtml),
    url: recordUrl(addresses, organizer),
    ...filled({ telephone: phone, email, sameAs: website }),
  }
}

/** The cost as an offer, where it is one price. */
function offers({ deps: { config } }: PageCall, event: LinkedEvent, url: string): object {
  const price = offerPrice(event.cost)?.replace(',', '.')
  if (price === undefined || !/^\d+(\.\d+)?$/.test(price)) return {}
  const offer = {
    '@type': 'Offer',
    price,
    priceCurrency: config.currencyCode,
    url,
    availability: 'https://schema.org/InStock',
    validFrom: isoUtc(event.datedAt),
  }
  return { offers: offer, ...(Number(price) === 0 ? { isAccessibleForFree: true } : {}) }
}

function filled(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

function one(list: readonly object[]): object | undefined {
  return list.length === 1 ? list[0] : list
}
