import type { DeskKey } from '../../base/languages/catalogue.ts'
import { TEXT_LANGUAGES, type TextLanguage, textLanguageOf } from '../../base/languages/language.ts'
import { deskText } from '../../base/languages/texts.ts'
import { fold } from '../../base/text/fold.ts'
import { inLanguage } from '../events/editor.fields.ts'
import { distinctLanguages, languageName } from '../events/language.names.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import type { Choice } from '../shell/fields.ts'

// The columns of a table whose rows become events, and the headings by which they are known.

/** Texts exist once per language, with the language after a dot, as in the editor: `title.fr-CA`. */
const textColumns = ['title', 'excerpt', 'description'] as const
type TextColumn = (typeof textColumns)[number]

const sharedColumns = [
  ...(['date', 'start', 'end_date', 'end', 'venue', 'city', 'organizer', 'categories', 'tags'] as const),
  ...(['cost', 'website'] as const),
] as const
type Column = TextColumn | (typeof sharedColumns)[number]

const labels = {
  title: 'editor.title',
  excerpt: 'editor.excerpt',
  description: 'editor.description',
  date: 'rows.column.date',
  start: 'rows.column.start',
  end_date: 'rows.column.end-date',
  end: 'rows.column.end',
  venue: 'editor.venue',
  city: 'editor.venue-city',
  organizer: 'editor.organizer',
  categories: 'editor.categories',
  tags: 'editor.tags',
  cost: 'editor.cost',
  website: 'editor.website',
} as const satisfies Readonly<Record<Column, DeskKey>>

/** What a heading means: a column, and the language in which it is written. */
interface Meaning {
  readonly column: Column
  readonly language: TextLanguage
}

interface Headings {
  readonly fillers: ReadonlySet<string>
  readonly meanings: ReadonlyMap<string, readonly Meaning[]>
}

function wordsOf(heading: string, fillers: ReadonlySet<string>): readonly string[] {
  return fold(heading)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !fillers.has(word))
}

/** Reads the headings of all languages, once: a spreadsheet may be in another one than the page. */
function readHeadings(): Headings {
  const list = (language: TextLanguage, key: DeskKey) => deskText(language, key).split(', ')
  const fillers = new Set(TEXT_LANGUAGES.flatMap((language) => list(language, 'rows.headings.fillers')))
  const meanings = new Map<string, readonly Meaning[]>()
  for (const language of TEXT_LANGUAGES) {
    for (const column of Object.keys(labels) as Column[]) {
      for (const heading of list(language, `rows.headings.${column}`)) {
        const words = wordsOf(heading, fillers).join(' ')
        meanings.set(words, [...(meanings.get(words) ?? []), { column, language }])
      }
    }
  }
  return { fillers, meanings }
}

let known: Headings | undefined

function knownHeadings(): Headings {
  known ??= readHeadings()
  return known
}

/** The language that a heading names, and its other words. */
function languageIn(call: OwnCall, heading: string): { readonly language: string | undefined; readonly rest: string } {
  const { fillers } = knownHeadings()
  const words = wordsOf(heading, fillers)
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
  if (language === undefined) return { language, rest: words.join(' ') }
  const ownWords = new Set([...namesOf(language), ...languages.flatMap(codes)])
  return { language, rest: words.filter((word) => !ownWords.has(word)).join(' ') }
}

function isText(column: Column): column is TextColumn {
  return (textColumns as readonly string[]).includes(column)
}

/** Returns the field of each heading; '' for those that are not known. No field is taken twice. */
export function recognizeColumns(call: OwnCall, row: readonly string[]): readonly string[] {
  const languages = distinctLanguages(call)
  const taken = new Set<string>()
  const found = row.map((heading) => {
    const { language, rest } = languageIn(call, heading)
    return { language, meanings: knownHeadings().meanings.get(rest) ?? [] }
  })
  const ofWords = (textLanguage?: TextLanguage) => languages.find((one) => textLanguageOf(one) === textLanguage)
  // A heading that is the same in both languages, such as “Description”, is in the language of the first title.
  const title = found.find(({ meanings }) => meanings.some(({ column }) => column === 'title'))
  const usual = title?.language ?? ofWords(title?.meanings[0]?.language) ?? languages[0] ?? ''
  return found.map(({ language, meanings }) => {
    const [meaning] = meanings
    if (!meaning) return ''
    const isShared = meanings.length > 1
    const own = language ?? (isShared ? usual : (ofWords(meaning.language) ?? usual))
    const name = isText(meaning.column) ? inLanguage(meaning.column, own) : meaning.column
    if (taken.has(name)) return ''
    taken.add(name)
    return name
  })
}

/** Returns the name of a column for people, with its language. */
export function columnLabel(call: OwnCall, name: string): string {
  const [column = '', language] = name.split('.')
  const label = call.say(labels[column as Column])
  return language === undefined || distinctLanguages(call).length === 1
    ? label
    : call.say('editor.of-language', { label, language: languageName(call, language) })
}

/** Returns the names of all columns that a table can have. */
export function columnNames(call: OwnCall): readonly string[] {
  const languages = distinctLanguages(call)
  return [
    ...languages.map((language) => inLanguage('title', language)),
    ...sharedColumns,
    ...languages.flatMap((language) => (['excerpt', 'description'] as const).map((name) => inLanguage(name, language))),
  ]
}

export function columnChoices(call: OwnCall): readonly Choice[] {
  return [['', call.say('rows.ignore')], ...columnNames(call).map((name): Choice => [name, columnLabel(call, name)])]
}
