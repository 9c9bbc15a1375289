import { assertAllowed, mayEdit } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { updateRecord } from '../records/record.repository.ts'
import type { WriteContext } from '../records/write.context.ts'
import { leaveTranslationGroup } from '../translations/group.repository.ts'
import { assertTranslatable, joinTranslationGroup } from '../translations/group.service.ts'
import { findEntryOrThrow, listEntryTranslations } from './directory.repository.ts'
import type { Directory, DirectoryEntry, EntryPatch, Fields } from './directory.ts'

/**
 * Returns the entry to translate into this language, if the actor may change it.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function findTranslatableEntry<F extends Fields>(
  { tx, actor }: WriteContext,
  directory: Directory<F>,
  { id, language }: { readonly id: number; readonly language: Language },
): Promise<DirectoryEntry<F>> {
  const entry = await findEntryOrThrow(tx, directory, id)
  assertAllowed(actor, mayEdit(actor, entry))
  await assertTranslatable(tx, 'records', { id, language })
  return entry
}

/**
 * Copies the sent values of shared fields to the other translations (languages.md §3).
 *
 * @throws rest_forbidden, if the caller may not change one of them
 */
export async function propagateSharedFields<F extends Fields>(
  { tx, config, actor }: WriteContext,
  directory: Directory<F>,
  { entry, sent }: { readonly entry: DirectoryEntry<F>; readonly sent: Pick<EntryPatch<F>, 'imageId' | 'fields'> },
): Promise<void> {
  const names = directory.sharedFields.filter((name) => sent.fields[name] !== undefined)
  if (!config.sharesFields || (names.length === 0 && sent.imageId === undefined)) return
  for (const other of await listEntryTranslations(tx, directory, [entry.id])) {
    if (other.id === entry.id) continue
    assertAllowed(actor, mayEdit(actor, other))
    await copySharedFields(tx, directory, { from: entry, to: other, names })
    const image = sent.imageId === undefined ? {} : { image_id: sent.imageId }
    await updateRecord(tx, other.id, { ...image, modified_at: entry.modifiedAt })
  }
}

/**
 * Makes an entry a translation of another and copies the shared values from it. 0 removes the entry from its group.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function changeEntryTranslationGroup<F extends Fields>(
  { tx, config, actor }: WriteContext,
  directory: Directory<F>,
  { entry, targetId }: { readonly entry: DirectoryEntry<F>; readonly targetId: number },
): Promise<void> {
  if (targetId === 0) return leaveTranslationGroup(tx, 'records', entry.id)
  const target = await findEntryOrThrow(tx, directory, targetId)
  assertAllowed(actor, mayEdit(actor, target))
  await joinTranslationGroup(tx, 'records', { member: entry, targetId: target.id })
  if (!config.sharesFields) return
  await copySharedFields(tx, directory, { from: target, to: entry, names: directory.sharedFields })
  await updateRecord(tx, entry.id, { image_id: target.imageId ?? null })
}

/** The fields that one version copies from another. */
interface FieldCopy<F extends Fields> {
  readonly from: DirectoryEntry<F>
  readonly to: DirectoryEntry<F>
  readonly names: readonly (keyof F & string)[]
}

async function copySharedFields<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  { from, to, names }: FieldCopy<F>,
): Promise<void> {
  const shared = Object.fromEntries(names.map((name) => [name, from.fields[name]]))
  const fields = { ...to.fields, ...shared }
  await directory.store.update(tx, to.id, fields)
  await updateRecord(tx, to.id, { search_text: searchText(directory, { ...to, fields }) })
}

/** The parts of an entry that a search covers. */
interface SearchedEntry<F extends Fields> {
  readonly title: string
  readonly content: string
  readonly fields: F
}

/** Returns the folded text that a search covers: name, description and the texts of the kind (rulings.md 16). */
export function searchText<F extends Fields>(
  directory: Directory<F>,
  { title, content, fields }: SearchedEntry<F>,
): string {
  const own = directory.searchedFields.map((name) => String(fields[name]))
  return [title, content, ...own].map(fold).join('\n')
}
