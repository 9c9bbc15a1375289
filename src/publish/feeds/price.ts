import type { Config } from '../../base/config/config.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from '../../base/languages/language.ts'
import { offeredPrices } from '../../calendar/events/model/cost.offer.ts'
import {
  type Currency,
  type PriceRange,
  presentCost,
  priceRangeOf,
  type StoredCost,
  withSpacedThousands,
} from '../../calendar/events/model/cost.ts'

/** Longer numbers are not prices. They are shown as they were sent. */
const longestPrice = 20
/** A currency sign, or letters that name a currency: `€`, `CA$`, `CHF`, `kr`. */
const plainSign = /^(?:\p{Lu}{0,3}\p{Sc}|\p{L}{2,3}\.?)$/u

interface PriceCall {
  readonly deps: { readonly config: Pick<Config, 'currencyCode' | 'currencySymbol' | 'currencyPosition'> }
  readonly textLanguage: TextLanguage
  say(key: 'free'): string
}

/** Returns the cost of an event as a page shows it: `10,50 $`, `$10.50`, `Gratuit`. Other text stays unchanged. */
export function priceText(call: PriceCall, cost: StoredCost): string {
  const { config } = call.deps
  const site = { symbol: config.currencySymbol, position: config.currencyPosition }
  const range = priceRangeOf(cost)
  if (range === 'free') return call.say('free')
  if (range === undefined) return cost.join(', ')
  const named = range.currency?.symbol === site.symbol ? site : range.currency
  // Prices in other currencies, which only words separate, must not get the sign of the site.
  if (!named && offeredPrices(cost, config)?.currency !== config.currencyCode) return cost.join(', ')
  const currency = named ?? site
  const words = presentCost(withSpacedThousands(cost), site).cost
  const isWritten = [range.lowest, range.highest].every((price) => price.length <= longestPrice)
  if (!isWritten || !plainSign.test(currency.symbol)) return words
  return rangeText(call, range, currency)
}

function rangeText(call: PriceCall, { lowest, highest }: PriceRange, currency: Currency): string {
  const write = (price: string) => (Number(price) === 0 ? call.say('free') : amountText(call, price, currency))
  return Number(lowest) === Number(highest) ? write(lowest) : `${write(lowest)} – ${write(highest)}`
}

function amountText(
  { deps: { config }, textLanguage }: PriceCall,
  price: string,
  { symbol, position }: Currency,
): string {
  const digits = symbol === config.currencySymbol ? digitsOf(config.currencyCode) : 2
  const sent = price.split('.')[1]?.length ?? 0
  const isWhole = /^\d+(?:\.0*)?$/.test(price)
  const number = formatOf(textLanguage, isWhole ? 0 : digits, isWhole ? 0 : Math.max(digits, sent))
    // A string keeps all its digits; a number would not.
    .format(price as `${number}`)
  if (catalogueOf(textLanguage).currencySign === 'after')
    return `${number}\u00a0${symbol.replace(/^(\p{Lu}+)(\p{Sc})$/u, '$2\u00a0$1')}`
  const gap = /\p{L}\.?$/u.test(symbol) ? '\u00a0' : ''
  return position === 'prefix' ? `${symbol}${gap}${number}` : `${number}${gap}${symbol}`
}

/** Number formats by language and numbers of digits. Few combinations exist. */
const formats = new Map<string, Intl.NumberFormat>()

function formatOf(language: TextLanguage, least: number, most: number): Intl.NumberFormat {
  const key = `${language} ${least} ${most}`
  const digits = { minimumFractionDigits: least, maximumFractionDigits: most }
  const known =
    formats.get(key) ?? new Intl.NumberFormat(TEXT_LANGUAGE_CODES[language], { ...digits, useGrouping: 'always' })
  formats.set(key, known)
  return known
}

/** Returns the number of digits of the minor unit of a currency: two for a dollar, none for a yen (ISO 4217). */
function digitsOf(currency: string): number {
  return new Intl.NumberFormat([], { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}
