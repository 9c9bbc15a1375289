import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { type Addresses, languageParameterNames } from '../../access/http/addresses.ts'
import type { ArgumentContext } from '../../access/http/arguments/argument.ts'
import type { LanguageAsked } from '../../access/http/route.ts'
import { fullLanguageChain, type LanguagePreference } from '../../base/languages/chain.ts'
import type { Language, SiteLanguages } from '../../base/languages/language.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** The actor who reads, and the requested language. */
export interface Viewer extends LanguageAsked {
  readonly actor: Actor
}

/** The context of every read: the database, and the viewer. */
export interface ReadContext {
  readonly db: Db
  readonly dialect: Dialect
  readonly viewer: Viewer
}

/** Ids of the versions that the viewer may read, by language. */
export type TranslationIds = Readonly<Record<Language, number>>

/** An item in a language. Its versions are known only if the request names a language. */
export interface InLanguage {
  readonly language: Language
  readonly translations?: TranslationIds | undefined
}

export function viewerOf(call: {
  readonly actor: Actor
  readonly language: Language | undefined
  readonly deps: { readonly config: SiteLanguages }
}): Viewer {
  const { languages, defaultLanguage } = call.deps.config
  return { actor: call.actor, language: call.language, languages, defaultLanguage }
}

export function readContext(call: {
  readonly actor: Actor
  readonly language: Language | undefined
  readonly deps: Pick<Deps, 'config' | 'storage'>
}): ReadContext {
  const { db, dialect } = call.deps.storage
  return { db, dialect, viewer: viewerOf(call) }
}

export function viewerOfReading(reading: ArgumentContext): Viewer {
  return viewerOf({ ...reading, deps: reading })
}

/**
 * Returns a function that tells which version of a linked record is shown: in the requested language, or else in that
 * of the linking record. It computes the preference of each language once.
 */
export function linkPreferences(viewer: Viewer): (own: Language) => LanguagePreference {
  const known = new Map<Language, LanguagePreference>()
  return (own) => {
    const language = viewer.language ?? own
    const preference = known.get(language) ?? fullLanguageChain(language, viewer)
    known.set(language, preference)
    return preference
  }
}

/** Returns which of several versions with one slug takes precedence. */
export function slugPreference(asked: LanguageAsked): LanguagePreference {
  return fullLanguageChain(asked.language ?? asked.defaultLanguage, asked)
}

/**
 * Returns the language and versions for the end of an object, only if the request names a language (languages.md §4).
 */
export function presentTranslations(addresses: Addresses, { language, translations }: InLanguage): object {
  if (translations === undefined) return {}
  const words = languageParameterNames(addresses)
  return { [words.language]: language, [words.translations]: translations }
}

/**
 * Returns the header with the distinct languages of the shown items, in order of first appearance. No header if nothing
 * is shown.
 */
export function contentLanguage(shown: readonly InLanguage[]): Readonly<Record<string, string>> {
  const languages = [...new Set(shown.map(({ language }) => language))]
  return languages.length > 0 ? { 'Content-Language': languages.join(', ') } : {}
}
