import { languageParameterNames } from '../../access/http/addresses.ts'
import type { Call } from '../../access/http/call.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import {
  addToTranslationGroup,
  leaveTranslationGroup,
  listTranslationsInGroups,
  type TranslatedTable,
} from './group.repository.ts'

/** A record or a term by its id, with a language: its own, or the language to translate it into. */
interface LanguageTranslation {
  readonly id: number
  readonly language: Language
}

/** The language of a new record, and the record that it translates. */
export interface NewTranslation {
  readonly language: Language
  /** Id of any version. Undefined: the record translates none. */
  readonly of: number | undefined
}

/**
 * Returns which record the new record of a call translates.
 *
 * @throws rest_missing_callback_param, if the call does not name the language of the translation
 */
export function translationOf(call: Pick<Call, 'language' | 'translationOf' | 'deps'>): NewTranslation {
  const of = call.translationOf === 0 ? undefined : call.translationOf
  if (of !== undefined && call.language === undefined) {
    fail('rest_missing_callback_param', { details: { params: [languageParameterNames(call.deps.config).language] } })
  }
  return { language: call.language ?? call.deps.config.defaultLanguage, of }
}

/**
 * Adds `member` to the translation group of `targetId`.
 *
 * @throws ml_translation_exists, if the group has a version in its language
 */
export async function joinTranslationGroup(
  tx: Tx,
  table: TranslatedTable,
  { member, targetId }: { readonly member: LanguageTranslation; readonly targetId: number },
): Promise<void> {
  const { id, language } = member
  const versions = await listTranslationsInGroups(tx, table, [targetId])
  if (versions.some((version) => version.id === id)) return
  assertLanguageFree(versions, language)
  const target = versions.find((version) => version.id === targetId)
  if (!target) throw new Error(`There is no ${targetId} in ${table}.`)
  await leaveTranslationGroup(tx, table, id)
  await addToTranslationGroup(tx, table, { id, target })
}

/**
 * Checks that the record with this id has no version in this language yet.
 *
 * @throws ml_translation_exists
 */
export async function assertTranslatable(
  tx: Tx,
  table: TranslatedTable,
  { id, language }: LanguageTranslation,
): Promise<void> {
  assertLanguageFree(await listTranslationsInGroups(tx, table, [id]), language)
}

function assertLanguageFree(versions: readonly LanguageTranslation[], language: Language): void {
  const taken = versions.find((version) => version.language === language)
  if (taken) fail('ml_translation_exists', { details: { id: taken.id } })
}
