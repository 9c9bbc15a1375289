import { fold } from '../../base/text/fold.ts'
import { sanitizeArticle, sanitizeTitle } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { findEntry, listNamesakes } from '../../calendar/directory/directory.repository.ts'
import { changeEntry, createEntry } from '../../calendar/directory/directory.service.ts'
import type { Directory, DirectoryEntry, DirectoryEntryInput, Fields } from '../../calendar/directory/directory.ts'
import { updateRecord } from '../../calendar/records/record.repository.ts'
import { nextRecordSlug } from '../../calendar/records/record.slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findImported, listSitesOf } from './import.repository.ts'
import { findOriginal, type ImportContext, type ImportOutcome, modifiedAtOf, writeImported } from './record.writer.ts'
import { type SourceEntry, sourceSite } from './source.ts'

/** Writes a venue or an organizer. */
export async function writeEntry<F extends Fields>(
  tx: Tx,
  importContext: ImportContext,
  directory: Directory<F>,
  entry: SourceEntry<F>,
): Promise<ImportOutcome> {
  const { context, actor, language } = importContext
  const { kind } = directory
  const of = (await findOriginal(tx, importContext, kind, entry.source))?.id
  const { name, description, status, slug, fields, publishedAt, draftedAt } = entry
  const known = await findImported(tx, kind, entry.source)
  const namesakes = known ? [] : await namesakesOf(tx, importContext, directory, entry)
  const input: DirectoryEntryInput<F> = { name, description, status, date: draftedAt, date_utc: publishedAt, fields }
  const sent = { ...input, modifiedAt: modifiedAtOf(entry) }
  return writeImported(tx, importContext, entry, {
    kind,
    known,
    // What it translates counts as well: the original may be imported only later.
    content: of === undefined ? { ...input, slug } : { ...input, slug, of },
    mayChange: async (id) => (await findEntry(tx, directory, id))?.status !== 'trash',
    change: async ({ id }) => {
      await giveSlug(tx, await changeEntry(tx, context, directory, actor, id, sent, of), slug)
    },
    adopt: async () => (of === undefined ? findOurs(tx, directory, entry, namesakes) : undefined),
    create: async () => {
      // Creating under a name that is known would change the namesake, and this one was found to be another: it gets
      // its own name only once it is there.
      const isNameKnown = namesakes.length > 0
      const firstName = isNameKnown ? `${name} (${entry.source})` : name
      const created = await createEntry(tx, context, directory, actor, { ...sent, name: firstName }, { language, of })
      const named = isNameKnown
        ? await changeEntry(tx, context, directory, actor, created.id, {
            name,
            fields: {},
            modifiedAt: sent.modifiedAt,
          })
        : created
      await giveSlug(tx, named, slug || name)
      return named.id
    },
  })
}

async function giveSlug<F extends Fields>(tx: Tx, entry: DirectoryEntry<F>, sent: string): Promise<void> {
  const slug = slugFrom(sent)
  if (slug === '' || slug === entry.slug) return
  await updateRecord(tx, entry.id, { slug: await nextRecordSlug(tx, entry, entry.status, slug) })
}

/** Our records of this name, whatever else they say. */
async function namesakesOf<F extends Fields>(
  tx: Tx,
  { language }: ImportContext,
  { kind }: Directory<F>,
  { name, description }: SourceEntry<F>,
) {
  return listNamesakes(tx, kind, { title: sanitizeTitle(name), content: sanitizeArticle(description), language })
}

/** The id of our record that this one is: of the same name, from elsewhere, and nothing in it says otherwise. */
async function findOurs<F extends Fields>(
  tx: Tx,
  directory: Directory<F>,
  entry: SourceEntry<F>,
  namesakes: readonly { readonly id: number }[],
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
