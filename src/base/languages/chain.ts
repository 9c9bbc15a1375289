import { knownLanguages, type Language, type SiteLanguages, writingOf } from './language.ts'

const knownChains = new WeakMap<readonly Language[], Map<Language, readonly Language[]>>()

/**
 * Returns the languages for a reader of one language, in order of preference (languages.md §3): the language itself,
 * its more general forms (`es-MX`: `es`), and the others of the same language and script.
 *
 * @param languages Languages to choose from, in addition to those of the contract.
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

/** Decides which version of a group of translations is shown. */
export interface LanguagePreference {
  /** Languages in order of preference. After them come the original, then the lowest id. */
  readonly order: readonly Language[]
  /** True if a group without a version in these languages is hidden. */
  readonly isStrict: boolean
}

/** The possible fallbacks for records that are not translated into the language of a list. */
export const FALLBACKS = ['none', 'language', 'any'] as const
export type Fallback = (typeof FALLBACKS)[number]

/** Returns the chain of a language, followed by that of the default language. With it, some version is always found. */
export function fullLanguageChain(
  language: Language,
  { languages, defaultLanguage }: SiteLanguages,
): LanguagePreference {
  const order = [...languageChain(language, languages), ...languageChain(defaultLanguage, languages)]
  return { order: [...new Set(order)], isStrict: false }
}

export interface ListSettings extends SiteLanguages {
  /** Whether lists requested without a language include what exists in other languages only. */
  readonly listsAllGroups: boolean
}

/**
 * Returns the preference of a list (languages.md §4, §7 row 6).
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

/** One version of a translated record. `groupId` is the id of the original of its group. */
export interface Translation {
  readonly id: number
  readonly language: Language
  readonly groupId: number
}

/** Returns the version of a group to show, or undefined if none may be shown. */
export function chooseTranslation<V extends Translation>(
  versions: readonly V[],
  preference: LanguagePreference,
): V | undefined {
  const { order, isStrict } = preference
  let chosen: V | undefined
  let chosenRank = Number.POSITIVE_INFINITY
  for (const version of versions) {
    const { language, id, groupId } = version
    const place = order.indexOf(language)
    if (place < 0 && isStrict) continue
    const rank = place >= 0 ? place : order.length + (id === groupId ? 0 : 1)
    if (rank > chosenRank || (chosen && rank === chosenRank && id > chosen.id)) continue
    chosen = version
    chosenRank = rank
  }
  return chosen
}
