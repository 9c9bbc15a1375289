import type { DescriptionKey } from './en/descriptions.ts'
import type { MessageKey } from './en/messages.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/**
 * Returns the message in this language, in the plural form for `count`, with `{name}` replaced by the value of that
 * name.
 */
export function message(
  language: TextLanguage,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(catalogueOf(language).messages[key], TEXT_LANGUAGE_CODES[language], values)
}

/** Returns the meaning of an argument in this language. */
export function description(language: TextLanguage, key: DescriptionKey): string {
  return catalogueOf(language).descriptions[key]
}
