// The cost of an event as search engines read it: prices as decimal numbers, and the code of their currency.
import { foldLatin } from '../../../base/text/fold.ts'
import { decimalOf, number, type StoredCost, withSpacedThousands } from './cost.ts'

/** The prices of a cost, as decimal numbers. They are equal if there is one price. */
export interface OfferedPrices {
  readonly lowest: string
  readonly highest: string
  /** ISO 4217. */
  readonly currency: string
}

interface SiteCurrency {
  readonly currencySymbol: string
  readonly currencyCode: string
}

/**
 * Returns the prices of a cost and their currency. Undefined if it states no price, or if its currency is not certain:
 * prices in several currencies have no range.
 *
 * @param site The currency of numbers without one.
 */
export function offeredPrices(sent: StoredCost, site: SiteCurrency): OfferedPrices | undefined {
  const stored = withSpacedThousands(sent)
  const all = stored.flatMap((text) => amountsIn(text, site))
  // If some numbers have a currency, the others are ages or hours.
  const marked = all.filter(({ currency }) => currency !== undefined)
  const isFreeToo = (text: string) =>
    text.split(pieceEnd).some(isFree) || (all.length > 0 && startsFree.test(foldLatin(text)))
  const zeros = stored.some(isFreeToo) ? ['0'] : []
  const prices = [...zeros, ...(marked.length > 0 ? marked : all).map(({ value }) => value)]
  prices.sort((a, b) => Number(a) - Number(b))
  const [lowest, highest] = [prices[0], prices.at(-1)]
  const [currency = site.currencyCode, ...others] = new Set(marked.map((amount) => amount.currency))
  if (lowest === undefined || highest === undefined || others.length > 0 || currency === unknown) return undefined
  return { lowest, highest, currency }
}

const pieceEnd = /[-–—,;|/()]/
const startsFree = /^(?:free|gratuite?s?|(?:entree|admission|acces) (?:libre|gratuite?))(?![\p{L}\d])/iu
const freeWords = /^(?:free|gratis|gratuite?s?|libres?)$/
const besideFree = new Set(
  'admission entry entrance access event events for all everyone everybody to is of charge entree acces activite activites evenement concert spectacle pour tous toutes et and l'.split(
    ' ',
  ),
)

/** Returns true if a text says only that nothing is paid: `Free`, `Entrée libre`, `Free admission`, `No charge`. */
function isFree(text: string): boolean {
  const words = foldLatin(text).match(/[\p{L}\d]+/gu) ?? []
  if (/^(?:no (?:charge|cost|cover)|sans frais)$/.test(words.join(' '))) return true
  return (
    words.some((word) => freeWords.test(word)) && words.every((word) => freeWords.test(word) || besideFree.has(word))
  )
}

interface Amount {
  readonly value: string
  /** The code of the currency; undefined if the number has none. */
  readonly currency: string | undefined
}

/** What separates two numbers that share a currency: `10 – 20 €`, `de 10 à 20 $`. */
const joiner = /^\s*(?:[-–—/,]|to|à|and|et|or|ou)\s*$/iu

function amountsIn(text: string, site: SiteCurrency): readonly Amount[] {
  const typed = text.match(number) ?? []
  const words = text.split(number)
  const marks = typed.map((_, place) => {
    const after = markAfter.exec(words[place + 1] ?? '')?.[1]
    const before = markBefore.exec(words[place] ?? '')?.[1]
    // A code says more than a sign: `$15 CAD`.
    const [first, second] = after !== undefined && codes.has(after) ? [after, before] : [before, after]
    return currencyOf(first, site) ?? currencyOf(second, site)
  })
  const isJoined = (place: number) => joiner.test((words[place] ?? '').replace(markAfter, '').replace(markBefore, ''))
  return typed.map((one, place) => ({
    value: decimalOf(one.replace(/\s/g, '')).replace(/^\./, '0.'),
    currency:
      marks[place] ??
      (isJoined(place + 1) ? marks[place + 1] : undefined) ??
      (isJoined(place) ? marks[place - 1] : undefined),
  }))
}

const markBefore = /((?:(?<!\p{L})\p{Lu}{1,3}\s?)?\p{Sc}|(?<!\p{L})(?:\p{Lu}{3}|Fr|Rs|kr)\.?)\s*$/u
const markAfter = /^\s*(\p{Sc}(?:\s?\p{Lu}{1,3}(?!\p{L}))?|\p{L}{2,7}(?!\p{L}))/u

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))
/** A currency that is named, but not certain. */
const unknown = ''

const dollars = ['USD', 'CAD', 'AUD', 'NZD', 'HKD', 'SGD', 'MXN', 'ARS', 'CLP', 'COP']
/** Currencies by their signs and words. The one of the site counts if it is among them, or else the first. */
const currencies: Readonly<Record<string, readonly string[]>> = {
  ...{ $: dollars, dollar: dollars, dollars },
  ...{ '€': ['EUR'], euro: ['EUR'], euros: ['EUR'] },
  ...{ '£': ['GBP', 'EGP'], pound: ['GBP'], pounds: ['GBP'], '¥': ['JPY', 'CNY'], yen: ['JPY'] },
  ...{ fr: ['CHF'], franc: ['CHF', 'XAF', 'XOF', 'XPF'], francs: ['CHF', 'XAF', 'XOF', 'XPF'] },
  ...{ kr: [unknown, 'SEK', 'NOK', 'DKK', 'ISK'], rs: ['INR', 'PKR', 'LKR', 'NPR'], zł: ['PLN'], kč: ['CZK'] },
  ...{ ft: ['HUF'], lei: ['RON'], lv: ['BGN'], '₹': ['INR'], '₩': ['KRW'], '₪': ['ILS'], '₫': ['VND'] },
  ...{ '₱': ['PHP'], '₽': ['RUB'], '₺': ['TRY'], '₴': ['UAH'], '฿': ['THB'], '₦': ['NGN'], '₡': ['CRC'] },
}
/** Letters before or after a dollar sign, if the code does not begin with them. */
const dollarLetters: Readonly<Record<string, string>> = { C: 'CAD', CAN: 'CAD', CDN: 'CAD', A: 'AUD', R: 'BRL' }

/** Returns the code of a currency by its sign or word, `unknown` for a sign without a certain one. Other words have none. */
function currencyOf(mark: string | undefined, { currencySymbol, currencyCode }: SiteCurrency): string | undefined {
  if (mark === undefined) return undefined
  const plain = mark.replace(/[\s.]/g, '')
  if (plain === currencySymbol.replace(/[\s.]/g, '')) return currencyCode
  const letters = plain.replace(/\p{Sc}/gu, '')
  if (codes.has(letters)) return letters
  if (letters !== '' && plain.includes('$')) {
    const named = dollarLetters[letters] ?? `${letters}D`
    if (codes.has(named)) return named
  }
  const sign = /\p{Sc}/u.exec(plain)?.[0]
  const known = currencies[sign ?? plain.toLowerCase()]
  if (known === undefined) return sign === undefined ? undefined : unknown
  return known.includes(currencyCode) ? currencyCode : known[0]
}
