import type { DateRules } from './dates.js'
import type { DescriptionKey } from './en/descriptions.ts'
import type { DocsKey } from './en/docs.ts'
import type { ExampleName } from './en/examples.ts'
import type { FeedKey } from './en/feeds.ts'
import type { MessageKey } from './en/messages.ts'
import type { OpenApiKey } from './en/openapi.ts'
import type { PageKey } from './en/pages.ts'
import type { Text } from './plural.ts'

/** The answers that were recorded for the examples of the OpenAPI document: by operation, then by example. */
export type RecordedAnswers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * A language that the service speaks: its texts, and everything else that differs from one language to another. It is a
 * folder beside this file and an entry in `catalogues.ts`; nothing else in the program knows which languages there are.
 */
export interface Catalogue {
  /** Names the language in the program, in the embedded calendar and in the interactive reference. */
  readonly code: string
  /** BCP 47 tag of the texts: `Content-Language`, `lang`, `hreflang`, plural forms, numbers. */
  readonly tag: string
  /** What the language calls itself. */
  readonly name: string
  /** First part of the path of all addresses in this language; empty for the language of plain addresses. */
  readonly path: string
  readonly messages: Readonly<Record<MessageKey, Text>>
  /** What arguments mean, in the index and the OpenAPI document. */
  readonly descriptions: Readonly<Record<DescriptionKey, string>>
  readonly openApi: Readonly<Record<OpenApiKey, Text>>
  /** The page of the interactive reference. */
  readonly docs: Readonly<Record<DocsKey, Text>>
  readonly examples: Readonly<Record<ExampleName, string>>
  /** Answers of examples, where they differ from those in the language of plain addresses. */
  readonly answers: RecordedAnswers
  readonly feeds: Readonly<Record<FeedKey, Text>>
  readonly pages: Readonly<Record<PageKey, Text>>
  readonly dates: DateRules
  /** Letters of time zones: those of the time zone database (`EST`), or those that the language has for them (`HNE`). */
  readonly zoneLetters: 'database' | 'own'
  /** Where a price has its currency sign: where the settings say, or always after the number. */
  readonly currencySign: 'as-set' | 'after'
  /** Words that a search passes over, in small letters without accents. */
  readonly stopWords: ReadonlySet<string>
}
