import { fold } from '../../base/text/fold.ts'
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
import type { Tx } from '../../storage/database/tables.ts'
import { findImported, listSitesOf } from './import.repository.ts'
import { findOriginal, type ImportContext, type ImportOutcome, modifiedAtOf, writeImported } from './record.writer.ts'
import { type SourceEntry, sourceSite } from './source.ts'

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
  // What comes of this is kept: it has the names, and their order, that it has had from the beginning.
  const content = {
    ...{ name, description, status, date: draftedAt, date_utc: publishedAt },
    fields: digestedFields(directory, fields),
    slug,
  }
  return writeImported(write, entry, {
    kind,
    known,
    // What it translates counts as well: the original may be imported only later.
    content: of === undefined ? content : { ...content, of },
    mayChange: async (id) => (await findEntry(tx, directory, id))?.status !== 'trash',
    change: async ({ id }) => {
      await giveSlug(tx, await changeEntry(write, directory, { id, patch: draft, translationOf: of }), slug)
    },
    adopt: async () => (of === undefined ? findOurs(write, directory, { entry, namesakes }) : undefined),
    create: async () => {
      // Creating under a name that is known would change the namesake, and this one was found to be another: it gets
      // its own name only once it is there.
      const isNameKnown = namesakes.length > 0
      const firstName = isNameKnown ? `${name} (${entry.source})` : name
      const created = await createEntry(write, directory, { draft: { ...draft, name: firstName }, language, of })
      const named = isNameKnown
        ? await changeEntry(write, directory, { id: created.id, patch: { name, fields: {}, modifiedAt } })
        : created
      await giveSlug(tx, named, slug || name)
      return named.id
    },
  })
}

/** The fields by which a digest has known an entry since imports are remembered, in this order. */
const firstDigestedFields: Readonly<Record<DirectoryKind, readonly string[]>> = {
  venue: [
    ...['address', 'city', 'country', 'province', 'state', 'stateprovince', 'zip', 'phone', 'website'],
    ...['show_map', 'show_map_link', 'geo_lat', 'geo_lng'],
  ],
  organizer: ['phone', 'website', 'email'],
}

/**
 * The fields of an entry as its digest has them, by their names on the wire. Fields that were added since stand behind
 * the first, and only where they say something: a recording without them is the same as before.
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

/** Our records of this name, whatever else they say. */
async function namesakesOf<F extends Fields>(
  { tx, language }: ImportContext,
  kind: DirectoryKind,
  { name, description }: SourceEntry<F>,
) {
  return listNamesakes(tx, kind, { title: sanitizeTitle(name), content: sanitizeArticle(description), language })
}

/** The id of our record that this one is: of the same name, from elsewhere, and nothing in it says otherwise. */
async function findOurs<F extends Fields>(
  { tx }: ImportContext,
  directory: Directory<F>,
  { entry, namesakes }: { readonly entry: SourceEntry<F>; readonly namesakes: readonly { readonly id: number }[] },
): Promise<number | undefined> {
  for (const { id } of namesakes) {
    const ours = await findEntry(tx, directory, id)
    if (!ours || !agree(ours.fields, entry.fields)) continue
    const sites = await listSitesOf(tx, directory.kind, id)
    if (!sites.has(sourceSite(entry.source))) return id
  }
  return undefined
}

/** Whether all texts that both have are the same, letter case and accents aside: “City Hall” is in many a city. */
function agree<F extends Fields>(ours: F, sent: Partial<F>): boolean {
  const known = ours as Readonly<Record<string, unknown>>
  return Object.entries(sent).every(([name, value]) => {
    const other = known[name]
    if (typeof value !== 'string' || typeof other !== 'string' || value === '' || other === '') return true
    return fold(value) === fold(other)
  })
}
