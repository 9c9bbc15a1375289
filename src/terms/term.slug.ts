import type { Tx } from '../storage/tables.ts'
import { firstFreeSlug, slugFrom } from '../text/slug.ts'
import { findPlaced, isSlugTaken, listNumberedSlugs } from './term.repository.ts'
import { type Term, topLevel } from './term.ts'

/** Whose slug it is to be. */
export type SlugOwner = Pick<Term, 'taxonomy' | 'language' | 'parentId'> & {
  /** Undefined for a term that is not stored yet. */
  readonly id?: number
}

/**
 * The slug that a term gets for `wanted`: as it is where nobody of its taxonomy has it; else, below a category, with
 * the slugs of its ancestors appended, the nearest first, until it is free; else with the lowest free number from 2 on.
 * Contract: categories and tags may share a slug, yet a number that either of them uses is passed over (terms.md §4).
 */
export async function freeSlug(tx: Tx, owner: SlugOwner, wanted: string): Promise<string> {
  const { taxonomy, language, id: exceptId } = owner
  const isTaken = (slug: string) => isSlugTaken(tx, slug, { taxonomy, language, exceptId })
  if (!(await isTaken(wanted))) return wanted

  let base = wanted
  for (const ancestor of await slugsAbove(tx, owner)) {
    base = slugFrom(`${base}-${ancestor}`)
    if (!(await isTaken(base))) return base
  }
  const taken = await listNumberedSlugs(tx, { language, exceptId }, base)
  return firstFreeSlug(base, (slug) => !taken.has(slug), 2).slug
}

/** Gives a term of the top level, which is added next, its slug for the one that is wanted. */
export type GiveSlug = (wanted: string) => Promise<string>

/**
 * Gives terms of the top level, which are added one after the other, what `freeSlug` would give each. Two queries for
 * each slug that is wanted, by however many.
 */
export function slugsForAdded(tx: Tx, { taxonomy, language }: Pick<SlugOwner, 'taxonomy' | 'language'>): GiveSlug {
  const given = new Set<string>()
  const series = new Map<string, { readonly taken: ReadonlySet<string>; readonly next: number }>()
  const free = async (wanted: string) => {
    const known = series.get(wanted)
    if (!known && !given.has(wanted) && !(await isSlugTaken(tx, wanted, { taxonomy, language }))) return wanted
    const { taken, next } = known ?? { taken: await listNumberedSlugs(tx, { language }, wanted), next: 2 }
    const { slug, number } = firstFreeSlug(wanted, (one) => !taken.has(one) && !given.has(one), next)
    series.set(wanted, { taken, next: number + 1 })
    return slug
  }
  return async (wanted) => {
    const slug = await free(wanted)
    given.add(slug)
    return slug
  }
}

/** Slugs of the categories above, the nearest first. */
async function slugsAbove(tx: Tx, { taxonomy, parentId }: SlugOwner): Promise<readonly string[]> {
  if (parentId === topLevel) return []
  const parent = await findPlaced(tx, taxonomy, parentId)
  return parent ? [...parent.ancestorSlugs, parent.slug].toReversed() : []
}
