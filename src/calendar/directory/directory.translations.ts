import type { Actor } from '../../access/auth/actor.ts'
import { assertAllowed, mayEdit } from '../../access/auth/policy.ts'
import type { Config } from '../../base/config/config.ts'
import type { Language } from '../../base/languages/language.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { updateRecord } from '../records/record.repository.ts'
import { leaveGroup } from '../translations/group.repository.ts'
import { assertTranslatable, joinTranslations } from '../translations/group.service.ts'
import { entryOrBug, listEntryVersions } from './directory.repository.ts'
import { searchText } from './directory.search.ts'
import type { Directory, Entry, EntryInput, Fields } from './directory.ts'

/**
 * The entry that is to be translated into this language, for somebody who may change it.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function findTranslated<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  actor: Actor,
  id: number,
  language: Language,
): Promise<Entry<F>> {
  const entry = await entryOrBug(tx, directory, id)
  assertAllowed(actor, mayEdit(actor, entry))
  await assertTranslatable(tx, 'records', id, language)
  return entry
}

/**
 * Gives the other translations what was sent of the fields that all of them share (languages.md §3).
 *
 * @throws rest_forbidden, where the caller may not change one of them
 */
export async function shareFields<F extends Fields>(
  tx: Tx,
  config: Config,
  directory: Directory<F>,
  actor: Actor,
  entry: Entry<F>,
  sent: EntryInput<F>,
): Promise<void> {
  const names = directory.sharedFields.filter((name) => sent.fields[name] !== undefined)
  if (!config.isSharing || (names.length === 0 && sent.image === undefined)) return
  for (const other of await listEntryVersions(tx, directory, [entry.id])) {
    if (other.id === entry.id) continue
    assertAllowed(actor, mayEdit(actor, other))
    await giveFields(tx, directory, entry, other, names)
    const image = sent.image === undefined ? {} : { image_id: sent.image }
    await updateRecord(tx, other.id, { ...image, modified_at: entry.modifiedAt })
  }
}

/**
 * Makes an entry a translation of another, from which it takes what translations share; 0 makes it stand alone.
 *
 * @throws rest_forbidden, ml_translation_exists
 */
export async function regroup<F extends Fields>(
  tx: Tx,
  config: Config,
  directory: Directory<F>,
  actor: Actor,
  entry: Entry<F>,
  targetId: number,
): Promise<void> {
  if (targetId === 0) return leaveGroup(tx, 'records', entry.id)
  const target = await entryOrBug(tx, directory, targetId)
  assertAllowed(actor, mayEdit(actor, target))
  await joinTranslations(tx, 'records', entry, target.id)
  if (!config.isSharing) return
  await giveFields(tx, directory, target, entry, directory.sharedFields)
  await updateRecord(tx, entry.id, { image_id: target.imageId ?? null })
}

async function giveFields<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  from: Entry<F>,
  to: Entry<F>,
  names: readonly (keyof F & string)[],
): Promise<void> {
  const shared = Object.fromEntries(names.map((name) => [name, from.fields[name]]))
  const fields = { ...to.fields, ...shared }
  await directory.store.update(tx, to.id, fields)
  await updateRecord(tx, to.id, { search_text: searchText(directory, to.title, to.content, fields) })
}
