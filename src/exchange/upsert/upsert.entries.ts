import { mayEdit } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { fold } from '../../base/text/fold.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { isoUtc } from '../../base/time/wire.ts'
import { directoryWriteArguments } from '../../calendar/directory/directory.arguments.ts'
import { findEntry, findEntryOrThrow, listNamesakes } from '../../calendar/directory/directory.repository.ts'
import { answerEntry, patchOf } from '../../calendar/directory/directory.routes.ts'
import { changeEntry, createEntry, restoreEntry, trashEntry } from '../../calendar/directory/directory.service.ts'
import { entryStanding, entryStandingFields } from '../../calendar/directory/directory.standing.ts'
import type { Directory, DirectoryEntry, EntryPatch, Fields } from '../../calendar/directory/directory.ts'
import { assertMayRecall } from '../../calendar/records/recall.ts'
import type { WriteContext } from '../../calendar/records/write.context.ts'
import { sourceUrlArgument } from '../../calendar/sources/source.arguments.ts'
import { listSitesOf } from '../../calendar/sources/source.repository.ts'
import { siteOfSource } from '../../calendar/sources/source.ts'
import type { SentKind } from './upsert.kind.ts'

/** What a source sends of a venue or an organizer. */
export function sentEntryArguments<F extends Fields>(directory: Directory<F>) {
  return { ...directoryWriteArguments(directory, { isNameRequired: true }), source_url: sourceUrlArgument } as const
}

/** How requests write venues or organizers. */
export function sentEntries<F extends Fields>(directory: Directory<F>): SentKind {
  const { kind } = directory
  return {
    kind,
    create: async (write, { language }, items) => {
      const records: DirectoryEntry<F>[] = []
      for (const { key, values } of items) {
        const draft = patchOf(directory, values)
        const [namesake] = (await namesakesOf(write, directory, { draft, language })).filter((one) =>
          mayEdit(write.actor, one),
        )
        // It gets the sent values, as with any creation (venues-organizers.md §4.3).
        const isSame = !namesake || (await isSameEntry(write, directory, { id: namesake.id, key, draft }))
        const apartBy = isSame ? undefined : key
        records.push(await createEntry(write, directory, { draft, language, of: undefined, apartBy }))
      }
      return records
    },
    change: async (write, { id }, values) =>
      void (await changeEntry(write, directory, { id, patch: patchOf(directory, values) })),
    find: (db, id) => findEntryOrThrow(db, directory, id),
    restore: async (write, id) => void (await restoreEntry(write, directory, id)),
    trash: async (write, id) => void (await trashEntry(write, directory, id)),
    edits: {
      fields: entryStandingFields(directory),
      list: async (db, ids) => {
        const found = new Map()
        for (const id of ids) found.set(id, await entryStanding(db, directory, id))
        return found
      },
    },
    parts: async (db, id) => {
      const { title: name, content: description, fields, ...entry } = await findEntryOrThrow(db, directory, id)
      const { authorId, status, isDated, datedAt, imageId = null } = entry
      const values = new Map(Object.entries(fields))
      const own = Object.entries(entryStandingFields(directory)).map(([field, { args }]) => {
        const properties = Object.entries(directory.fields).filter(([, one]) => args.includes(one.name))
        return [field, { fields: Object.fromEntries(properties.map(([property]) => [property, values.get(property)])) }]
      })
      return {
        ...Object.fromEntries(own),
        ...{ [kind]: { name }, description: { description }, author: { authorId }, status: { status } },
        ...{ image: { imageId }, ...(isDated && { date: { dateUtc: isoUtc(datedAt) } }) },
      }
    },
    putBack: async (write, id, parts) => {
      const fields = Object.assign({}, ...parts.map((part) => (part as EntryPatch<F>).fields))
      await changeEntry(write, directory, { id, patch: { ...Object.assign({}, ...parts), fields } })
    },
    answer: async ({ deps, actor, addresses }, id, status) => {
      const entry = assertMayRecall(actor, await findEntryOrThrow(deps.storage.db, directory, id))
      return answerEntry({ deps, actor, addresses, language: undefined }, directory, { entry, status })
    },
  }
}

/** Returns the existing records of this name, regardless of their other fields. */
export function namesakesOf<F extends Fields>(
  { tx }: WriteContext,
  { kind }: Directory<F>,
  { draft, language }: { readonly draft: EntryPatch<F>; readonly language: Language },
) {
  const title = sanitizeTitle(draft.name ?? '')
  const content = sanitizeArticle(draft.description ?? '')
  return title === '' ? [] : listNamesakes(tx, kind, { title, content, language })
}

/** Whether a namesake is the same: none of its fields contradicts, and the same site has not named it already. */
export async function isSameEntry<F extends Fields>(
  { tx }: WriteContext,
  directory: Directory<F>,
  { id, key, draft }: { readonly id: number; readonly key: string; readonly draft: EntryPatch<F> },
): Promise<boolean> {
  const ours = await findEntry(tx, directory, id)
  if (!doFieldsAgree(ours?.fields ?? {}, draft.fields)) return false
  return !(await listSitesOf(tx, directory.kind, id)).has(siteOfSource(key))
}

/** Returns whether all texts that both have are equal, ignoring case and accents. Many cities have a “City Hall”. */
function doFieldsAgree<F extends Fields>(ours: object, sent: Partial<F>): boolean {
  const known = ours as Readonly<Record<string, unknown>>
  return Object.entries(sent).every(([name, value]) => {
    const other = known[name]
    if (typeof value !== 'string' || typeof other !== 'string' || value === '' || other === '') return true
    return fold(value) === fold(other)
  })
}
