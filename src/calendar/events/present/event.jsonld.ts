import type { Static } from 'typebox'
import type { Addresses } from '../../../access/http/addresses.ts'
import type { Config } from '../../../base/config/config.ts'
import { jsonLdDescription, jsonLdName, jsonLdText } from '../../../base/text/escape.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../../base/time/zone.ts'
import { pictureUrl } from '../../media/media.present.ts'
import { organizers } from '../../organizers/organizer.directory.ts'
import type { PersonJsonLdSchema } from '../../organizers/organizer.schema.ts'
import { recordUrl } from '../../records/record.present.ts'
import { document, eventTimes, offer, thing } from '../../records/structured.data.ts'
import { venues } from '../../venues/venue.directory.ts'
import type { PlaceJsonLdSchema } from '../../venues/venue.schema.ts'
import { offerPrice } from '../model/cost.ts'
import type { LinkedEvent } from '../model/event.ts'
import type { EventJsonLdSchema } from './event.schema.ts'
import { availabilityName, offersData } from './offers.jsonld.ts'
import { eventLocation, previousStartDate, statusProperties } from './state.jsonld.ts'

type EventJsonLd = Static<typeof EventJsonLdSchema>
type PlaceJsonLd = Static<typeof PlaceJsonLdSchema>
type PersonJsonLd = Static<typeof PersonJsonLdSchema>

interface JsonLdView {
  readonly config: Config
  readonly addresses: Addresses
  readonly isSignedIn?: boolean
}

/** Returns an event as schema.org describes it (events.md §2 "json_ld"). */
export function presentJsonLd(event: LinkedEvent, { config, addresses, isSignedIn = false }: JsonLdView): EventJsonLd {
  const url = recordUrl(addresses, event)
  const [venue] = event.venues
  // Contract: only the first organizer.
  const [organizer] = event.organizers
  const price = offerPrice(event.cost)
  const name = jsonLdName(event.titleHtml)
  const described = thing('Event', {
    name: event.status === 'private' ? `Private: ${name}` : name,
    description: jsonLdDescription(event.contentHtml, event.excerptHtml),
    image: event.image && pictureUrl(addresses, event.image.file),
    url,
    ...statusProperties(event),
    ...eventTimes(event),
    previousStartDate: previousStartDate(event, 'times'),
    location: eventLocation(event, {
      places: venue ? [venues.presentJsonLd(venue, addresses) as PlaceJsonLd] : [],
      url,
      isSignedIn,
    }),
    organizer: organizer && (organizers.presentJsonLd(organizer, addresses) as PersonJsonLd),
    offers: (offersData(event, url) ??
      (price === undefined ? undefined : presentOffer(event, { url, price, config }))) as EventJsonLd['offers'],
    performer: 'Organization',
    superEvent: event.path === undefined ? undefined : presentSeries(event, addresses),
  })
  return document('http://schema.org', described)
}

/** Returns the series of a date. Its address is the beginning of that of the date. */
function presentSeries(event: LinkedEvent, addresses: Addresses) {
  const [base = ''] = (event.path ?? '').split('/')
  return thing('EventSeries', { url: recordUrl(addresses, { ...event, path: base }) })
}

interface PricedOffer {
  readonly url: string
  readonly price: string
  readonly config: Config
}

function presentOffer(event: LinkedEvent, { url, price, config }: PricedOffer) {
  return offer({
    price: jsonLdText(price),
    priceCurrency: config.currencyCode,
    url,
    category: 'primary',
    availability: availabilityName(event.availability, 'inStock'),
    // Contract: the day in the local time of the site, but with this offset.
    validFrom: `${dayOf(localDateTimeAt(event.datedAt, config.siteZone))}T00:00:00+00:00`,
  })
}
