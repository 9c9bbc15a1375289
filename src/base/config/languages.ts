import { FALLBACKS, type Fallback } from '../languages/chain.ts'
import type { Language } from '../languages/language.ts'
import { maxLanguages } from '../languages/preference.bits.ts'

/** Longer tags name more than a language, a script, a region and a variant. */
const longestTag = 35

/**
 * A language as a BCP 47 tag, in its canonical form.
 *
 * @throws Error that says what the text must be
 */
export function parseLanguage(text: string): Language {
  const tag = text.length <= longestTag ? canonicalTag(text) : undefined
  // Extensions say how something is written (`de-u-co-phonebk`), not in which language it is.
  if (tag === undefined || tag === 'und' || new Intl.Locale(tag).baseName !== tag) {
    throw new Error('a language tag such as en, fr-CA or zh-Hant')
  }
  return tag
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}

/**
 * Languages separated by commas, each once, in the order in which they were named.
 *
 * @throws Error that says what the text must be
 */
export function parseLanguages(text: string): readonly Language[] {
  const languages = new Set(text.split(',').map((code) => code.trim()))
  if (languages.size > maxLanguages) throw new Error(`no more than ${maxLanguages} languages`)
  try {
    return [...new Set([...languages].map(parseLanguage))]
  } catch {
    throw new Error('language tags such as en, fr-CA or zh-Hant, comma-separated')
  }
}

/** @throws Error that says what the text must be */
export function parseFallback(text: string): Fallback {
  const found = FALLBACKS.find((fallback) => fallback === text)
  if (!found) throw new Error(`one of ${FALLBACKS.join(', ')}`)
  return found
}
