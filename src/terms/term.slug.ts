import type { Tx } from '../storage/tables.ts'
import { numberedSlug, slugFrom } from '../text/slug.ts'
import { findPlaced, isSlugTaken } from './term.repository.ts'
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
  let number = 2
  while (await isSlugTaken(tx, numberedSlug(base, number), { language, exceptId })) number += 1
  return numberedSlug(base, number)
}

/** Slugs of the categories above, the nearest first. */
async function slugsAbove(tx: Tx, { taxonomy, parentId }: SlugOwner): Promise<readonly string[]> {
  if (parentId === topLevel) return []
  const parent = await findPlaced(tx, taxonomy, parentId)
  return parent ? [...parent.ancestorSlugs, parent.slug].toReversed() : []
}
