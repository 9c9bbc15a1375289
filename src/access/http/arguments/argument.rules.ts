import { fail, type ParameterFault, type ProblemCode } from '../../../base/problems.ts'
import { isLongLine, maxLineCharacters } from '../../../base/text/bounds.ts'
import { maxSearchLength, type SearchText, searchTextOf } from '../../../base/text/fold.ts'
import { canParseDateText } from '../../../base/time/date-text.ts'
import { isLocalDateTime, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import { parseZone, type Zone } from '../../../base/time/zone.ts'
import { hasUser } from '../../auth/user.repository.ts'
import type { ArgumentRule, ReadResult, ReadValue } from './argument.ts'

const truthWords = new Set(['1', 'true', 'yes', 'y', 'on', 'enable', 'enabled'])
/** Words that mean false. All other words count as false too, but are reported. */
const falseWords = new Set(['', '0', 'false', 'no', 'n', 'off', 'disable', 'disabled'])
/** Maximum number of items in any list. */
export const maxItems = 1000
/**
 * Maximum number of venues, organizers, categories or tags that a list may filter by, or that an event may have. Nobody
 * needs more.
 */
export const maxChosen = 100

export const accepted = <T>(value: T): ReadValue<T> => ({ value })
/** Accepts a value that differs from the sent one; `shown` is the text that is reported. */
export const acceptedAs = <T>(value: T, shown: string): ReadValue<T> => ({ value, adjusted: { to: shown } })
export const refused = (
  text: ParameterFault['text'],
  values?: ParameterFault['values'],
): { readonly fault: ParameterFault } => ({
  fault: values ? { text, values } : { text },
})

/** Returns the fault of a value whose type is not the declared one. */
export function wrongType(name: string, type: 'string' | 'integer' | 'boolean'): { readonly fault: ParameterFault } {
  return {
    fault: { text: `fault.type.${type}`, inner: { code: 'rest_invalid_type', data: { param: name } } },
  }
}

/** Returns the positive whole number in a number or a text of digits (also `1.0`, `1e0`, `+1`), or undefined. */
export function wholeNumberOf(raw: unknown): number | undefined {
  const text = typeof raw === 'number' || typeof raw === 'string' ? String(raw) : ''
  if (!/^\s*\+?\d{1,16}(\.0*)?(e\+?\d{1,2})?\s*$/i.test(text)) return undefined
  const number = Number(text)
  return Number.isSafeInteger(number) && number > 0 ? number : undefined
}

export const wholeNumber: ArgumentRule<number> = (raw) => {
  const number = wholeNumberOf(raw)
  return number === undefined ? refused('fault.whole-number') : accepted(number)
}

/** A text that is not empty. Contract: `"0"` counts as empty (rulings.md 22). */
export const text =
  (name: string): ArgumentRule<string> =>
  (raw) => {
    if (raw === null) return wrongType(name, 'string')
    return typeof raw === 'string' && raw !== '' && raw !== '0' ? accepted(raw) : refused('fault.text')
  }

/** The fault of a line that is too long. */
export const longLine = refused('fault.length', { least: '1', most: String(maxLineCharacters) })

/** A title or a name: one line of text that is not empty. */
export const line =
  (name: string): ArgumentRule<string> =>
  (raw, reading) =>
    typeof raw === 'string' && isLongLine(raw) ? longLine : text(name)(raw, reading)

/** The search text of a list, folded. */
export const searchText: ArgumentRule<SearchText> = async (raw, reading) => {
  const outcome = await text('search')(raw, reading)
  if ('fault' in outcome) return outcome
  const sought = searchTextOf(outcome.value)
  return sought === undefined
    ? refused('fault.length', { least: '1', most: String(maxSearchLength) })
    : accepted(sought)
}

export const oneOf =
  <W extends string>(words: readonly W[]): ArgumentRule<W> =>
  (raw) => {
    const word = words.find((one) => one === raw)
    return word === undefined ? refused('fault.enum', { allowed: words.join(', ') }) : accepted(word)
  }

/** `true false 1 0` as JSON or text, in any letter case. */
export const boolean =
  (name: string): ArgumentRule<boolean> =>
  (raw) => {
    const word = typeof raw === 'boolean' || typeof raw === 'number' || typeof raw === 'string' ? String(raw) : ''
    if (/^(true|1)$/i.test(word)) return accepted(true)
    if (/^(false|0)$/i.test(word)) return accepted(false)
    return wrongType(name, 'boolean')
  }

/** True for the truth words of the contract, in any letter case; false for every other value. */
function isTruthWord(raw: unknown): boolean {
  // Lists and objects are not words. Converting one from a client to a text can even throw.
  return typeof raw !== 'object' && truthWords.has(String(raw).trim().toLowerCase())
}

/** Reads a truth word. A value that means neither true nor false counts as false and is reported. */
export function booleanFromWord(raw: unknown): ReadValue<boolean> {
  if (isTruthWord(raw)) return accepted(true)
  const isDenial = typeof raw !== 'object' && falseWords.has(String(raw).trim().toLowerCase())
  return isDenial ? accepted(false) : acceptedAs(false, 'false')
}

/** A map flag: one of the truth words, or a JSON boolean (venues-organizers.md §4.1, §11 row 7). */
export const flag =
  (name: string): ArgumentRule<boolean> =>
  (raw) =>
    typeof raw === 'string' || typeof raw === 'boolean' ? booleanFromWord(raw) : wrongType(name, 'string')

/** A date text, unchanged, because its meaning depends on the time zone in which it is read. */
export const dateText =
  (name: string): ArgumentRule<string> =>
  (raw) => {
    if (raw === null) return wrongType(name, 'string')
    if (typeof raw !== 'string' && typeof raw !== 'number') return refused('fault.date')
    if (!canParseDateText(String(raw))) return refused('fault.date')
    return typeof raw === 'string' ? accepted(raw) : wrongType(name, 'string')
  }

/** Like `dateText`, for list filters, which also accept numbers (Unix seconds). */
export const dateFilter: ArgumentRule<string> = (raw) => {
  if (typeof raw !== 'string' && typeof raw !== 'number') return refused('fault.date')
  return canParseDateText(String(raw)) ? accepted(String(raw)) : refused('fault.date')
}

/** Returns the fault of an invalid latitude (`most` 90) or longitude (180). */
export function coordinateFault(most: number): { readonly fault: ParameterFault } {
  return refused('fault.number-between', { least: String(-most), most: String(most) })
}

/** Reads a day, `YYYY-MM-DD`, or a local time. Nothing else: a request for many events must not depend on guesses. */
export function localTimeOf(raw: unknown, ofDay: (day: LocalDateTime) => LocalDateTime): LocalDateTime | undefined {
  const [, day, minutes, seconds = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?$/.exec(typeof raw === 'string' ? raw : '') ?? []
  const text = `${day} ${minutes ?? '00:00'}${seconds}`
  if (!isLocalDateTime(text)) return undefined
  return minutes === undefined ? ofDay(text) : text
}

/** A time zone, or undefined for the zone of the site (`""`, `"0"`). */
export const timezone: ArgumentRule<Zone | 'site'> = (raw) => {
  if (raw === null) return wrongType('timezone', 'string')
  if (typeof raw !== 'string') return refused('fault.timezone')
  if (raw === '' || raw === '0') return accepted('site')
  const zone = parseZone(raw)
  return zone ? accepted(zone) : refused('fault.timezone')
}

/**
 * Returns the absolute URL in `raw`, unchanged except for outer blanks, if its scheme is one of these (with the colon);
 * else undefined.
 */
export function urlOf(raw: string, schemes: readonly string[]): string | undefined {
  // As an answer gives it, in HTML (rulings.md 44).
  const trimmed = raw.trim().replace(/&(?:amp|#0?38|#0?39);/g, (entity) => (entity.includes('39') ? "'" : '&'))
  if (trimmed.length > 2048 || !URL.canParse(trimmed)) return undefined
  const url = new URL(trimmed)
  const hasPlace = url.protocol === 'mailto:' ? url.pathname.includes('@') : url.hostname !== ''
  return schemes.includes(url.protocol) && hasPlace && !/[\s<>"]/.test(trimmed) ? trimmed : undefined
}

export const user: ArgumentRule<number> = async (raw, { db }) => {
  if (raw === null) return wrongType('author', 'integer')
  const id = wholeNumberOf(raw)
  return id !== undefined && (await hasUser(db, id)) ? accepted(id) : refused('fault.unknown-user')
}

/**
 * Returns the distinct items of a list parameter: those of a JSON or bracketed list unchanged, those of a text split at
 * its commas, or a single number. Refuses a value that is not a list, and a list of more than `most` items. Returns an
 * empty list if the value has no items.
 */
export function itemsOf(raw: unknown, most = maxItems): ReadResult<readonly unknown[]> {
  const sent = sentItems(raw)
  if (!sent) return refused('fault.list')
  const tooMany = refused('fault.too-many', { most: String(most) })
  // This check precedes any work per item.
  if (sent.length > maxItems) return tooMany
  const items = new Set(typeof raw === 'string' ? sent.map(percentDecodedItem).filter((item) => item !== '') : sent)
  return items.size > most ? tooMany : accepted([...items])
}

/** Returns the distinct ids of a list parameter, at least one. */
export function wholeNumbersOf(raw: unknown, most?: number): ReadResult<readonly number[]> {
  const items = itemsOf(raw, most)
  if ('fault' in items) return items
  const ids = items.value.map(wholeNumberOf)
  return ids.length > 0 && ids.every((id) => id !== undefined) ? accepted(ids) : refused('fault.ids')
}

function sentItems(raw: unknown): readonly unknown[] | undefined {
  if (typeof raw === 'number') return [raw]
  if (typeof raw === 'string') return raw.split(',', maxItems + 1)
  return raw === null || typeof raw !== 'object' ? undefined : Object.values(raw)
}

// Contract: items of a comma-separated list are trimmed and percent-decoded once more (events.md §1).
function percentDecodedItem(item: unknown): string {
  try {
    return decodeURIComponent(String(item).trim()).trim()
  } catch {
    return String(item).trim()
  }
}

/** A query parameter that was sent once, and so is a text. */
export const queryText: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' ? accepted(raw) : refused('fault.string')

export const queryNumber: ArgumentRule<number> = (raw) =>
  typeof raw === 'string' && /^[1-9]\d{0,8}$/.test(raw) ? accepted(Number(raw)) : refused('fault.whole-number')

/** The number in a part of the path; undefined if it is not a number. The check of rights comes first. */
export const pathNumber: ArgumentRule<number | undefined> = (raw) =>
  accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : undefined)

/**
 * The number in a part of the path. Any other text counts as not found, for every caller.
 *
 * @throws the problem with this code
 */
export const pathNumberOr =
  (code: ProblemCode): ArgumentRule<number> =>
  (raw) =>
    accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : fail(code))
