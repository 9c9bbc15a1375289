import { accepted, acceptedAs, refused, urlOf } from '../../../access/http/arguments/argument.rules.ts'
import { type JsonSchema, wordSchema } from '../../../access/http/arguments/argument.schema.ts'
import type { ArgumentRule, ReadResult } from '../../../access/http/arguments/argument.ts'
import { plainText } from '../../../base/text/sanitize.ts'
import { endOfDay, isLocalDateTime, type LocalDateTime, startOfDay } from '../../../base/time/local.date.time.ts'
import {
  AVAILABILITIES,
  type Availability,
  availabilityFrom,
  type Capacity,
  maxCapacity,
  maxOfferNameCharacters,
  maxOffers,
  noOffers,
  type Offer,
  offerMembers,
} from './offers.ts'

// How clients send offers: a JSON list, in forms also as indexed keys or as a JSON text.

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** At most nine digits before the point and four after it. */
const priceForm = /^\d{1,9}(?:\.\d{1,4})?$/

const priceSchema = { anyOf: [{ type: 'number', minimum: 0 }, { type: 'string' }] } as const satisfies JsonSchema
const timeSchema = { type: 'string', examples: ['2030-01-31 19:00:00'] } as const satisfies JsonSchema

export const availabilitySchema = wordSchema(AVAILABILITIES)

const offerSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: maxOfferNameCharacters },
    url: { type: 'string', examples: ['https://example.org/tickets'] },
    price: priceSchema,
    low_price: priceSchema,
    high_price: priceSchema,
    currency: { type: 'string', pattern: '^[A-Z]{3}$', examples: ['CAD'] },
    valid_from: timeSchema,
    valid_through: timeSchema,
    availability: availabilitySchema,
  },
} as const satisfies JsonSchema

export const offersSchema = {
  anyOf: [{ type: 'array', items: offerSchema, maxItems: maxOffers }, { type: ['string', 'null'] }],
} as const satisfies JsonSchema

/** An availability, or `''` for none. */
export const availabilityRule = (raw: unknown): ReadResult<Availability | ''> => {
  if (raw === null || raw === '') return accepted('')
  const word = typeof raw === 'string' ? availabilityFrom(raw) : undefined
  if (word === undefined) return refused('fault.enum', { allowed: AVAILABILITIES.join(', ') })
  return word === raw ? accepted(word) : acceptedAs(word, word)
}

/** A number of people. An empty text or null removes it. */
export const capacityRule = (raw: unknown): ReadResult<Capacity> => {
  if (raw === null || raw === '') return accepted('unknown')
  const isNumber = typeof raw === 'number' || (typeof raw === 'string' && /^\d{1,10}$/.test(raw))
  const number = isNumber ? Number(raw) : Number.NaN
  return Number.isInteger(number) && number >= 0 && number <= maxCapacity
    ? accepted(number)
    : refused('fault.between', { least: '0', most: String(maxCapacity) })
}

/** A list of at most 20 offers. An empty text, null or an empty list removes them. */
export const offersRule: ArgumentRule<readonly Offer[]> = (raw, reading) => readOffers(raw, reading.config.currencyCode)

/** Reads offers. A price without a currency gets that of the site. */
export function readOffers(raw: unknown, siteCurrency: string): ReadResult<readonly Offer[]> {
  const items = listFrom(raw)
  if (items === undefined) return refused('fault.offers')
  if (items.length > maxOffers) return refused('fault.too-many', { most: String(maxOffers) })
  const offers: Offer[] = []
  const ignored: (readonly [string, readonly string[]])[] = []
  for (const [place, item] of items.entries()) {
    if (typeof item !== 'object' || item === null || Array.isArray(item)) return refused('fault.offers')
    const offer = offerFrom(item, siteCurrency)
    if ('fault' in offer) {
      const { text, values } = offer.fault
      return refused(text, { ...values, name: `offers.${place}.${values?.name}` })
    }
    const names = Object.keys(item).filter((name) => !(offerMembers as readonly string[]).includes(name))
    ignored.push(...names.map((name) => [`${place}.${name}`, offerMembers] as const))
    if (Object.keys(offer.value).length > 0) offers.push(offer.value)
  }
  return { value: offers.length === 0 ? noOffers : offers, ignored }
}

