import { slugFrom } from '../../base/text/slug.ts'
import { findEntryOrThrow } from '../../calendar/directory/directory.repository.ts'
import { changeEntry, createEntry, trashEntry } from '../../calendar/directory/directory.service.ts'
import type {
  Directory,
  DirectoryEntry,
  DirectoryKind,
  EntryPatch,
  Fields,
} from '../../calendar/directory/directory.ts'
import { updateRecord } from '../../calendar/records/record.repository.ts'
import { nextRecordSlug } from '../../calendar/records/record.slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { isSameEntry, namesakesOf } from '../upsert/upsert.entries.ts'
import type { UpsertKind } from '../upsert/upsert.kind.ts'
import { type UpsertResult, upsertItems } from '../upsert/upsert.service.ts'
import {
  contentDigest,
  findOriginal,
  type ImportContext,
  inOwnLanguage,
  keepModified,
  keptId,
  modifiedAtOf,
  movedContent,
  movedFields,
} from './record.writer.ts'
import type { SourceEntry } from './source.ts'

/** Writes a venue or an organizer. */
export async function writeEntry<F extends Fields>(
  context: ImportContext,
  directory: Directory<F>,
  entry: SourceEntry<F>,
): Promise<readonly UpsertResult[]> {
  const write = inOwnLanguage(context, directory.kind, entry.source)
  const { tx, language } = write
  const { name, description, status, slug, fields, date, dateUtc, source } = entry
  const of = (await findOriginal(write, directory.kind, source))?.id
  const isTrashed = status === 'trash'
  const draft: EntryPatch<F> = {
    ...{ name, description, status: isTrashed ? 'draft' : status, fields, date, dateUtc },
    ...{ modifiedAt: modifiedAtOf(entry), ...movedFields(write, entry.moved) },
  }
  // The digest of this content is stored: its names and their order must never change.
  const content = {
    name,
    description,
    status,
    date,
    date_utc: dateUtc,
    fields: digestedFields(directory, fields),
    slug,
    ...movedContent(entry.moved),
  }
  const kind: UpsertKind<EntryPatch<F>> = {
    kind: directory.kind,
    find: (db, id) => findEntryOrThrow(db, directory, id),
    change: async (_write, { id }) =>
      giveSlug(tx, await changeEntry(write, directory, { id, patch: draft, translationOf: of }), slug),
    create: async () => {
      const namesakes = await namesakesOf(write, directory, { draft, language })
      for (const { id } of of === undefined ? namesakes : []) {
        if (await isSameEntry(write, directory, { id, key: source, draft })) return [{ id, isAdopted: true }]
      }
      // Otherwise, it would change the entry of the same name, which is a different one.
      const apartBy = namesakes.length > 0 ? source : undefined
      const created = await createEntry(write, directory, {
        draft,
        language,
        of,
        apartBy,
        keptId: keptId(write, source),
      })
      await giveSlug(tx, created, slug || name)
      if (isTrashed) {
        await trashEntry(write, directory, created.id)
        await keepModified(tx, created.id, entry)
      }
      return [created]
    },
  }
  // The original is part of the content, since it may be imported only later.
  const digest = contentDigest(of === undefined ? content : { ...content, of })
  return upsertItems(write, { kind, language }, [{ key: source, digest, values: draft }])
}

/** The fields that digests have contained since the first version, in this order. */
const firstDigestedFields: Readonly<Record<DirectoryKind, readonly string[]>> = {
  venue: [
    ...['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'],
    ...['show_map', 'show_map_link', 'geo_lat', 'geo_lng'],
  ],
  organizer: ['phone', 'website', 'email'],
}

/**
 * Returns the fields of an entry for its digest, by their names in the interface. Fields added later come after the
 * first ones, and only if they have a value: the digest of a recording without them stays the same.
 */
function digestedFields<F extends Fields>({ kind, fields: table }: Directory<F>, fields: F): object {
  const values = new Map(
    Object.entries(table).map(([property, field]) => [field.name, { ...field, value: fields[property as keyof F] }]),
  )
  const first = firstDigestedFields[kind]
  const added = [...values.values()].filter(({ name, value, blank }) => !first.includes(name) && value !== blank)
  return Object.fromEntries([...first, ...added.map(({ name }) => name)].map((name) => [name, values.get(name)?.value]))
}

async function giveSlug<F extends Fields>(tx: Tx, entry: DirectoryEntry<F>, sent: string): Promise<void> {
  const slug = slugFrom(sent)
  if (slug === '' || slug === entry.slug) return
  await updateRecord(tx, entry.id, { slug: await nextRecordSlug(tx, entry, { status: entry.status, wanted: slug }) })
}
