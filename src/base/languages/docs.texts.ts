import type { DocsKey } from './en/docs.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** Returns a text of the API reference page, with `{name}` replaced by the value of that name. */
export function docsText(language: TextLanguage, key: DocsKey, values: Readonly<Record<string, string>> = {}): string {
  return fillText(catalogueOf(language).docs[key], TEXT_LANGUAGE_CODES[language], values)
}
