import { createDateWriter, type DateRules, type DateWriter } from './dates.js'
import { catalogueOf, TEXT_LANGUAGES, type TextLanguage } from './language.ts'

const writers: ReadonlyMap<TextLanguage, DateWriter> = new Map(
  TEXT_LANGUAGES.map((language) => [language, createDateWriter(catalogueOf(language).dates, 'UTC')]),
)

/** Writes dates in a language. Local times are written as if they were in UTC, so that no zone moves them. */
export function utcDates(language: TextLanguage): DateWriter {
  return writers.get(language) ?? createDateWriter(catalogueOf(language).dates, 'UTC')
}

/** The rules of every language for scripts in browsers, by the `lang` of a page. */
export function dateRulesByTag(): Readonly<Record<string, DateRules>> {
  return Object.fromEntries(TEXT_LANGUAGES.map(catalogueOf).map(({ tag, dates }) => [tag, dates]))
}
