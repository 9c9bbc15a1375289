import { sanitizeTermName } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import { listNamed, listSitesOf } from '../../calendar/sources/source.repository.ts'
import { siteOfSource } from '../../calendar/sources/source.ts'
import { changeTerm, createTerm } from '../../calendar/terms/term.change.service.ts'
import { listMatchingTerms } from '../../calendar/terms/term.lookup.repository.ts'
import { isSameName, topLevel } from '../../calendar/terms/term.ts'
import type { UpsertKind } from '../upsert/upsert.kind.ts'
import { type UpsertResult, upsertItems } from '../upsert/upsert.service.ts'
import { digestNaming, findOriginal, type ImportContext } from './record.writer.ts'
import type { SourceTerm } from './source.ts'

/** Writes a category or a tag. The parent category must be written before. */
export async function writeTerm(write: ImportContext, term: SourceTerm): Promise<readonly UpsertResult[]> {
  const { taxonomy, name, slug, description, source, parent } = term
  const { tx, language } = write
  const of = (await findOriginal(write, taxonomy, source))?.id
  const known = await listNamed(tx, 'category', parent === undefined ? [] : [parent])
  const parentId = known.get(parent ?? '')?.id ?? topLevel
  const draft = { name, slug, description, parentId, hasParent: taxonomy === 'category' }
  const kind: UpsertKind<typeof draft> = {
    kind: taxonomy,
    // The slug stays: the sent one may be taken here, and clients depend on the existing one.
    change: async (_write, { id }) =>
      void (await changeTerm(write, taxonomy, { id, patch: { ...draft, slug: undefined }, translationOf: of })),
    create: async () => {
      const ours = of === undefined ? await findOurs(write, term) : undefined
      return ours === undefined
        ? [await createTerm(write, taxonomy, { draft, language, of })]
        : [{ id: ours, isAdopted: true }]
    },
  }
  const named = parent === undefined ? [] : [{ kind: 'category' as const, references: [{ source: parent }], known }]
  const digest = digestNaming(write, named, of === undefined ? draft : { ...draft, of })
  return upsertItems(write, { kind, language }, [{ key: source, digest, values: draft }])
}

/** Returns the id of the existing term with this slug or this name. Two similar names of one site are two terms. */
async function findOurs({ tx, language }: ImportContext, term: SourceTerm): Promise<number | undefined> {
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
