import type { Static } from 'typebox'
import type { Addresses } from '../../access/http/addresses.ts'
import type { Config } from '../../base/config/config.ts'
import { jsonLdDescription, jsonLdName, jsonLdText } from '../../base/text/escape.ts'
import { dayOf } from '../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../base/time/wire.ts'
import { localDateTimeAt, offsetAt } from '../../base/time/zone.ts'
import { pictureUrl } from '../media/media.present.ts'
import { organizers } from '../organizers/organizer.directory.ts'
import type { PersonJsonLdSchema } from '../organizers/organizer.schema.ts'
import { recordUrl } from '../records/record.present.ts'
import { venues } from '../venues/venue.directory.ts'
import type { PlaceJsonLdSchema } from '../venues/venue.schema.ts'
import { offerPrice } from './event.cost.ts'
import type { EventJsonLdSchema } from './event.schema.ts'
import type { LinkedEvent } from './event.ts'

type EventJsonLd = Static<typeof EventJsonLdSchema>
type PlaceJsonLd = Static<typeof PlaceJsonLdSchema>
type PersonJsonLd = Static<typeof PersonJsonLdSchema>

interface JsonLdView {
  readonly config: Config
  readonly addresses: Addresses
}

/** An event as schema.org describes it (events.md §2 "json_ld"). */
export function presentJsonLd(event: LinkedEvent, { config, addresses }: JsonLdView): EventJsonLd {
  const url = recordUrl(addresses, event)
  const [venue] = event.venues
  // Contract: only the first organizer.
  const [organizer] = event.organizers
  const price = offerPrice(event.cost)
  const name = jsonLdName(event.titleHtml)
  return {
    '@context': 'http://schema.org',
    '@type': 'Event',
    name: event.status === 'private' ? `Private: ${name}` : name,
    description: jsonLdDescription(event.contentHtml, event.excerptHtml),
    ...(event.image ? { image: pictureUrl(addresses, event.image.file) } : {}),
    url,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: isoWithOffset(event.start, offsetAt(event.startUtc, event.zone)),
    endDate: isoWithOffset(event.end, offsetAt(event.endUtc, event.zone)),
    ...(venue ? { location: venues.presentJsonLd(venue, addresses) as PlaceJsonLd } : {}),
    ...(organizer ? { organizer: organizers.presentJsonLd(organizer, addresses) as PersonJsonLd } : {}),
    ...(price === undefined ? {} : { offers: presentOffer(event, { url, price }, config) }),
    performer: 'Organization',
  }
}

function presentOffer(
  { datedAt }: LinkedEvent,
  { url, price }: { readonly url: string; readonly price: string },
  { currencyCode, siteZone }: Config,
) {
  return {
    '@type': 'Offer' as const,
    price: jsonLdText(price),
    priceCurrency: currencyCode,
    url,
    category: 'primary',
    availability: 'inStock',
    // Contract: the day on the site's own clock, yet with this offset.
    validFrom: `${dayOf(localDateTimeAt(datedAt, siteZone))}T00:00:00+00:00`,
  }
}
