import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { findEntry, listNamesakes } from '../../calendar/directory/directory.repository.ts'
import { changeEntry, createEntry } from '../../calendar/directory/directory.service.ts'
import type {
  Directory,
  DirectoryEntry,
  DirectoryKind,
  EntryPatch,
  Fields,
} from '../../calendar/directory/directory.ts'
import { updateRecord } from '../../calendar/records/record.repository.ts'
import { nextRecordSlug } from '../../calendar/records/record.slug.ts'
import { findImported, listSitesOf } from '../../calendar/sources/imported.repository.ts'
import { siteOfSource } from '../../calendar/sources/source.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { createApart, doFieldsAgree } from '../upsert/namesakes.ts'
import { findOriginal, type ImportContext, type ImportOutcome, modifiedAtOf, writeImported } from './record.writer.ts'
import type { SourceEntry } from './source.ts'

/** Writes a venue or an organizer. */
export async function writeEntry<F extends Fields>(
  write: ImportContext,
  directory: Directory<F>,
  entry: SourceEntry<F>,
): Promise<ImportOutcome> {
  const { tx, language } = write
  const { kind } = directory
  const of = (await findOriginal(write, kind, entry.source))?.id
  const { name, description, status, slug, fields, publishedAt, draftedAt } = entry
  const known = await findImported(tx, kind, entry.source)
  const namesakes = known ? [] : await namesakesOf(write, kind, entry)
  const modifiedAt = modifiedAtOf(entry)
  const draft: EntryPatch<F> = {
    ...{ name, description, status, fields, modifiedAt },
    date: draftedAt,
    dateUtc: publishedAt,
  }
  // The digest of this content is stored: its names and their order must never change.
  const content = {
    ...{ name, description, status, date: draftedAt, date_utc: publishedAt },
    fields: digestedFields(directory, fields),
    slug,
  }
  return writeImported(write, entry, {
    kind,
    known,
    // The original is part of the content, since it may be imported only later.
    content: of === undefined ? content : { ...content, of },
    mayChange: async (id) => (await findEntry(tx, directory, id))?.status !== 'trash',
    change: async ({ id }) => {
      await giveSlug(tx, await changeEntry(write, directory, { id, patch: draft, translationOf: of }), slug)
    },
    adopt: async () => (of === undefined ? findOurs(write, directory, { entry, namesakes }) : undefined),
    create: async () => {
      // Creating an entry with a known name would change the entry of that name, which is a different one. For this
      // reason the entry gets its own name only after it is created.
      const isNameKnown = namesakes.length > 0
      const added = { draft, firstName: `${name} (${entry.source})`, language, of }
      const named = isNameKnown
        ? await createApart(write, directory, added)
        : await createEntry(write, directory, added)
      await giveSlug(tx, named, slug || name)
      return named.id
    },
  })
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

/** Returns the existing records of this name, regardless of their other fields. */
async function namesakesOf<F extends Fields>(
  { tx, language }: ImportContext,
  kind: DirectoryKind,
  { name, description }: SourceEntry<F>,
) {
  return listNamesakes(tx, kind, { title: sanitizeTitle(name), content: sanitizeArticle(description), language })
}

/**
 * Returns the id of the existing record that is the same: it has the same name, was not imported from the same site,
 * and none of its fields contradicts.
 */
async function findOurs<F extends Fields>(
  { tx }: ImportContext,
  directory: Directory<F>,
  { entry, namesakes }: { readonly entry: SourceEntry<F>; readonly namesakes: readonly { readonly id: number }[] },
): Promise<number | undefined> {
  for (const { id } of namesakes) {
    const ours = await findEntry(tx, directory, id)
    if (!ours || !doFieldsAgree(ours.fields, entry.fields)) continue
    const sites = await listSitesOf(tx, directory.kind, id)
    if (!sites.has(siteOfSource(entry.source))) return id
  }
  return undefined
}
