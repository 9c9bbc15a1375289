import { htmlToText } from '../../../base/text/escape.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import { isoUtc } from '../../../base/time/wire.ts'
import type { DirectoryEntry } from '../../../calendar/directory/directory.ts'
import { offeredPrices } from '../../../calendar/events/model/cost.offer.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { availabilityName, offersData } from '../../../calendar/events/present/offers.jsonld.ts'
import { eventLocation, previousStartDate, statusProperties } from '../../../calendar/events/present/state.jsonld.ts'
import { chooseAltText } from '../../../calendar/media/alt.text.ts'
import { pictureUrl } from '../../../calendar/media/media.present.ts'
import type { Picture } from '../../../calendar/media/media.ts'
import type { OrganizerFields } from '../../../calendar/organizers/organizer.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { document, eventTimes, filled, offer, postalAddress, thing } from '../../../calendar/records/structured.data.ts'
import type { VenueFields } from '../../../calendar/venues/venue.ts'
import type { PageCall } from '../frame/page.ts'
import { cardTitle, excerptText, sourcesOf } from './event.card.ts'
import { pointOf } from './event.place.ts'

/** The address of the vocabulary in the structured data of pages. */
export const schemaContext = 'https://schema.org'

/**
 * Returns an event as structured data for search engines.
 *
 * @param superEvent The series of which it is a date.
 */
export function eventData(call: PageCall, event: LinkedEvent, superEvent?: object): object {
  return document(schemaContext, eventThing(call, event, superEvent))
}

/** Returns an event as a part of structured data. */
export function eventThing(call: PageCall, event: LinkedEvent, superEvent?: object): object {
  const { start, end, isAllDay, image } = event
  const { eventAttendanceMode, eventStatus } = statusProperties(event)
  const url = recordUrl(call.addresses, event)
  const organizers = event.organizers.map((organizer) => organizerData(call, organizer))
  return thing('Event', {
    name: cardTitle(event),
    ...filled({ description: excerptText(event) }),
    url,
    inLanguage: event.language,
    ...(isAllDay ? { startDate: dayOf(start), endDate: dayOf(end) } : eventTimes(event)),
    previousStartDate: previousStartDate(event, 'days'),
    eventStatus,
    eventAttendanceMode,
    location: locationData(call, event),
    image: image && pictureData(call, image),
    organizer: oneOrAll(organizers),
    ...offers(call, event, url),
    superEvent,
  })
}

/** Returns where an event takes place. Search engines require a place, so an event without one is at that of the site. */
export function locationData(call: PageCall, event: LinkedEvent): object {
  const { siteName } = call.deps.config
  const places = event.venues.map((venue) => placeData(call, venue))
  const known = eventLocation(event, { places, url: recordUrl(call.addresses, event), isSignedIn: false })
  return known ?? thing('Place', { name: siteName, url: `${call.addresses.site}/`, address: siteName })
}

/**
 * Returns the sizes of a picture, largest first: plain addresses, or objects with a caption if an alternative text
 * exists.
 */
function pictureData({ addresses, language }: PageCall, picture: Picture): readonly (string | object)[] {
  const caption = chooseAltText(picture, language)?.text
  return sourcesOf(picture)
    .map(({ file }) => pictureUrl(addresses, file))
    .toReversed()
    .map((url) => (caption === undefined ? url : thing('ImageObject', { url, caption })))
}

export function placeData({ addresses }: PageCall, venue: DirectoryEntry<VenueFields>): object {
  const { phone, website } = venue.fields
  const point = pointOf(venue)
  const name = htmlToText(venue.titleHtml)
  const address = postalAddress(venue.fields)
  return thing('Place', {
    name,
    url: recordUrl(addresses, venue),
    // Search engines require an address. Its type alone says nothing.
    address: Object.keys(address).length > 1 ? address : name,
    geo: point && thing('GeoCoordinates', { ...point }),
    ...filled({ telephone: phone, sameAs: website }),
  })
}

/**
 * Returns an organizer as structured data. Its type is Organization, because a record does not tell people from
 * organizations.
 */
export function organizerData({ addresses }: PageCall, organizer: DirectoryEntry<OrganizerFields>): object {
  const { phone, email, website } = organizer.fields
  return thing('Organization', {
    name: htmlToText(organizer.titleHtml),
    url: recordUrl(addresses, organizer),
    ...filled({ telephone: phone, email, sameAs: website }),
  })
}

/** Returns the offers, or else the cost as an offer, if it states prices. */
function offers({ deps: { config } }: PageCall, event: LinkedEvent, url: string): Readonly<Record<string, unknown>> {
  const described = offersData(event, url)
  if (described) return { offers: described }
  const prices = offeredPrices(event.cost, config)
  if (!prices) return {}
  const { lowest, highest, currency: priceCurrency } = prices
  const availability = availabilityName(event.availability, 'https://schema.org/InStock')
  const common = { priceCurrency, url, availability, validFrom: isoUtc(event.datedAt) }
  return {
    offers:
      Number(lowest) === Number(highest)
        ? offer({ price: lowest, ...common })
        : thing('AggregateOffer', { lowPrice: lowest, highPrice: highest, ...common }),
    isAccessibleForFree: Number(highest) === 0 ? true : undefined,
  }
}

function oneOrAll(list: readonly object[]): object | undefined {
  return list.length > 1 ? list : list[0]
}
