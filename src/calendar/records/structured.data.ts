import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../base/time/wire.ts'
import { offsetAt, type Zone } from '../../base/time/zone.ts'

// JSON-LD in schema.org terms. It has two kinds of readers. Clients of the interface read `json_ld`, which has entities
// in its texts (events.md §2). Search engines read the plain texts of pages. Both use the functions below, each with
// its own order.

type ThingType =
  | 'AggregateOffer'
  | 'Event'
  | 'EventSeries'
  | 'GeoCoordinates'
  | 'ImageObject'
  | 'Offer'
  | 'Organization'
  | 'Person'
  | 'Place'
  | 'PostalAddress'
  | 'VirtualLocation'

/** The properties that are not undefined. */
type Defined<P> = { readonly [K in keyof P as undefined extends P[K] ? never : K]: P[K] } & {
  readonly [K in keyof P as undefined extends P[K] ? K : never]?: Exclude<P[K], undefined>
}

type Thing<T, P> = { readonly '@type': T } & Defined<P>

/** Returns a thing of this type with its properties in the given order. Omits undefined properties. */
export function thing<const T extends ThingType, P extends object>(type: T, properties: P): Thing<T, P> {
  return { '@type': type, ...defined(properties) }
}

/** Returns the same as a separate document. */
export function document<const C extends string, D extends object>(context: C, described: D) {
  return { '@context': context, ...described }
}

/** Returns these texts without the empty ones. */
export function filled(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''))
}

interface Times {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly startUtc: number
  readonly endUtc: number
  readonly zone: Zone
}

/** Returns when an event begins and ends, in its local time. */
export function eventTimes({ start, end, startUtc, endUtc, zone }: Times) {
  return {
    startDate: isoWithOffset(start, offsetAt(startUtc, zone)),
    endDate: isoWithOffset(end, offsetAt(endUtc, zone)),
  }
}

interface Address {
  readonly address: string
  readonly city: string
  readonly region: string
  readonly postalCode: string
  readonly country: string
}

/** @param write Formats a text. */
export function postalAddress(fields: Address, write: (text: string) => string = (text) => text) {
  const { address, city, region, postalCode, country } = fields
  return thing(
    'PostalAddress',
    filled({
      streetAddress: write(address),
      addressLocality: write(city),
      addressRegion: write(region),
      postalCode: write(postalCode),
      addressCountry: write(country),
    }),
  )
}

interface OfferProperties {
  readonly price: string
  readonly priceCurrency: string
  readonly url: string
  readonly category?: string
  readonly availability: string
  readonly validFrom: string
}

export function offer<P extends OfferProperties>(properties: P) {
  return thing('Offer', properties)
}

function defined<P extends object>(properties: P): Defined<P> {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined)) as Defined<P>
}
