import type { DescriptionKey } from './en/descriptions.ts'
import type { MessageKey } from './en/messages.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** The message in this language, in the form that `count` asks for, with `{name}` replaced by the value of that name. */
export function message(
  language: TextLanguage,
  key: MessageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(catalogueOf(language).messages[key], TEXT_LANGUAGE_CODES[language], values)
}

/** What an argument means, in this language. */
export function description(language: TextLanguage, key: DescriptionKey): string {
  return catalogueOf(language).descriptions[key]
}
