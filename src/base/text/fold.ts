import { htmlToText } from './escape.ts'
import { normalize } from './normalize.ts'

// Signs that people cannot tell apart, or that programs write in place of each other, are one sign (rulings.md 45).

/** What takes no space: soft hyphens, joiners, marks of direction, and the line that stretches Arabic words. */
const invisibleSigns = /[\p{Default_Ignorable_Code_Point}\u0640]+/gu

/** Accents that are typed in place of an apostrophe. Their compatibility forms would be blanks. */
const loneAccents = /[´΄᾽᾿῾]/g

/** The first one suits all texts. The others need a letter or sign that is not ASCII, or that `isPlain` knows. */
const replacements: readonly (readonly [RegExp, string])[] = [
  [/[\p{White_Space}\u2800]+/gu, ' '],
  [/« ([^«»]*) »/g, '"$1"'],
  [/[`‘’‚‛‹›′‵ʹʻʼʽʾʿˈˊˋ՚׳ꞌ]/g, "'"],
  [/''|[״‶]|(?!')\p{Quotation_Mark}/gu, '"'],
  [/[〜∼]/g, '~'],
  [/[\p{Dash}˗⁃➖]+/gu, '-'],
  [/[•‧∙⋅・⸱]/g, '·'],
  [/[⁄∕]/g, '/'],
  [/×/g, 'x'],
  [/°/g, 'o'],
]

/** Whether an ASCII text has only signs that stay. */
function isPlain(text: string): boolean {
  return !/[\t-\r`]| {2}|''|--|^ | $/.test(text)
}

/**
 * Returns a text with one sign for all that look like it: apostrophes, quotation marks, dashes and dots; one blank for each
 * run of blanks, and none at the ends. The text is in its compatibility form.
 */
function withPlainSigns(text: string): string {
  return replacements.reduce((plain, [alike, sign]) => plain.replace(alike, sign), text).trim()
}

// Equivalence of spellings: the forms that search and comparison treat as the same word.

const letterTable = (pairs: string): Readonly<Record<string, string>> =>
  Object.fromEntries(pairs.split(' ').map((pair) => pair.split('=')))

const ligatures = letterTable('æ=ae œ=oe ß=ss ø=o đ=d ð=d ħ=h ı=i ł=l ŋ=n þ=th ŧ=t ĸ=k ſ=s')
const ligature = new RegExp(`[${Object.keys(ligatures).join('')}]`, 'gu')
/** Forms of a letter that are neither case nor accents. */
const letterForms = letterTable('æ=ae œ=oe ß=ss ı=i i\u0307=i ς=σ')
const letterForm = new RegExp(Object.keys(letterForms).join('|'), 'gu')

// The accents that Unicode combines with any letter. Vowel signs of Indic scripts are not accents and stay.
const accent = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/gu

const notAscii = /[^\0-\x7f]/

/**
 * Returns `text` in lower case, without accents and ligatures, with one sign for all that look like it, for comparison
 * only: `Québec` and `QUEBEC` give the same result, and so do `l’été` and `l'ete`.
 */
export function fold(text: string): string {
  // Most English texts are ASCII, of which the rest would change nothing else.
  if (!notAscii.test(text)) return foldAscii(text)
  return withPlainSigns(normalize(foldLigatures(foldForms(text).replace(accent, '')), 'NFKD'))
}

/** Does the same, but letters keep their accents. */
export function foldExceptAccents(text: string): string {
  return notAscii.test(text) ? withPlainSigns(normalize(foldForms(text), 'NFKD')) : foldAscii(text)
}

function foldAscii(text: string): string {
  return isPlain(text) ? text.toLowerCase() : withPlainSigns(text.toLowerCase())
}

function foldForms(text: string): string {
  return normalize(text.replace(loneAccents, "'"), 'NFKD')
    .toLowerCase()
    .replace(invisibleSigns, '')
    .replace(letterForm, (letter) => letterForms[letter] ?? letter)
}

/** Returns `text` in lower case. Latin letters lose their accents; letters of other scripts stay unchanged. */
export function foldLatin(text: string): string {
  const plain = normalize(text.toLowerCase(), 'NFD').replace(/(\p{Script=Latin})\p{Mn}+/gu, '$1')
  return foldLigatures(normalize(plain, 'NFC'))
}

function foldLigatures(text: string): string {
  return text.replace(ligature, (letter) => ligatures[letter] ?? letter)
}

/** Returns the words of a folded text: runs of letters and digits, of any script. */
export function wordsOfFolded(text: string): string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

/** Maximum number of characters of a search, folded. */
export const maxSearchLength = 200
/** Longer texts are not even folded: no script takes this many code units for one letter. */
const maxUnfoldedLength = 10 * maxSearchLength

/** A folded search text of bounded length: the result of `searchTextOf`. */
export type SearchText = string & { readonly brand: 'SearchText' }

/** Returns the folded search text, or undefined if it is longer than `maxSearchLength`. All searches begin here. */
export function searchTextOf(text: string): SearchText | undefined {
  if (text.length > maxUnfoldedLength) return undefined
  const folded = fold(text)
  return [...folded].length > maxSearchLength ? undefined : (folded as SearchText)
}

/**
 * Returns the text in which an event is searched: the text of these pieces of HTML, folded, without their markup
 * (rulings.md 37). Backslashes are dropped, as in the search text.
 */
export function searchedText(pieces: readonly string[]): string {
  return pieces.map((html) => fold(htmlToText(html).replace(/[\\＼﹨]/g, ''))).join('\n')
}

/** A parsed search: all of `include` and none of `exclude`, each folded, each anywhere in the text. */
export interface SearchTerms {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

/** Matches nothing: every text contains the empty text, which is excluded. */
const nothing: SearchTerms = { include: [], exclude: [''] }

/** Whether a search matches nothing, regardless of the content. */
export function matchesNothing({ exclude }: SearchTerms): boolean {
  return exclude.includes('')
}

const maxSearchTerms = 9

/**
 * Parses a search text: words, phrases in double quotes, and a leading `-` for terms that must not occur.
 *
 * Single letters and stop words are ignored. If no other term is left, or there are more than nine terms, the whole
 * text is one term. The exclusion of an ignored word is not part of that term. A search with only such exclusions
 * matches everything. A blank text matches nothing.
 *
 * @param stopWords Words that are ignored, folded.
 * @see events.md §1 "Search"; rulings.md 39
 */
export function searchTerms(query: SearchText, stopWords: ReadonlySet<string>): SearchTerms {
  const isDropped = (word: string) => /^[a-z]$/.test(word) || stopWords.has(word)

  const text = query.replaceAll('\\', '').replace(/\s+/g, ' ').trim()
  if (text === '') return nothing
  const found = [...text.matchAll(/(-?)(?:"([^"]*)"?|([^\s",+]+))/g)].map(termFrom)
  const terms = found.filter((term) => isWord(term) && !isDropped(term.text.trim()))
  if (terms.length > 0 && terms.length <= maxSearchTerms) {
    return {
      include: terms.filter((term) => !term.isExcluded).map((term) => term.text),
      exclude: terms.filter((term) => term.isExcluded).map((term) => term.text),
    }
  }
  const whole = without(
    text,
    found.filter((term) => term.isExcluded && isDropped(term.text.trim())),
  )
  return { include: whole === '' ? [] : [whole], exclude: [] }
}

interface SearchTerm {
  readonly text: string
  readonly isExcluded: boolean
  /** Position in the text, including its signs. */
  readonly from: number
  readonly to: number
}

function termFrom({ 0: source, 1: minus, 2: phrase, 3: word, index }: RegExpMatchArray): SearchTerm {
  const from = index ?? 0
  const text = phrase ?? word?.replace(/^'+|'+$/g, '') ?? ''
  return { text, isExcluded: minus === '-', from, to: from + source.length }
}

/** Returns `text` without these terms. They occur in it in this order. */
function without(text: string, terms: readonly SearchTerm[]): string {
  let kept = ''
  let at = 0
  for (const { from, to } of terms) {
    kept += text.slice(at, from)
    at = to
  }
  return (kept + text.slice(at)).replace(/\s+/g, ' ').trim()
}

function isWord({ text }: SearchTerm): boolean {
  const word = text.trim()
  return word !== '' && word !== '-'
}
