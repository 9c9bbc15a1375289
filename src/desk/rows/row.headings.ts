import type { DeskKey } from '../../base/languages/catalogue.ts'
import { TEXT_LANGUAGES, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import { deskText } from '../../base/languages/texts.ts'
import { fold } from '../../base/text/fold.ts'
import { inLanguage } from '../events/desk.field.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import type { WordedCall } from '../shell/desk.call.ts'
import { columns as allColumns, isText } from './row.columns.ts'

// The headings by which columns are known.

/** What a heading means: a column, the language in which it is written, and its place among the headings of the column. */
interface Meaning {
  readonly column: string
  readonly language: TextLanguage
  readonly rank: number
}

interface Headings {
  readonly fillers: ReadonlySet<string>
  /** Words that say that a heading is about events, as all are here: “Event Start Date”. */
  readonly events: ReadonlySet<string>
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>
}

function wordsOf(heading: string, fillers: ReadonlySet<string>): readonly string[] {
  return fold(heading.replace(/\(\p{L}{1,2}\)/gu, ''))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
}

/** Reads the headings of all languages, once: a spreadsheet may be in another one than the page. */
function readHeadings(): Headings {
  const list = (language: TextLanguage, key: DeskKey) => deskText(language, key).split(', ')
  const all = (key: DeskKey) => new Set(TEXT_LANGUAGES.flatMap((language) => list(language, key)).map(fold))
  const fillers = all('rows.headings.fillers')
  const meanings = new Map<string, readonly Meaning[]>()
  for (const language of TEXT_LANGUAGES) {
    for (const [column, { headings }] of allColumns) {
      for (const [rank, heading] of list(language, headings).entries()) {
        const words = wordsOf(heading, fillers).join(' ')
        meanings.set(words, [...(meanings.get(words) ?? []), { column, language, rank }])
      }
    }
  }
  return { fillers, events: all('rows.headings.event'), meanings }
}

let known: Headings | undefined

function knownHeadings(): Headings {
  known ??= readHeadings()
  return known
}

/** The language that a heading names, and its other words. */
function languageIn(
  call: WordedCall,
  heading: string,
): { readonly language: string | undefined; readonly rest: readonly string[] } {
  const { fillers } = knownHeadings()
  const words = wordsOf(heading, fillers)
  // « Image mise en avant » names no language.
  if (meaningsOf(words).length > 0) return { language: undefined, rest: words }
  const languages = distinctLanguages(call)
  const codes = (language: string) => language.toLowerCase().split('-')
  const namesOf = (language: string) =>
    TEXT_LANGUAGES.flatMap((textLanguage) =>
      [codes(language)[0] ?? '', language].flatMap((one) => wordsOf(languageName({ textLanguage }, one), fillers)),
    )
  const named = languages.find((language) => namesOf(language).some((name) => words.includes(name)))
  // The code of a language may be a word of another one, so it counts only without a name.
  const coded = words.length > 1 ? languages.find((one) => words.includes(codes(one)[0] ?? '')) : undefined
  const language = named ?? coded
  if (language === undefined) return { language, rest: words }
  const ownWords = new Set([...namesOf(language), ...languages.flatMap(codes)])
  return { language, rest: words.filter((word) => !ownWords.has(word)) }
}

function meaningsOf(words: readonly string[]): readonly Meaning[] {
  const { meanings, events } = knownHeadings()
  const of = (some: readonly string[]) => meanings.get(some.join(' '))
  return of(words) ?? of(words.filter((word) => !events.has(word))) ?? []
}

/** Whether a table is one that the service itself gave out. Its texts are plain, and formulas in it are kept from being any. */
export function isOwnTable(headings: readonly string[]): boolean {
  return headings.includes('utc_start_date')
}

/** Two columns that mean the start: the first is its day, if there is no other column for it. So in Outlook: « Début », « Heure de début ». */
const daysOf: Readonly<Record<string, string>> = { start: 'date', end: 'end_date' }

/**
 * Returns the field of each heading; '' for those that are not known. No field is taken twice: the clearest heading gets
 * it.
 */
export function recognizeColumns(call: WordedCall, row: readonly string[]): readonly string[] {
  const languages = distinctLanguages(call)
  const isOwn = isOwnTable(row)
  const found = row.map((heading) => {
    const { language, rest } = languageIn(call, heading)
    // There it is the page of the event, not its website.
    return { language, meanings: isOwn && heading === 'url' ? [] : meaningsOf(rest) }
  })
  const ofWords = (textLanguage?: TextLanguage) => languages.find((one) => textLanguageOf(one) === textLanguage)
  // A heading that is the same in both languages, such as “Description”, is in the language of the first title.
  const title = found.find(({ meanings }) => meanings.some(({ column }) => column === 'title'))
  const usual = title?.language ?? ofWords(title?.meanings[0]?.language) ?? languages[0] ?? ''
  const columns = row.map(() => '')
  const claims = found
    .flatMap(({ language, meanings }, place) => {
      const [meaning] = meanings
      if (!meaning) return []
      const { column, rank } = meaning
      const own = language ?? (meanings.length > 1 ? usual : (ofWords(meaning.language) ?? usual))
      return [{ place, rank, name: isText(column) ? inLanguage(column, own) : column }]
    })
    .toSorted((one, other) => one.rank - other.rank || one.place - other.place)
  for (const { place, name } of claims) {
    const taken = columns.indexOf(name)
    const day = daysOf[name]
    if (taken < 0) columns[place] = name
    else if (day !== undefined && !columns.includes(day) && !claims.some((one) => one.name === day)) {
      columns[taken] = day
      columns[place] = name
    }
  }
  return columns
}
