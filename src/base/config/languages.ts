import { FALLBACKS, type Fallback } from '../languages/chain.ts'
import { isLanguage, LANGUAGES, type Language } from '../languages/language.ts'

/** @throws Error that says what the text must be */
export function parseLanguage(text: string): Language {
  if (!isLanguage(text)) throw new Error(`one of ${LANGUAGES.join(', ')}`)
  return text
}

/**
 * Languages separated by commas, each once, in the order in which they were named.
 *
 * @throws Error that says what the text must be
 */
export function parseLanguages(text: string): readonly Language[] {
  const languages = new Set(text.split(',').map((code) => code.trim()))
  if (![...languages].every(isLanguage)) throw new Error(`some of ${LANGUAGES.join(', ')}, comma-separated`)
  return [...languages] as Language[]
}

/** @throws Error that says what the text must be */
export function parseFallback(text: string): Fallback {
  const found = FALLBACKS.find((fallback) => fallback === text)
  if (!found) throw new Error(`one of ${FALLBACKS.join(', ')}`)
  return found
}
