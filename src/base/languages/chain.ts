import { knownLanguages, type Language, type SiteLanguages, writingOf } from './language.ts'

/** Chains by what they are made of: the settings have one list of languages. */
const knownChains = new WeakMap<readonly Language[], Map<Language, readonly Language[]>>()

/**
 * The languages that serve a reader of one, from the most to the least wanted (languages.md §3): the language itself, the
 * more general ones that it names (`es-MX`: `es`), and the others of the same language and script.
 *
 * @param languages Those to choose from beside the languages of the contract.
 */
export function languageChain(language: Language, languages: readonly Language[]): readonly Language[] {
  const chains = knownChains.get(languages) ?? new Map<Language, readonly Language[]>()
  knownChains.set(languages, chains)
  const known = chains.get(language)
  if (known) return known
  const related = knownLanguages({ languages }).filter((other) => writingOf(other) === writingOf(language))
  const general = related.filter((other) => language.startsWith(`${other}-`))
  const chain = [...new Set([language, ...general.toSorted((one, other) => other.length - one.length), ...related])]
  chains.set(language, chain)
  return chain
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
export function fullLanguageChain(
  language: Language,
  { languages, defaultLanguage }: SiteLanguages,
): LanguagePreference {
  const order = [...languageChain(language, languages), ...languageChain(defaultLanguage, languages)]
  return { order: [...new Set(order)], isStrict: false }
}

/** The settings that lists go by. */
export interface ListSettings extends SiteLanguages {
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
  settings: ListSettings,
  fallback: Fallback,
): LanguagePreference {
  const { languages, defaultLanguage, listsAllGroups } = settings
  const language = asked ?? defaultLanguage
  const isOfAll = fallback === 'any' || (asked === undefined && listsAllGroups)
  if (isOfAll) return fullLanguageChain(language, settings)
  return { order: fallback === 'none' ? [language] : languageChain(language, languages), isStrict: true }
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
