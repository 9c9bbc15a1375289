import type { LanguagePreference } from '../../base/languages/chain.ts'
import type { Db } from '../../storage/database/tables.ts'
import { listByFormerSlugs, listSuccessors } from '../records/former.repository.ts'
import { listMatchingTerms } from './term.lookup.repository.ts'
import { createTermMatcher, lookupFor, type TermReference } from './term.match.ts'
import type { Taxonomy, Term } from './term.ts'

export interface NamedTerms {
  readonly terms: readonly Term[]
  /** The references. One to a former slug or to a merged term has the id of the term that is meant now. */
  readonly wanted: readonly TermReference[]
}

/** Finds the terms that a request for reading refers to, also by a former slug or as what was merged. */
export async function listNamedTerms(
  db: Db,
  { taxonomy, wanted }: { readonly taxonomy: Taxonomy; readonly wanted: readonly TermReference[] },
  preference: LanguagePreference,
): Promise<NamedTerms> {
  const terms = await listMatchingTerms(db, taxonomy, lookupFor(wanted))
  const known = createTermMatcher(terms)
  const lost = wanted.filter((one) => !known.find(one))
  if (lost.length === 0) return { terms, wanted }
  const { ids = [], slugs = [] } = lookupFor(lost)
  const successors = await listSuccessors(db, [taxonomy], ids)
  const former = await listByFormerSlugs(db, { kind: taxonomy, slugs }, preference)
  const now = (one: TermReference): TermReference => {
    const id = successors.get(one.id ?? 0) ?? former.get(one.slug ?? '')
    return id === undefined || !lost.includes(one) ? one : { id, slug: undefined, name: undefined }
  }
  const found = await listMatchingTerms(db, taxonomy, { ids: [...successors.values(), ...former.values()] })
  return {
    terms: [...terms, ...found.filter(({ id }) => !terms.some((one) => one.id === id))],
    wanted: wanted.map(now),
  }
}
