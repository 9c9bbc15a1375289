import type { Language } from '../../base/languages/language.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { fold } from '../../base/text/fold.ts'
import { normalize } from '../../base/text/normalize.ts'
import type { TranslationIds } from '../translations/viewer.ts'

/** Categories form a tree, tags are flat; everything else is alike. */
export type Taxonomy = 'category' | 'tag'

/** Categories and tags share one sequence of ids. */
export type TermId = number & { readonly brand: 'TermId' }

/** The `parentId` of a category that stands below no other, and of every tag. */
export const topLevel = 0

/** Most characters of a name. */
const maxNameLength = 200

export interface Term {
  readonly id: TermId
  readonly taxonomy: Taxonomy
  /** Plain text in which `&`, `<` and `>` are entities. */
  readonly name: string
  readonly slug: string
  readonly description: string
  readonly parentId: number
  readonly language: Language
  /** Id of the original of its translations; its own where it has none. */
  readonly groupId: number
  /** Known only where a language was asked for. */
  readonly translations?: TranslationIds
  /** How many published events carry the term itself, not one below it. */
  readonly eventCount: number
  /** Who named it first, in a draft and without the right to make it; undefined as soon as it is for everybody. */
  readonly introducedBy?: number | undefined
}

/** What a term is made from. */
export type NewTerm = Omit<Term, 'id' | 'groupId' | 'eventCount' | 'translations'>

/** A term and where it stands in the tree: what its public address is made from. */
export interface TermWithAncestors extends Term {
  /** Slugs of the categories above it, the topmost first. */
  readonly ancestorSlugs: readonly string[]
}

export function pluralOf(taxonomy: Taxonomy): 'categories' | 'tags' {
  return taxonomy === 'category' ? 'categories' : 'tags'
}

/** What names are searched and sorted by: `R &amp; B` as readers see it, letter case and accents aside. */
export function foldedName(name: string): string {
  return fold(decodeEntities(name))
}

/** Letter case does not tell names apart, accents do (terms.md §4). */
export function isSameName(one: string, other: string): boolean {
  return nameIdentity(one) === nameIdentity(other)
}

/** What is the same for names that are the same. */
export function nameIdentity(name: string): string {
  return normalize(name, 'NFC').toLowerCase()
}

export function isTermNameTooLong(name: string): boolean {
  return [...name].length > maxNameLength
}
