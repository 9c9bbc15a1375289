import type { DeskKey } from './en/desk.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** Returns a text of the desk in the plural form for `count`, with `{name}` replaced by the value of that name. */
export function deskText(
  language: TextLanguage,
  key: DeskKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(catalogueOf(language).desk[key], TEXT_LANGUAGE_CODES[language], values)
}
