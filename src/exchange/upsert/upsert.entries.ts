import { mayEdit } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { directoryWriteArguments } from '../../calendar/directory/directory.arguments.ts'
import { findEntry, findEntryOrThrow, listNamesakes } from '../../calendar/directory/directory.repository.ts'
import { answerEntry, patchOf } from '../../calendar/directory/directory.routes.ts'
import { changeEntry, createEntry, restoreEntry, trashEntry } from '../../calendar/directory/directory.service.ts'
import { entryStanding, entryStandingFields } from '../../calendar/directory/directory.standing.ts'
import type { Directory, EntryPatch, Fields } from '../../calendar/directory/directory.ts'
import { assertMayRecall } from '../../calendar/records/recall.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { listSitesOf } from '../../calendar/sources/imported.repository.ts'
import { sourceUrlArgument } from '../../calendar/sources/source.arguments.ts'
import { createApart, doFieldsAgree } from './namesakes.ts'
import type { UpsertKind } from './upsert.kind.ts'

/** What a source sends of a venue or an organizer. */
export function sentEntryArguments<F extends Fields>(directory: Directory<F>) {
  return { ...directoryWriteArguments(directory, { isNameRequired: true }), source_url: sourceUrlArgument } as const
}

export function upsertedEntries<F extends Fields>(directory: Directory<F>): UpsertKind {
  const { kind } = directory
  return {
    kind,
    fields: entryStandingFields(directory),
    create: async (write, source, items) => {
      const ids: number[] = []
      for (const { externalId, values } of items) {
        const draft = patchOf(directory, values)
        ids.push(await createOne(write, directory, { draft, externalId, ...source }))
      }
      return ids
    },
    change: async (write, id, values) =>
      void (await changeEntry(write, directory, { id, patch: patchOf(directory, values) })),
    trash: async (write, id) => void (await trashEntry(write, directory, id)),
    restore: async (write, id) => void (await restoreEntry(write, directory, id)),
    find: async (db, id) => ({ status: (await findEntryOrThrow(db, directory, id)).status, isCanceled: false }),
    standings: async (db, _dialect, ids) => {
      const found = new Map()
      for (const id of ids) found.set(id, await entryStanding(db, directory, id))
      return found
    },
    answer: async ({ deps, actor, addresses }, id, status) => {
      const entry = assertMayRecall(actor, await findEntryOrThrow(deps.storage.db, directory, id))
      return answerEntry({ deps, actor, addresses, language: undefined }, directory, { entry, status })
    },
  }
}

interface NewEntry<F extends Fields> {
  readonly draft: EntryPatch<F>
  readonly name: string
  readonly externalId: string
  readonly language: Language
}

/**
 * Creates an entry. If there is one of the same name that the caller may edit, it gets the sent values, as with any
 * creation (venues-organizers.md §4.3), unless it has another address or the source has named it already.
 */
async function createOne<F extends Fields>(
  write: WriteContext,
  directory: Directory<F>,
  { draft, name, externalId, language }: NewEntry<F>,
): Promise<number> {
  const { tx, actor } = write
  const title = sanitizeTitle(draft.name ?? '')
  const content = sanitizeArticle(draft.description ?? '')
  const known = title === '' ? [] : await listNamesakes(tx, directory.kind, { title, content, language })
  const namesake = known.find((one) => mayEdit(actor, one))
  const isSame =
    !namesake ||
    (doFieldsAgree((await findEntry(tx, directory, namesake.id))?.fields ?? {}, draft.fields) &&
      !(await listSitesOf(tx, directory.kind, namesake.id)).has(name))
  const own = { draft, language, of: undefined }
  return isSame
    ? (await createEntry(write, directory, own)).id
    : (await createApart(write, directory, { ...own, firstName: `${draft.name} (${name} ${externalId})` })).id
}
