import type { PageKey } from './en/pages.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText, type Text } from './plural.ts'

/** Returns a text of the public pages as its catalogue defines it. */
export function pageEntry(language: TextLanguage, key: PageKey): Text {
  return catalogueOf(language).pages[key]
}

/**
 * Returns a text of the public pages in the plural form for `count`, with `{name}` replaced by the value of that name.
 */
export function pageText(
  language: TextLanguage,
  key: PageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(catalogueOf(language).pages[key], TEXT_LANGUAGE_CODES[language], values)
}
