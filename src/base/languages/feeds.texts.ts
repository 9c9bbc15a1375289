import type { FeedKey } from './en/feeds.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** Returns a text of a feed, with `{name}` replaced by the value of that name. */
export function feedText(language: TextLanguage, key: FeedKey, values: Readonly<Record<string, string>> = {}): string {
  return fillText(catalogueOf(language).feeds[key], TEXT_LANGUAGE_CODES[language], values)
}
