import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { StoredCost } from './cost.ts'

// What it takes to attend an event, as information: tickets are sold elsewhere. Translations share all of it, with the
// names of the offers, because a price and whether seats are left do not depend on the language.

/** The words of schema.org for availability (ItemAvailability), in the style of the interface. */
export const AVAILABILITIES = ['in_stock', 'limited_availability', 'sold_out', 'pre_order'] as const
export type Availability = (typeof AVAILABILITIES)[number]

export const maxOffers = 20
export const maxOfferNameCharacters = 200
export const maxCapacity = 1_000_000_000

/** One way to attend an event. Absent members are not known. */
export interface Offer {
  /** Plain text. */
  readonly name?: string
  readonly url?: string
  /** Decimal numbers. `price` is absent if there is a range. */
  readonly price?: string
  readonly low_price?: string
  readonly high_price?: string
  /** ISO 4217. Present if there is a price. */
  readonly currency?: string
  /** When it is on sale, in the local time of the event. */
  readonly valid_from?: LocalDateTime
  readonly valid_through?: LocalDateTime
  readonly availability?: Availability
}

export const offerMembers = [
  ...(['name', 'url', 'price', 'low_price', 'high_price', 'currency'] as const),
  ...(['valid_from', 'valid_through', 'availability'] as const),
] satisfies readonly (keyof Offer)[]

/** The number of people who can attend. `unknown` if nobody said. */
export type Capacity = number | 'unknown'

export const noOffers: readonly Offer[] = []

/** Returns an availability by its word, or by its name in schema.org, with or without the address. */
export function availabilityFrom(name: string): Availability | undefined {
  const word = name
    .trim()
    .replace(/^https?:\/\/schema\.org\//i, '')
    .replace(/[ _-]/g, '')
    .toLowerCase()
  return AVAILABILITIES.find((one) => one.replaceAll('_', '') === word)
}

/** Whether tickets can be bought or booked at an address. */
export function isTicketed(offers: readonly Offer[]): boolean {
  return offers.some(({ url }) => url !== undefined)
}

export function statedCost(
  { cost, offers }: { readonly cost: StoredCost; readonly offers: readonly Offer[] },
  siteCurrency: string,
): StoredCost {
  if (cost.length > 0 || offers.length === 0) return cost
  // Prices in several currencies have no range, so those of the first one count.
  const currency = offers.find((offer) => offer.currency)?.currency
  return offers.flatMap((offer) => (offer.currency === currency ? costOfOffer(offer, siteCurrency) : []))
}

/** Returns the prices of an offer as a cost. Prices in the currency of the site get its sign. */
export function costOfOffer({ price, low_price, high_price, currency }: Offer, siteCurrency: string): StoredCost {
  const prices = [price, low_price, high_price].filter((one) => one !== undefined)
  if (currency === undefined || currency === siteCurrency) return prices
  const sign = signOf(currency)
  return prices.map((one) => (/^\p{L}+$/u.test(sign) ? `${one} ${sign}` : `${sign}${one}`))
}

/** Signs of currencies. There are about three hundred. */
const signs = new Map<string, string>()

function signOf(currency: string): string {
  const known =
    signs.get(currency) ??
    new Intl.NumberFormat([], { style: 'currency', currency }).formatToParts(1).find(({ type }) => type === 'currency')
      ?.value ??
    currency
  signs.set(currency, known)
  return known
}
