import type { Actor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { type Addresses, languageWords } from '../../access/http/addresses.ts'
import type { Reading } from '../../access/http/argument.ts'
import type { LanguageAsked } from '../../access/http/route.ts'
import { fullLanguageChain, type LanguagePreference } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'

/** Who looks, and what language was asked for. */
export interface Viewer extends LanguageAsked {
  readonly actor: Actor
}

/** What every read works with: where it reads, and for whom. */
export interface ReadContext {
  readonly db: Db
  readonly dialect: Dialect
  readonly viewer: Viewer
}

/** Ids of the versions that the viewer may read, by language. */
export type TranslationIds = Readonly<Partial<Record<Language, number>>>

/** Something in a language; its versions are known only where a language was asked for. */
export interface InLanguage {
  readonly language: Language
  readonly translations?: TranslationIds | undefined
}

export function viewerOf(call: {
  readonly actor: Actor
  readonly language: Language | undefined
  readonly deps: { readonly config: { readonly defaultLanguage: Language } }
}): Viewer {
  return { actor: call.actor, language: call.language, defaultLanguage: call.deps.config.defaultLanguage }
}

/** The context of what a request reads. */
export function readContext(call: {
  readonly actor: Actor
  readonly language: Language | undefined
  readonly deps: Pick<Deps, 'config' | 'storage'>
}): ReadContext {
  const { db, dialect } = call.deps.storage
  return { db, dialect, viewer: viewerOf(call) }
}

/** Who sent the arguments that are read. */
export function viewerOfReading(reading: Reading): Viewer {
  return viewerOf({ ...reading, deps: reading })
}

/** Which version of a linked record is shown: in the language asked for, else in that of what links to it. */
export function linkPreference({ language, defaultLanguage }: Viewer, own: Language): LanguagePreference {
  return fullLanguageChain(language ?? own, defaultLanguage)
}

/** Which of several versions with one slug is meant. */
export function slugPreference({ language, defaultLanguage }: LanguageAsked): LanguagePreference {
  return fullLanguageChain(language ?? defaultLanguage, defaultLanguage)
}

/** Language and versions, at the end of an object: only where a language was asked for (languages.md §4). */
export function presentTranslations(addresses: Addresses, { language, translations }: InLanguage): object {
  if (translations === undefined) return {}
  const words = languageWords(addresses)
  return { [words.language]: language, [words.translations]: translations }
}

/** The distinct languages of what is shown, in order of first appearance; no header where nothing is. */
export function contentLanguage(shown: readonly InLanguage[]): Readonly<Record<string, string>> {
  const languages = [...new Set(shown.map(({ language }) => language))]
  return languages.length > 0 ? { 'Content-Language': languages.join(', ') } : {}
}
