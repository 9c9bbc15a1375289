import type { DateRules } from './dates.js'
import type descriptions from './en/descriptions.json'
import type desk from './en/desk.json'
import type docs from './en/docs.json'
import type examples from './en/examples.json'
import type feeds from './en/feeds.json'
import type messages from './en/messages.json'
import type openApi from './en/openapi.json'
import type pages from './en/pages.json'
import type recurrence from './en/recurrence.json'
import type settings from './en/settings.json'
import type states from './en/states.json'
import type { Text } from './plural.ts'

/** The texts of the default language, one file for each section. Every language has their keys. */
interface DefaultTexts {
  /** Messages of problems by their code, of invalid parameters, and of records of an import. */
  readonly messages: typeof messages
  /** The meanings of arguments, in the index, the OpenAPI documents and the API reference. */
  readonly descriptions: typeof descriptions
  /** The other texts of the OpenAPI documents: summaries of operations, responses, schemas. */
  readonly openApi: typeof openApi
  /** The page with the interactive reference. */
  readonly docs: typeof docs
  /** What the examples of the OpenAPI document show. */
  readonly examples: typeof examples
  readonly feeds: typeof feeds
  readonly pages: typeof pages
  readonly desk: typeof desk
  /** What happens to events. `title` shows the title of an event with its state. */
  readonly states: typeof states
  /** The meanings of settings, by name. */
  readonly settings: typeof settings
  /** Recurrences in words, within a sentence: “every second Friday until June 18, 2027, except 3 dates”. */
  readonly recurrence: typeof recurrence
}

export type TextSection = keyof DefaultTexts
export type TextKey<S extends TextSection> = keyof DefaultTexts[S]

export type MessageKey = TextKey<'messages'>
export type DescriptionKey = TextKey<'descriptions'>
export type OpenApiKey = TextKey<'openApi'>
export type ExampleName = TextKey<'examples'>
export type PageKey = TextKey<'pages'>
export type DeskKey = TextKey<'desk'>
export type StateKey = TextKey<'states'>
export type RecurrenceKey = TextKey<'recurrence'>
export type SettingName = TextKey<'settings'>

/** The texts of a language. `{name}` in a text is replaced by a value. */
export type Texts = { readonly [S in TextSection]: Readonly<Record<TextKey<S>, Text>> }

/** Responses recorded for the examples of the OpenAPI document: by operation, then by example. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** Words of dates and times that people type, in lower case without accents. The names of months and weekdays are known. */
interface DateWords {
  /** Days from today by word: `tomorrow` is 1. */
  readonly days: Readonly<Record<string, number>>
  readonly next: readonly string[]
  readonly noon: readonly string[]
  readonly midnight: readonly string[]
  /** Words that say nothing. */
  readonly ignored: readonly string[]
}

/**
 * A language that the service supports: its texts, and everything else that differs between languages. To add one, add
 * a folder next to this file and an entry in `catalogues.ts`. No other part of the program lists the languages.
 */
export interface Catalogue {
  /** Identifies the language in the program, in the embedded calendar and in the interactive reference. */
  readonly code: string
  /** BCP 47 tag of the texts: `Content-Language`, `lang`, `hreflang`, plural forms, numbers. */
  readonly tag: string
  /** The name of the language in the language itself. */
  readonly name: string
  /** First segment of the path of all addresses in this language; empty for the default language. */
  readonly path: string
  readonly texts: Texts
  /** Responses of examples that differ from those in the default language. */
  readonly answers: RecordedAnswers
  readonly dates: DateRules
  readonly dateWords: DateWords
  /** Time zone abbreviations: those of the time zone database (`EST`), or those of the language (`HNE`). */
  readonly zoneLetters: 'database' | 'own'
  /** Position of the currency sign of a price: as the settings say, or always after the number. */
  readonly currencySign: 'as-set' | 'after'
  /** Words that a search ignores, in lower case without accents. */
  readonly stopWords: ReadonlySet<string>
}