function listFrom(raw: unknown): readonly unknown[] | undefined {
  if (raw === null || raw === '') return []
  if (Array.isArray(raw)) return raw
  if (typeof raw === 'object') {
    return Object.keys(raw).every((name) => /^\d+$/.test(name)) ? Object.values(raw) : undefined
  }
  if (typeof raw !== 'string') return undefined
  try {
    const list: unknown = JSON.parse(raw)
    return Array.isArray(list) ? list : undefined
  } catch {
    return undefined
  }
}

/** Reads an offer. The fault names its member. Empty members count as absent. */
function offerFrom(item: object, siteCurrency: string): ReadResult<Offer> {
  const offer: Record<string, unknown> = {}
  for (const [name, read] of Object.entries(readers)) {
    const raw = Object.hasOwn(item, name) ? (item as Readonly<Record<string, unknown>>)[name] : undefined
    if (raw === undefined || raw === null || raw === '') continue
    const outcome = read(raw)
    if ('fault' in outcome) return refused(outcome.fault.text, { ...outcome.fault.values, name })
    offer[name] = outcome.value
  }
  return whole(offer, siteCurrency)
}

/** Completes an offer: a range has both ends, and a price has a currency. */
function whole(
  { price, low_price: low, high_price: high, currency, ...others }: Offer,
  siteCurrency: string,
): ReadResult<Offer> {
  const { valid_from: from, valid_through: through } = others
  if (from !== undefined && through !== undefined && through < from) {
    return refused('fault.offer-window', { name: 'valid_through' })
  }
  const [lowest, highest] = [low ?? price ?? high, high ?? price ?? low]
  const { name, url, ...rest } = others
  const described = { ...(name === undefined ? {} : { name }), ...(url === undefined ? {} : { url }) }
  if (lowest === undefined || highest === undefined) return accepted({ ...described, ...rest })
  if (Number(lowest) > Number(highest)) return refused('fault.offer-price', { name: 'high_price' })
  const prices = Number(lowest) === Number(highest) ? { price: lowest } : { low_price: lowest, high_price: highest }
  return accepted({ ...described, ...prices, currency: currency ?? siteCurrency, ...rest })
}

type MemberReader = (raw: unknown) => ReadResult<unknown>

const price: MemberReader = (raw) => {
  const text = typeof raw === 'number' || typeof raw === 'string' ? String(raw).trim() : ''
  return priceForm.test(text) ? accepted(text) : refused('fault.offer-price')
}

const time =
  (ofDay: (day: LocalDateTime) => LocalDateTime): MemberReader =>
  (raw) => {
    const [, day, minutes, seconds = ':00'] =
      /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(typeof raw === 'string' ? raw : '') ?? []
    const text = `${day} ${minutes ?? '00:00'}${seconds}`
    if (!isLocalDateTime(text)) return refused('fault.where-date')
    return accepted(minutes === undefined ? ofDay(text) : text)
  }

const readers: { readonly [M in keyof Offer]-?: MemberReader } = {
  name: (raw) => {
    const text = typeof raw === 'string' ? plainText(raw).trim() : undefined
    if (text === undefined) return refused('fault.string')
    return [...text].length > maxOfferNameCharacters
      ? refused('fault.length', { least: '0', most: String(maxOfferNameCharacters) })
      : accepted(text)
  },
  url: (raw) => {
    const url = typeof raw === 'string' ? urlOf(raw, ['http:', 'https:']) : undefined
    return url === undefined ? refused('fault.url', { schemes: 'http, https' }) : accepted(url)
  },
  price,
  low_price: price,
  high_price: price,
  currency: (raw) => {
    const code = typeof raw === 'string' ? raw.toUpperCase() : ''
    return currencies.has(code) ? accepted(code) : refused('fault.currency')
  },
  valid_from: time(startOfDay),
  valid_through: time(endOfDay),
  availability: availabilityRule,
}
