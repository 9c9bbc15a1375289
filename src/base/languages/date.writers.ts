import { createDateWriter, type DateRules, type DateWriter } from './dates.js'
import { catalogueOf, TEXT_LANGUAGES, type TextLanguage } from './language.ts'

const writers: ReadonlyMap<TextLanguage, DateWriter> = new Map(
  TEXT_LANGUAGES.map((language) => [language, createDateWriter(catalogueOf(language).dates, 'UTC')]),
)

/**
 * Returns the date writer of a language. Local times are written as if they were in UTC, so that no zone shifts them.
 */
export function utcDates(language: TextLanguage): DateWriter {
  return writers.get(language) ?? createDateWriter(catalogueOf(language).dates, 'UTC')
}

const zoned = new Map<string, DateWriter>()

/** Returns the date writer of a language, for instants in a time zone of the site. */
export function zonedDates(language: TextLanguage, zone: string): DateWriter {
  const name = `${language} ${zone}`
  const writer = zoned.get(name) ?? createDateWriter(catalogueOf(language).dates, zone)
  zoned.set(name, writer)
  return writer
}

/** Returns the date rules of every language for browser scripts, by the `lang` of a page. */
export function dateRulesByTag(): Readonly<Record<string, DateRules>> {
  return Object.fromEntries(TEXT_LANGUAGES.map(catalogueOf).map(({ tag, dates }) => [tag, dates]))
}
