import type { DateRules } from './dates.js'
import type { DescriptionKey } from './en/descriptions.ts'
import type { DeskKey } from './en/desk.ts'
import type { DocsKey } from './en/docs.ts'
import type { ExampleName } from './en/examples.ts'
import type { FeedKey } from './en/feeds.ts'
import type { MessageKey } from './en/messages.ts'
import type { OpenApiKey } from './en/openapi.ts'
import type { PageKey } from './en/pages.ts'
import type { StateKey } from './en/states.ts'
import type { Text } from './plural.ts'

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
  readonly messages: Readonly<Record<MessageKey, Text>>
  /** The meanings of arguments, in the index and the OpenAPI document. */
  readonly descriptions: Readonly<Record<DescriptionKey, string>>
  readonly openApi: Readonly<Record<OpenApiKey, Text>>
  /** The texts of the page with the interactive reference. */
  readonly docs: Readonly<Record<DocsKey, Text>>
  readonly examples: Readonly<Record<ExampleName, string>>
  /** Responses of examples that differ from those in the default language. */
  readonly answers: RecordedAnswers
  readonly feeds: Readonly<Record<FeedKey, Text>>
  readonly pages: Readonly<Record<PageKey, Text>>
  /** The texts of the editors’ desk. */
  readonly desk: Readonly<Record<DeskKey, Text>>
  /** What happens to events. */
  readonly states: Readonly<Record<StateKey, Text>>
  /** The meanings of settings, by name. The default language has them in the table of settings. */
  readonly settings: Readonly<Record<string, string>>
  readonly dates: DateRules
  readonly dateWords: DateWords
  /** Time zone abbreviations: those of the time zone database (`EST`), or those of the language (`HNE`). */
  readonly zoneLetters: 'database' | 'own'
  /** Position of the currency sign of a price: as the settings say, or always after the number. */
  readonly currencySign: 'as-set' | 'after'
  /** Words that a search ignores, in lower case without accents. */
  readonly stopWords: ReadonlySet<string>
}
