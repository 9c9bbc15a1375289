import { languageWords } from '../../access/http/addresses.ts'
import type { Call } from '../../access/http/route.ts'
import type { Language } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { addToTranslationGroup, leaveTranslationGroup, listVersions, type TranslatedTable } from './group.repository.ts'

/** A record or a term by its id, and a language: that which it is in, or is to be translated into. */
interface LanguageVersion {
  readonly id: number
  readonly language: Language
}

/** What a new record is a translation of. */
export interface Translation {
  readonly language: Language
  /** Id of any version; undefined: the record stands alone. */
  readonly of: number | undefined
}

/**
 * What the record that a call creates is to be a translation of.
 *
 * @throws rest_missing_callback_param, where it does not say into which language it is one
 */
export function translationOf(call: Pick<Call, 'language' | 'translationOf' | 'deps'>): Translation {
  const of = call.translationOf === 0 ? undefined : call.translationOf
  if (of !== undefined && call.language === undefined) {
    fail('rest_missing_callback_param', { details: { params: [languageWords(call.deps.config).language] } })
  }
  return { language: call.language ?? call.deps.config.defaultLanguage, of }
}

/**
 * Makes `member` a version of what `targetId` is one of.
 *
 * @throws ml_translation_exists, where its language has a version there
 */
export async function joinTranslationGroup(
  tx: Tx,
  table: TranslatedTable,
  { member, targetId }: { readonly member: LanguageVersion; readonly targetId: number },
): Promise<void> {
  const { id, language } = member
  const versions = await listVersions(tx, table, [targetId])
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
  { id, language }: LanguageVersion,
): Promise<void> {
  assertLanguageFree(await listVersions(tx, table, [id]), language)
}

function assertLanguageFree(versions: readonly LanguageVersion[], language: Language): void {
  const taken = versions.find((version) => version.language === language)
  if (taken) fail('ml_translation_exists', { details: { id: taken.id } })
}
