import type { Language } from '../../base/languages/language.ts'
import { decodeEntities } from '../../base/text/escape.ts'
import { fold, foldExceptAccents } from '../../base/text/fold.ts'
import type { TranslationIds } from '../translations/viewer.ts'

/** Categories form a tree, tags are flat. Otherwise they are the same. */
export type Taxonomy = 'category' | 'tag'

/** Categories and tags share one sequence of ids. */
export type TermId = number & { readonly brand: 'TermId' }

/** The `parentId` of a category without a parent, and of every tag. */
export const topLevel = 0

/** The maximum number of characters of a name. */
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
  /** Id of the original of its translations, or its own id if it has none. */
  readonly groupId: number
  /** Known only if the request names a language. */
  readonly translations?: TranslationIds
  /** How many published events have the term itself. Events of its descendants do not count. */
  readonly eventCount: number
  /** The user who first named it in a draft without the right to create it. Undefined once it is public. */
  readonly introducedBy?: number | undefined
  /** The number of changes of the term itself, without those of its events. */
  readonly changeCount: number
}

export type NewTerm = Omit<Term, 'id' | 'groupId' | 'eventCount' | 'translations' | 'changeCount'> & {
  /** An unused id that it keeps. Default: the next one. */
  readonly keptId?: number | undefined
}

/** A term with its ancestors, which its public address contains. */
export interface TermWithAncestors extends Term {
  /** Slugs of its ancestors, topmost first. */
  readonly ancestorSlugs: readonly string[]
}

export function pluralOf(taxonomy: Taxonomy): 'categories' | 'tags' {
  return taxonomy === 'category' ? 'categories' : 'tags'
}

/**
 * Returns the text that names are searched and sorted by: `R &amp; B` as readers see it, without letter case and
 * accents.
 */
export function foldedName(name: string): string {
  return fold(decodeEntities(name))
}

/** Whether two names are the same. Letter case and signs that look alike do not matter, accents do (terms.md §4). */
export function isSameName(one: string, other: string): boolean {
  return nameIdentity(one) === nameIdentity(other)
}

/** Returns a text that is equal for equal names. */
export function nameIdentity(name: string): string {
  return foldExceptAccents(decodeEntities(name))
}

export function isTermNameTooLong(name: string): boolean {
  return [...name].length > maxNameLength
}
