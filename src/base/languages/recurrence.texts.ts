import type { RecurrenceKey } from './en/recurrence.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** Returns a text about what repeats, in the plural form for `count`, with `{name}` replaced by the value of that name. */
export function recurrenceText(
  language: TextLanguage,
  key: RecurrenceKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(catalogueOf(language).recurrence[key], TEXT_LANGUAGE_CODES[language], values)
}
