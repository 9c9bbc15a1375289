import type { Language } from '../../base/languages/language.ts'
import { sanitizeTermName } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { findImported, listSitesOf } from '../../calendar/sources/imported.repository.ts'
import { siteOfSource } from '../../calendar/sources/source.ts'
import { changeTerm, createTerm } from '../../calendar/terms/term.change.service.ts'
import { listMatchingTerms } from '../../calendar/terms/term.lookup.repository.ts'
import { isSameName, topLevel } from '../../calendar/terms/term.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { findOriginal, type ImportContext, type ImportOutcome, writeImported } from './record.writer.ts'
import type { SourceTerm } from './source.ts'

/** Writes a category or a tag. The parent category must be written before. */
export async function writeTerm(write: ImportContext, term: SourceTerm): Promise<ImportOutcome> {
  const { taxonomy, name, slug, description } = term
  const { tx, language } = write
  const of = (await findOriginal(write, taxonomy, term.source))?.id
  const parent = term.parent === undefined ? undefined : await findImported(tx, 'category', term.parent)
  const draft = {
    name,
    slug,
    description,
    parentId: parent?.id ?? topLevel,
    hasParent: taxonomy === 'category',
  }
  return writeImported(write, term, {
    kind: taxonomy,
    known: await findImported(tx, taxonomy, term.source),
    content: of === undefined ? draft : { ...draft, of },
    // The slug stays: the sent one may be taken here, and clients depend on the existing one.
    change: async ({ id }) => {
      await changeTerm(write, taxonomy, { id, patch: { ...draft, slug: undefined }, translationOf: of })
    },
    adopt: async () => (of === undefined ? findOurs(tx, term, language) : undefined),
    create: async () => (await createTerm(write, taxonomy, { draft, language, of })).id,
  })
}

/** Returns the id of the existing term with this slug or this name. Two similar names of one site are two terms. */
async function findOurs(tx: Tx, term: SourceTerm, language: Language): Promise<number | undefined> {
  const slug = slugFrom(term.slug)
  const name = sanitizeTermName(term.name)
  const known = (await listMatchingTerms(tx, term.taxonomy, { slugs: [slug], names: [name] })).filter(
    (ours) => ours.language === language,
  )
  const bySlug = slug === '' ? undefined : known.find((ours) => ours.slug === slug)
  if (bySlug) return bySlug.id
  for (const ours of known) {
    if (!isSameName(ours.name, name)) continue
    const sites = await listSitesOf(tx, term.taxonomy, ours.id)
    if (!sites.has(siteOfSource(term.source))) return ours.id
  }
  return undefined
}
