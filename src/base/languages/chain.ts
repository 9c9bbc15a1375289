import { LANGUAGES, type Language } from './language.ts'

/** The order in which versions of a record are tried within a language (languages.md §3). */
const chains: Readonly<Record<Language, readonly Language[]>> = {
  en: ['en', 'en-CA'],
  'en-CA': ['en-CA', 'en'],
  'fr-CA': ['fr-CA'],
}

/** The languages that serve a reader of one, from the most to the least wanted. */
export function languageChain(language: Language): readonly Language[] {
  return chains[language]
}

/** Which version of a group of translations is shown. */
export interface LanguagePreference {
  /** Languages from the most to the least wanted; after them the original, then the lowest id. */
  readonly order: readonly Language[]
  /** True where a group without a version in these languages is not shown at all. */
  readonly isStrict: boolean
}

/** What a list in a language shows of what nobody translated into it. */
export const FALLBACKS = ['none', 'language', 'any'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** The chain of a language, then that of the default language: some version is always found. */
export function fullLanguageChain(language: Language, defaultLanguage: Language): LanguagePreference {
  return { order: [...new Set([...chains[language], ...chains[defaultLanguage]])], isStrict: false }
}

/** The settings that lists go by. */
export interface ListSettings {
  readonly defaultLanguage: Language
  /** Whether lists for which no language is asked show what only other languages have. */
  readonly listsAllGroups: boolean
}

/**
 * The preference of a list (languages.md §4, §7 row 6).
 *
 * @param asked Value of the language parameter, if it was sent.
 */
export function listPreference(
  asked: Language | undefined,
  { defaultLanguage, listsAllGroups }: ListSettings,
  fallback: Fallback,
): LanguagePreference {
  const language = asked ?? defaultLanguage
  const isOfAll = fallback === 'any' || (asked === undefined && listsAllGroups)
  if (isOfAll) return fullLanguageChain(language, defaultLanguage)
  return { order: fallback === 'none' ? [language] : chains[language], isStrict: true }
}

/** Every preference that a list of events may be asked with. Stored by place: new ones are added at the end. */
const listPreferences: readonly LanguagePreference[] = distinct([
  ...LANGUAGES.flatMap((asked) => LANGUAGES.map((byDefault) => fullLanguageChain(asked, byDefault))),
  ...LANGUAGES.flatMap((asked) => [
    { order: [asked], isStrict: true },
    { order: chains[asked], isStrict: true },
  ]),
])

/**
 * To which lists a version is shown, one bit for each preference.
 *
 * @param versions Those of its group that may be shown, itself included.
 */
export function preferenceBits(version: TranslationVersion, versions: readonly TranslationVersion[]): number {
  return listPreferences.reduce(
    (bits, preference, place) => (chooseVersion(versions, preference)?.id === version.id ? bits | (1 << place) : bits),
    0,
  )
}

/** The bit of a preference in what `preferenceBits` gives. */
export function preferenceBit(preference: LanguagePreference): number {
  const place = listPreferences.findIndex((known) => keyOf(known) === keyOf(preference))
  if (place < 0) throw new Error(`No list of events is asked for with ${keyOf(preference)}.`)
  return 1 << place
}

function keyOf({ order, isStrict }: LanguagePreference): string {
  return `${order.join(',')} ${isStrict}`
}

function distinct(preferences: readonly LanguagePreference[]): readonly LanguagePreference[] {
  return [...new Map(preferences.map((preference) => [keyOf(preference), preference])).values()]
}

/** One version of something that is translated. `groupId` is the id of the group's original. */
export interface TranslationVersion {
  readonly id: number
  readonly language: Language
  readonly groupId: number
}

/** The version of a group that is shown, or undefined where none may be. */
export function chooseVersion<V extends TranslationVersion>(
  versions: readonly V[],
  preference: LanguagePreference,
): V | undefined {
  const rank = ({ language, id, groupId }: V): readonly number[] => {
    const place = preference.order.indexOf(language)
    return place >= 0 ? [place, 0, id] : [preference.order.length, id === groupId ? 0 : 1, id]
  }
  const candidates = preference.isStrict
    ? versions.filter(({ language }) => preference.order.includes(language))
    : versions
  if (candidates.length < 2) return candidates[0]
  return [...candidates].sort((a, b) => compare(rank(a), rank(b)))[0]
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
