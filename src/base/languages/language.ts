import type { Catalogue } from './catalogue.ts'
import { CATALOGUES, type TextLanguage } from './catalogues.ts'

export type { TextLanguage } from './catalogues.ts'

/** A content language: a canonical BCP 47 tag. `LANGUAGES` in the settings lists the available ones. */
export type Language = string

/** The content languages of the contract (languages.md §3), which are the default of the settings. */
export const CONTRACT_LANGUAGES: readonly Language[] = ['en', 'en-CA', 'fr-CA']

/**
 * The text language of addresses without a language segment, and of content in languages without a similar text
 * language.
 */
export const DEFAULT_TEXT_LANGUAGE: TextLanguage = CATALOGUES[0].code

export const TEXT_LANGUAGES: readonly TextLanguage[] = CATALOGUES.map(({ code }) => code)

const byCode: ReadonlyMap<string, Catalogue> = new Map(CATALOGUES.map((catalogue) => [catalogue.code, catalogue]))

export function catalogueOf(language: TextLanguage): Catalogue {
  return byCode.get(language) ?? CATALOGUES[0]
}

function recordOf<T>(read: (catalogue: Catalogue) => T): Readonly<Record<TextLanguage, T>> {
  return Object.fromEntries(CATALOGUES.map((catalogue) => [catalogue.code, read(catalogue)])) as Record<TextLanguage, T>
}

/** The tag of each text language (RFC 9110, 8.5). */
export const TEXT_LANGUAGE_CODES: Readonly<Record<TextLanguage, Language>> = recordOf(({ tag }) => tag)

/** The path prefix of addresses in each text language: `/fr`, or nothing for the default one. */
export const TEXT_LANGUAGE_PATHS: Readonly<Record<TextLanguage, string>> = recordOf(({ path }) => path)

export function otherTextLanguages(language: TextLanguage): readonly TextLanguage[] {
  return TEXT_LANGUAGES.filter((one) => one !== language)
}

/** Languages come from the settings and the database: their number is small. */
const writings = new Map<Language, string>()

/**
 * Returns the language and script of a tag. They are the same for `en-CA` and `en`, but not for `zh-TW` and `zh-CN`.
 */
export function writingOf(language: Language): string {
  const known = writings.get(language)
  if (known !== undefined) return known
  const { language: primary, script } = new Intl.Locale(language).maximize()
  const writing = `${primary}-${script}`
  writings.set(language, writing)
  return writing
}

const rightToLeft = /-(?:Adlm|Arab|Hebr|Mand|Mend|Nkoo|Rohg|Samr|Syrc|Thaa|Yezi)$/

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return rightToLeft.test(writingOf(language)) ? 'rtl' : 'ltr'
}

const known = new Map<Language, TextLanguage | undefined>()

/** Returns the text language for readers of a content language; undefined if the service supports none. */
export function spokenLanguageOf(language: Language): TextLanguage | undefined {
  if (known.has(language)) return known.get(language)
  const found =
    CATALOGUES.find(({ tag }) => tag === language) ??
    CATALOGUES.find(({ tag }) => writingOf(tag) === writingOf(language))
  known.set(language, found?.code)
  return found?.code
}

/** Returns the language of descriptions and messages for a content language (languages.md §2). */
export function textLanguageOf(language: Language): TextLanguage {
  return spokenLanguageOf(language) ?? DEFAULT_TEXT_LANGUAGE
}

/** The content languages of a site, from its settings. */
export interface SiteLanguages {
  readonly languages: readonly Language[]
  readonly defaultLanguage: Language
}

/** Returns the content language for readers of a text language: a language of the site if it has a matching one. */
export function contentLanguageOf({ languages, defaultLanguage }: SiteLanguages, textLanguage: TextLanguage): Language {
  const own = [defaultLanguage, ...languages].find((language) => spokenLanguageOf(language) === textLanguage)
  return own ?? TEXT_LANGUAGE_CODES[textLanguage]
}

/**
 * Returns the same for a language address; undefined at addresses without a language segment, which imply no language.
 */
export function addressLanguageOf(site: SiteLanguages, textLanguage: TextLanguage): Language | undefined {
  return textLanguage === DEFAULT_TEXT_LANGUAGE ? undefined : contentLanguageOf(site, textLanguage)
}

/** A path, split into its language prefix and the rest. */
export interface LanguagePath {
  readonly textLanguage: TextLanguage
  /** The language prefix as it was sent; empty if there is none. */
  readonly prefix: string
  readonly path: string
}

/** Splits a path. Letter case of the language is ignored. */
export function splitLanguagePath(path: string): LanguagePath {
  const folded = path.toLowerCase()
  const found = CATALOGUES.find(
    (catalogue) => catalogue.path !== '' && (folded === catalogue.path || folded.startsWith(`${catalogue.path}/`)),
  )
  const { code: textLanguage, path: start } = found ?? CATALOGUES[0]
  return { textLanguage, prefix: path.slice(0, start.length), path: path.slice(start.length) }
}

/** Returns the words that a search in a language ignores. */
export function stopWordsOf(language: Language): ReadonlySet<string> {
  return catalogueOf(textLanguageOf(language)).stopWords
}

/** Returns whether a site has this language. Letter case is significant (languages.md F2). */
export function isLanguageOf({ languages }: Pick<SiteLanguages, 'languages'>, value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** Returns the languages of the contract, then those that the settings add. */
export function knownLanguages({ languages }: Pick<SiteLanguages, 'languages'>): readonly Language[] {
  return [...new Set([...CONTRACT_LANGUAGES, ...languages])]
}
