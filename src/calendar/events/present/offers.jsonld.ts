import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../../base/time/wire.ts'
import { epochSecondsOf, offsetAt, type Zone } from '../../../base/time/zone.ts'
import { thing } from '../../records/structured.data.ts'
import type { RenderedEvent } from '../model/event.ts'
import type { Availability, Offer } from '../model/offers.ts'

/** The names of schema.org (ItemAvailability). */
const names: Readonly<Record<Availability, string>> = {
  in_stock: 'InStock',
  limited_availability: 'LimitedAvailability',
  sold_out: 'SoldOut',
  pre_order: 'PreOrder',
}

/** Returns an availability as schema.org names it, or another text if it is not known. */
export function availabilityName<T>(availability: Availability | '' | undefined, otherwise: T): string | T {
  return availability ? `https://schema.org/${names[availability]}` : otherwise
}

/**
 * Returns the offers of an event as schema.org describes them: one, or a list. Undefined if it has none.
 *
 * @param url Address of the event, for offers without one.
 */
export function offersData({ offers, availability, zone }: RenderedEvent, url: string): object | undefined {
  const described = offers.map((offer) => offerData(offer, { url, availability, zone }))
  return described.length > 1 ? described : described[0]
}

function offerData(
  offer: Offer,
  event: Pick<RenderedEvent, 'availability' | 'zone'> & { readonly url: string },
): object {
  const { name, url = event.url, price, low_price: lowPrice, high_price: highPrice, currency: priceCurrency } = offer
  const common = {
    ...{ priceCurrency, url },
    availability: availabilityName(offer.availability ?? event.availability, undefined),
    validFrom: instantOf(offer.valid_from, event.zone),
    validThrough: instantOf(offer.valid_through, event.zone),
  }
  return lowPrice === undefined
    ? thing('Offer', { name, price, ...common })
    : thing('AggregateOffer', { name, lowPrice, highPrice, ...common })
}

function instantOf(local: LocalDateTime | undefined, zone: Zone): string | undefined {
  return local && isoWithOffset(local, offsetAt(epochSecondsOf(local, zone), zone))
}
