// The cost of an event. Clients send free text, numbers or lists of either. They read texts and the numbers in the
// texts. See events.md §2 "Cost text".
import { LRUCache } from 'lru-cache'
import { plainText } from '../../../base/text/sanitize.ts'
import { slugFrom } from '../../../base/text/slug.ts'

type CurrencyPosition = 'prefix' | 'postfix'

/** A currency sign, and the side of the number that it is on. */
export interface Currency {
  readonly symbol: string
  readonly position: CurrencyPosition
}

/** The sent cost as plain texts of one line. Empty if the event states no cost. */
export type StoredCost = readonly string[]

/** `cost` and `cost_details` as clients read them. */
export interface PresentedCost {
  readonly cost: string
  readonly details: {
    readonly currency_symbol: string
    readonly currency_code: ''
    readonly currency_position: CurrencyPosition | ''
    readonly values: readonly string[]
  }
}

const dollars: Currency = { symbol: '$', position: 'prefix' }
const textLimit = 1_000
const textsLimit = 100

/**
 * Reads the cost that a client sent. `''`, null, false and `[]` give none. Values that are neither text nor number are
 * ignored.
 */
export function readCost(input: unknown): StoredCost {
  const sent: readonly unknown[] = Array.isArray(input) ? input.slice(0, textsLimit) : [input]
  return sent.map(textFrom).filter((text) => text !== '')
}

function textFrom(input: unknown): string {
  if (typeof input === 'string') return plainText(input.slice(0, textLimit)).trim()
  if (typeof input !== 'number' || !Number.isFinite(input)) return ''
  return input.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 20 })
}

/** Presented costs. Most events of a calendar share a few different costs. */
const costCache = new LRUCache<string, PresentedCost>({ max: 1000 })
const maxCachedKeyLength = 100

/** Returns the cost as clients read it. `site` is the currency of numbers without one. */
export function presentCost(stored: StoredCost, site: Currency = dollars): PresentedCost {
  // Each text is one line, so a line break separates them.
  const key = [site.symbol, site.position, ...stored].join('\n')
  const known = costCache.get(key)
  if (known) return known
  const presented = computePresentedCost(stored, site)
  if (key.length <= maxCachedKeyLength) costCache.set(key, presented)
  return presented
}

function computePresentedCost(stored: StoredCost, site: Currency): PresentedCost {
  const currency = currencyOf(stored)
  const { prices, values } = pricesOf(stored)
  return {
    cost: hasOtherWords(stored)
      ? stored.join('')
      : joinRange(prices, stored, (price) => formatPrice(price, currency ?? site)),
    details: {
      currency_symbol: currency?.symbol ?? '',
      currency_code: '',
      currency_position: currency?.position ?? '',
      values,
    },
  }
}

/** The cost in numbers, for code that formats prices differently. */
export interface PriceRange {
  /** With a decimal point and no thousands separators: `1234.50`. */
  readonly lowest: string
  readonly highest: string
  /** Undefined if the numbers have no currency, or several. */
  readonly currency: Currency | undefined
}

/**
 * Returns the prices of a cost, or `free` if the cost says only that. Undefined if the cost is shown in the sent words.
 */
export function priceRangeOf(sent: StoredCost): PriceRange | 'free' | undefined {
  const stored = withSpacedThousands(sent)
  const { prices } = pricesOf(stored)
  const [lowest, highest] = [prices[0], prices.at(-1)]
  if (!lowest || !highest) return stored.length > 0 && stored.every(isFree) ? 'free' : undefined
  if (hasOtherWords(stored)) return undefined
  return { lowest: lowest.value, highest: highest.value, currency: currencyOf(stored) }
}

/**
 * Returns a cost whose thousands are separated by spaces where Swiss apostrophes were: `1’200`.
 *
 * Contract: `cost`, `cost_details` and `json_ld` have two numbers there (events.md §2 "Cost text"), so only pages read so.
 */
export function withSpacedThousands(stored: StoredCost): StoredCost {
  return stored.map((text) =>
    text.replace(/(?<!\d)\d{1,3}(?:['’]\d{3})+(?!\d)/g, (typed) => typed.replace(/['’]/g, '\u202f')),
  )
}

/** Returns the `price` of an offer in JSON-LD: the cost without its currency, or undefined if there is none. */
export function offerPrice(stored: StoredCost): string | undefined {
  if (stored.length === 0) return undefined
  const { prices } = pricesOf(stored)
  if (prices.length === 0 && stored.every(isFree)) return '0'
  return joinRange(prices, stored, (price) => (price.amount === 0 ? '0' : price.typed))
}

interface Price {
  /** As the client wrote it: `1.234,50`. */
  readonly typed: string
  /** With a decimal point and no thousands separators: `1234.50`. */
  readonly value: string
  readonly amount: number
}

