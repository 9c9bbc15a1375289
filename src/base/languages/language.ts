import type { Catalogue } from './catalogue.ts'
import { CATALOGUES, type TextLanguage } from './catalogues.ts'

export type { TextLanguage } from './catalogues.ts'

/** A language of content: a BCP 47 tag in its canonical form. `LANGUAGES` in the settings says which ones there are. */
export type Language = string

/** The languages of content that the contract names (languages.md §3), and that the settings have by default. */
export const CONTRACT_LANGUAGES: readonly Language[] = ['en', 'en-CA', 'fr-CA']

/** The language of texts at plain addresses, and of content that no language of texts is near to. */
export const DEFAULT_TEXT_LANGUAGE: TextLanguage = CATALOGUES[0].code

export const TEXT_LANGUAGES: readonly TextLanguage[] = CATALOGUES.map(({ code }) => code)

const byCode: ReadonlyMap<string, Catalogue> = new Map(CATALOGUES.map((catalogue) => [catalogue.code, catalogue]))

/** All that the service has in this language. */
export function catalogueOf(language: TextLanguage): Catalogue {
  return byCode.get(language) ?? CATALOGUES[0]
}

function recordOf<T>(read: (catalogue: Catalogue) => T): Readonly<Record<TextLanguage, T>> {
  return Object.fromEntries(CATALOGUES.map((catalogue) => [catalogue.code, read(catalogue)])) as Record<TextLanguage, T>
}

/** The tag of the language that the service itself speaks (RFC 9110, 8.5). */
export const TEXT_LANGUAGE_CODES: Readonly<Record<TextLanguage, Language>> = recordOf(({ tag }) => tag)

/** What the addresses of a language of texts begin with: `/fr`, or nothing for that of plain addresses. */
export const TEXT_LANGUAGE_PATHS: Readonly<Record<TextLanguage, string>> = recordOf(({ path }) => path)

/** The languages of texts other than this one. */
export function otherTextLanguages(language: TextLanguage): readonly TextLanguage[] {
  return TEXT_LANGUAGES.filter((one) => one !== language)
}

/** Languages come from the settings and the database: there are few of them. */
const writings = new Map<Language, string>()

/** The language and the script that a tag means: `en-CA` and `en` mean the same, `zh-TW` and `zh-CN` do not. */
export function writingOf(language: Language): string {
  const known = writings.get(language)
  if (known !== undefined) return known
  const { language: primary, script } = new Intl.Locale(language).maximize()
  const writing = `${primary}-${script}`
  writings.set(language, writing)
  return writing
}

const known = new Map<Language, TextLanguage | undefined>()

/** The language of texts that readers of a language of content read; undefined where the service speaks none. */
export function spokenLanguageOf(language: Language): TextLanguage | undefined {
  if (known.has(language)) return known.get(language)
  const found =
    CATALOGUES.find(({ tag }) => tag === language) ??
    CATALOGUES.find(({ tag }) => writingOf(tag) === writingOf(language))
  known.set(language, found?.code)
  return found?.code
}

/** The language of descriptions and messages for a language of content (languages.md §2). */
export function textLanguageOf(language: Language): TextLanguage {
  return spokenLanguageOf(language) ?? DEFAULT_TEXT_LANGUAGE
}

/** The languages of content of a site, as its settings have them. */
export interface SiteLanguages {
  readonly languages: readonly Language[]
  readonly defaultLanguage: Language
}

/** The language of content for readers of a language of texts: one of the site’s, if it has one. */
export function contentLanguageOf({ languages, defaultLanguage }: SiteLanguages, textLanguage: TextLanguage): Language {
  const own = [defaultLanguage, ...languages].find((language) => spokenLanguageOf(language) === textLanguage)
  return own ?? TEXT_LANGUAGE_CODES[textLanguage]
}

/** The same at an address that names a language of texts; undefined at plain addresses, which stand for no language. */
export function addressLanguageOf(site: SiteLanguages, textLanguage: TextLanguage): Language | undefined {
  return textLanguage === DEFAULT_TEXT_LANGUAGE ? undefined : contentLanguageOf(site, textLanguage)
}

/** A path, taken apart into the language that it begins with and the rest. */
export interface LanguagePath {
  readonly textLanguage: TextLanguage
  /** What names the language, as it was sent; empty in plain addresses. */
  readonly prefix: string
  readonly path: string
}

/** Letter case of the language does not count. */
export function splitLanguagePath(path: string): LanguagePath {
  const folded = path.toLowerCase()
  const found = CATALOGUES.find(
    (catalogue) => catalogue.path !== '' && (folded === catalogue.path || folded.startsWith(`${catalogue.path}/`)),
  )
  const { code: textLanguage, path: start } = found ?? CATALOGUES[0]
  return { textLanguage, prefix: path.slice(0, start.length), path: path.slice(start.length) }
}

/** Words that a search in a language passes over. */
export function stopWordsOf(language: Language): ReadonlySet<string> {
  return catalogueOf(textLanguageOf(language)).stopWords
}

/** Whether a site has this language. Letter case counts (languages.md F2). */
export function isLanguageOf({ languages }: Pick<SiteLanguages, 'languages'>, value: unknown): value is Language {
  return languages.includes(value as Language)
}

/** The languages of the contract, then those that the settings add to them. */
export function knownLanguages({ languages }: Pick<SiteLanguages, 'languages'>): readonly Language[] {
  return [...new Set([...CONTRACT_LANGUAGES, ...languages])]
}
