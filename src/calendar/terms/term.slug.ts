import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { firstFreeNumberedSlug, freeNumberedSlugs, type SlugNamespace } from '../records/numbered.slugs.repository.ts'
import { findTermWithAncestors, isSlugTaken, listTakenTermSlugs } from './term.repository.ts'
import { type Term, topLevel } from './term.ts'

export type TermSlugOwner = Pick<Term, 'taxonomy' | 'language' | 'parentId'> & {
  /** Undefined for a term that is not stored yet. */
  readonly id?: number
  /** The current slug of a stored term. */
  readonly slug?: string
}

/**
 * Returns the slug that a term gets for `wanted`. This is `wanted` itself if no other term of its taxonomy has it.
 * Otherwise a child category appends the slugs of its ancestors, nearest first, until the slug is free. If that does
 * not help, it gets the lowest free number from 2. Contract: categories and tags may share a slug, but a number that
 * either of them uses is skipped (terms.md §4).
 */
export async function uniqueTermSlug(tx: Tx, owner: TermSlugOwner, wanted: string): Promise<string> {
  const { taxonomy, language, id: exceptId } = owner
  const isTaken = (slug: string) => isSlugTaken(tx, slug, { taxonomy, language, exceptId })
  if (!(await isTaken(wanted))) return wanted

  let base = wanted
  for (const ancestor of await slugsOfAncestors(tx, owner)) {
    base = slugFrom(`${base}-${ancestor}`)
    if (!(await isTaken(base))) return base
  }
  const numbered = { space: slugNamespaceOf(tx, owner), base }
  return firstFreeNumberedSlug(tx, numbered, exceptId === undefined ? undefined : owner.slug)
}

function slugNamespaceOf(tx: Tx, { language, id: exceptId }: Pick<TermSlugOwner, 'language' | 'id'>): SlugNamespace {
  return { kind: 'term', language, taken: (slugs) => listTakenTermSlugs(tx, { language, exceptId }, slugs) }
}

/** Returns the slug for a wanted one. The caller adds the term, at the top level, before the next call. */
export type AssignSlug = (wanted: string) => Promise<string>

/** The number of free numbers of one slug to look up at once. */
const numbersPerBatch = 100

/**
 * Returns a function that gives each of several new top-level terms the result of `uniqueTermSlug`. Runs a few queries
 * for each wanted slug and for each hundred terms that want it.
 */
export function slugAssigner(tx: Tx, { taxonomy, language }: Pick<TermSlugOwner, 'taxonomy' | 'language'>): AssignSlug {
  const given = new Set<string>()
  const space = slugNamespaceOf(tx, { language })
  /** Free numbered slugs that were found for a taken slug and are not used yet. */
  const found = new Map<string, string[]>()
  const free = async (wanted: string) => {
    const isTaken = found.has(wanted) || given.has(wanted) || (await isSlugTaken(tx, wanted, { taxonomy, language }))
    if (!isTaken) return wanted
    const next = () => found.get(wanted)?.shift()
    for (let slug = next(); ; slug = next()) {
      if (slug !== undefined && !given.has(slug)) return slug
      if (slug !== undefined) continue
      const wish = { count: numbersPerBatch, except: given }
      found.set(wanted, [...(await freeNumberedSlugs(tx, { space, base: wanted }, wish))])
    }
  }
  return async (wanted) => {
    const slug = await free(wanted)
    given.add(slug)
    return slug
  }
}

/** Returns the slugs of the ancestors, nearest first. */
async function slugsOfAncestors(tx: Tx, { taxonomy, parentId }: TermSlugOwner): Promise<readonly string[]> {
  if (parentId === topLevel) return []
  const parent = await findTermWithAncestors(tx, { taxonomy, id: parentId })
  return parent ? [...parent.ancestorSlugs, parent.slug].toReversed() : []
}
