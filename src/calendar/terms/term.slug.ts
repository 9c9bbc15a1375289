import { slugFrom } from '../../base/text/slug.ts'
import type { Tx } from '../../storage/database/tables.ts'
import { firstFreeNumberedSlug, freeNumberedSlugs, type SlugNamespace } from '../records/slug.series.repository.ts'
import { findTermWithAncestors, isSlugTaken, listTakenTermSlugs } from './term.repository.ts'
import { type Term, topLevel } from './term.ts'

/** Whose slug it is to be. */
export type TermSlugOwner = Pick<Term, 'taxonomy' | 'language' | 'parentId'> & {
  /** Undefined for a term that is not stored yet. */
  readonly id?: number
  /** What a stored term has. */
  readonly slug?: string
}

/**
 * The slug that a term gets for `wanted`: as it is where nobody of its taxonomy has it; else, below a category, with
 * the slugs of its ancestors appended, the nearest first, until it is free; else with the lowest free number from 2 on.
 * Contract: categories and tags may share a slug, yet a number that either of them uses is passed over (terms.md §4).
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

/** Gives a term of the top level, which is added next, its slug for the one that is wanted. */
export type AssignSlug = (wanted: string) => Promise<string>

/** So many numbers of one slug are asked for at once. */
const numbersPerBatch = 100

/**
 * Gives terms of the top level, which are added one after the other, what `uniqueTermSlug` would give each. A few queries for
 * each slug that is wanted, and for each hundred that want it.
 */
export function slugAssigner(tx: Tx, { taxonomy, language }: Pick<TermSlugOwner, 'taxonomy' | 'language'>): AssignSlug {
  const given = new Set<string>()
  const space = slugNamespaceOf(tx, { language })
  /** Those that are left of what was found for a slug that somebody has. */
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

/** Slugs of the categories above, the nearest first. */
async function slugsOfAncestors(tx: Tx, { taxonomy, parentId }: TermSlugOwner): Promise<readonly string[]> {
  if (parentId === topLevel) return []
  const parent = await findTermWithAncestors(tx, { taxonomy, id: parentId })
  return parent ? [...parent.ancestorSlugs, parent.slug].toReversed() : []
}
