import { FALLBACKS, type Fallback } from '../languages/chain.ts'
import { DEFAULT_TEXT_LANGUAGE, type Language, spokenLanguageOf, type TextLanguage } from '../languages/language.ts'
import { maxLanguages } from '../languages/preference.bits.ts'

/** The maximum length of a tag with a language, a script, a region and a variant. */
const longestTag = 35

/**
 * Reads a language and returns it as a canonical BCP 47 tag.
 *
 * @throws Error that says what the text must be
 */
export function parseLanguage(text: string): Language {
  const tag = text.length <= longestTag ? canonicalTag(text) : undefined
  // Extensions specify conventions (`de-u-co-phonebk`), not the language.
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
 * Reads comma-separated languages in the given order, without duplicates.
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

/** The language of records at the addresses of a text language. */
export type AddressLanguages = Readonly<Partial<Record<TextLanguage, Language>>>

/**
 * Reads comma-separated languages, each for the addresses of its text language.
 *
 * @throws Error that says what the text must be
 */
export function parseAddressLanguages(text: string): AddressLanguages {
  const languages = text === '' ? [] : parseLanguages(text)
  const byAddress = new Map(languages.map((language) => [spokenLanguageOf(language), language]))
  if (byAddress.has(undefined) || byAddress.has(DEFAULT_TEXT_LANGUAGE) || byAddress.size < languages.length) {
    throw new Error('languages that have addresses of their own, one for each, such as fr-CA')
  }
  return Object.fromEntries(byAddress)
}

/** @throws Error that says what the text must be */
export function parseFallback(text: string): Fallback {
  const found = FALLBACKS.find((fallback) => fallback === text)
  if (!found) throw new Error(`one of ${FALLBACKS.join(', ')}`)
  return found
}
