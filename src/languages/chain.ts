import type { Language } from './language.ts'

/** The order in which versions of a record are tried within a language (languages.md §3). */
const chains: Readonly<Record<Language, readonly Language[]>> = {
  en: ['en', 'en-CA'],
  'en-CA': ['en-CA', 'en'],
  'fr-CA': ['fr-CA'],
}

/** Which version of a group of translations is shown. */
export interface Preference {
  /** Languages from the most to the least wanted; after them the original, then the lowest id. */
  readonly order: readonly Language[]
  /** True where a group without a version in these languages is not shown at all. */
  readonly isStrict: boolean
}

/** What a list of events shows where nobody translated an event into the language asked for. */
export const FALLBACKS = ['none', 'language', 'any'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** The chain of a language, then that of the default language: some version is always found. */
export function fullChain(language: Language, defaultLanguage: Language): Preference {
  return { order: [...new Set([...chains[language], ...chains[defaultLanguage]])], isStrict: false }
}

/**
 * The preference of a list (languages.md §4).
 *
 * @param asked Value of the language parameter, if it was sent.
 */
export function listPreference(asked: Language | undefined, defaultLanguage: Language, fallback: Fallback): Preference {
  if (asked === undefined || fallback === 'any') return fullChain(asked ?? defaultLanguage, defaultLanguage)
  return { order: fallback === 'none' ? [asked] : chains[asked], isStrict: true }
}

/** One version of something that is translated. `groupId` is the id of the group's original. */
export interface Version {
  readonly id: number
  readonly language: Language
  readonly groupId: number
}

/** The version of a group that is shown, or undefined where none may be. */
export function chooseVersion<V extends Version>(versions: readonly V[], preference: Preference): V | undefined {
  const rank = ({ language, id, groupId }: V): readonly number[] => {
    const place = preference.order.indexOf(language)
    return place >= 0 ? [place, 0, id] : [preference.order.length, id === groupId ? 0 : 1, id]
  }
  const candidates = preference.isStrict
    ? versions.filter(({ language }) => preference.order.includes(language))
    : versions
  return [...candidates].sort((a, b) => compare(rank(a), rank(b)))[0]
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index])
  return at < 0 ? 0 : (a[at] ?? 0) - (b[at] ?? 0)
}