// A space may separate groups of three, as in French. A separator belongs to the number only before a digit.
export const number = /\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)(?:[.,]\d+)*|(?:[.,]\d+|\d+)(?:[.,]\d+)*/g

function pricesOf(stored: StoredCost): { readonly prices: readonly Price[]; readonly values: readonly string[] } {
  const typed = stored.flatMap((text) => text.match(number) ?? [])
  if (typed.length === 0)
    return {
      prices: [],
      values: stored
        .map(slugFrom)
        .filter((slug) => slug !== '')
        .sort(),
    }

  const zeros = stored.some(startsFree) ? ['0'] : []
  const prices = [...zeros, ...typed].map(priceFrom).sort((a, b) => a.amount - b.amount)
  return { prices, values: [...new Set(prices.map((price) => price.value))] }
}

function priceFrom(typed: string): Price {
  const value = decimalOf(typed.replace(/\s/g, ''))
  return { typed, value, amount: Number(value) }
}

// Contract: if a lone separator precedes exactly three digits, a comma separates thousands and a point separates
// decimals.
export function decimalOf(typed: string): string {
  const separators = typed.match(/[.,]/g) ?? []
  const last = Math.max(typed.lastIndexOf('.'), typed.lastIndexOf(','))
  const whole = typed.slice(0, last).replace(/[.,]/g, '')
  const fraction = typed.slice(last + 1)

  if (separators.length === 0) return typed
  const isThousands =
    separators.length > 1
      ? new Set(separators).size === 1
      : typed[last] === ',' && fraction.length === 3 && /^[1-9]/.test(whole)
  return isThousands ? whole + fraction : `${whole}.${fraction}`
}

function joinRange(prices: readonly Price[], stored: StoredCost, write: (price: Price) => string): string {
  const lowest = prices[0]
  const highest = prices.at(-1)
  if (lowest === undefined || highest === undefined) return stored.join(', ')
  return lowest.amount === highest.amount ? write(lowest) : `${write(lowest)} – ${write(highest)}`
}

function formatPrice({ typed, amount }: Price, { symbol, position }: Currency): string {
  if (amount === 0) return 'Free'
  return position === 'prefix' ? symbol + typed : typed + symbol
}

function isFree(text: string): boolean {
  return /^free$/i.test(text)
}

// "Free - 10" is a range from zero to ten.
function startsFree(text: string): boolean {
  return /^free(?![\p{L}\d])/iu.test(text)
}

interface Sides {
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Returns the currency that all numbers with a currency share. Undefined if none has one, or if they differ. */
function currencyOf(stored: StoredCost): Currency | undefined {
  const sides = stored.map(sidesOf)
  const before = new Set(sides.flatMap((side) => side.before).filter(isCurrency))
  const after = new Set(sides.flatMap((side) => side.after).filter(isCurrency))
  if (before.size + after.size !== 1) return undefined

  const [prefix] = before
  const [postfix] = after
  if (prefix !== undefined) return { symbol: prefix, position: 'prefix' }
  return postfix === undefined ? undefined : { symbol: postfix, position: 'postfix' }
}

// The words before and after the numbers of a text. Between two numbers, a dash, a comma or a slash tells which words
// belong to which. Without one, they are on the same side as at the first number.
function sidesOf(text: string): Sides {
  const [start = '', ...others] = text.split(number)
  const end = others.pop()
  if (end === undefined) return { before: [], after: [] }

  const first = pieces(start).at(-1) ?? ''
  const between = others.map(pieces).map((words) => {
    if (words.length > 1) return { after: words[0] ?? '', before: words.at(-1) ?? '' }
    const [word = ''] = words
    return first === '' ? { after: word, before: '' } : { after: '', before: word }
  })
  return {
    before: [first, ...between.map((words) => words.before)],
    after: [...between.map((words) => words.after), pieces(end)[0] ?? ''],
  }
}

function pieces(words: string): string[] {
  return words.split(/[-–—,;|/]/).map((piece) => piece.trim())
}

const abbreviations = /^(?:\p{Lu}{1,3}|kr|zł|Kč|Ft|Fr|Rs|lei|lv)\.?$/u

// A sign, even with words (`Donation $`), or an abbreviation (`EUR`).
function isCurrency(words: string): boolean {
  return /\p{Sc}/u.test(words) || abbreviations.test(words)
}

// A text that says more than one number and its currency is shown as it was sent: "5 and up".
function hasOtherWords(stored: StoredCost): boolean {
  const [text, ...others] = stored
  if (text === undefined || others.length > 0 || text.match(number)?.length !== 1 || startsFree(text)) return false

  const { before, after } = sidesOf(text)
  const words = [...before, ...after].filter((side) => side !== '')
  return words.length > 1 || words.some((side) => !isCurrency(side))
}
