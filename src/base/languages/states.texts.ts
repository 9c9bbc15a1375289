import type { StateKey } from './en/states.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

/** Returns a text about the state of an event, with `{name}` replaced by the value of that name. */
export function stateText(
  language: TextLanguage,
  key: StateKey,
  values: Readonly<Record<string, string>> = {},
): string {
  return fillText(catalogueOf(language).states[key], TEXT_LANGUAGE_CODES[language], values)
}
