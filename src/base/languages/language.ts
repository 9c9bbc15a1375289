/** Languages of content: the values of the language parameter. */
export const LANGUAGES = ['en', 'en-CA', 'fr-CA'] as const
export type Language = (typeof LANGUAGES)[number]

/** Languages in which the service itself speaks: descriptions and messages. */
export type TextLanguage = 'en' | 'fr'

/** The language of descriptions and messages for a language of content (languages.md §2). */
export function textLanguageOf(language: Language): TextLanguage {
  return language === 'fr-CA' ? 'fr' : 'en'
}

/** The code of the language that the service itself speaks (RFC 9110, 8.5). */
export const TEXT_LANGUAGE_CODES: Readonly<Record<TextLanguage, Language>> = { en: 'en', fr: 'fr-CA' }

/** Letter case counts (languages.md F2). */
export function isLanguage(value: unknown): value is Language {
  return LANGUAGES.includes(value as Language)
}
