import { wholeNumberOf } from '../../access/http/arguments/argument.rules.ts'
import { sanitizeTermName } from '../../base/text/sanitize.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { TermLookup } from './term.lookup.repository.ts'
import { foldedName, nameIdentity, type Term } from './term.ts'

/** The meaning of one item of a list of terms. The first property that matches finds the term (events.md §8 row 17). */
export interface TermReference {
  readonly id: number | undefined
  readonly slug: string | undefined
  readonly name: string | undefined
}

/** Reads a number or a text: an id, a slug or a name. Returns undefined for anything else. */
export function termReferenceFromText(item: unknown): TermReference | undefined {
  if (typeof item !== 'string' && typeof item !== 'number') return undefined
  const text = String(item)
  return { id: wholeNumberOf(item), slug: slugFromText(text), name: sanitizeTermName(text) }
}

/** Reads an item of an event: as `termReferenceFromText`, or an object with `id`, `slug` or `name`. */
export function termReferenceFrom(item: unknown): TermReference | undefined {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return termReferenceFromText(item)
  const { id, slug, name } = item as Readonly<Record<string, unknown>>
  if (id !== undefined) {
    const known = wholeNumberOf(id)
    return known === undefined ? undefined : { id: known, slug: undefined, name: undefined }
  }
  const parts = [slug, name].filter((part) => part !== undefined)
  if (parts.length === 0 || !parts.every((part) => typeof part === 'string')) return undefined
  return {
    id: undefined,
    slug: typeof slug === 'string' ? slugFrom(slug) : undefined,
    name: typeof name === 'string' ? sanitizeTermName(name) : undefined,
  }
}

/** Returns the distinct values to look up for these references. */
export function lookupFor(wanted: readonly TermReference[]): TermLookup {
  return {
    ids: [...new Set(wanted.flatMap(({ id }) => id ?? []))],
    slugs: [...new Set(wanted.flatMap(({ slug }) => slug ?? []))],
    names: [...new Set(wanted.flatMap(({ name }) => name ?? []))],
  }
}

/** Finds referenced terms among terms that were looked up. */
export interface TermMatcher {
  find(wanted: TermReference): Term | undefined
  add(term: Term): void
}

/**
 * @param named Terms that a slug or a name may refer to. If several match, the first one counts.
 * @param known Terms that an id may refer to.
 */
export function createTermMatcher(named: readonly Term[], known: readonly Term[] = named): TermMatcher {
  const byId = new Map(known.map((term) => [term.id as number, term]))
  const [bySlug, byName, byFoldedName] = [new Map<string, Term>(), new Map<string, Term>(), new Map<string, Term>()]
  const indexNames = (term: Term) => {
    setIfAbsent(bySlug, term.slug, term)
    setIfAbsent(byName, nameIdentity(term.name), term)
    setIfAbsent(byFoldedName, foldedName(term.name), term)
  }
  named.forEach(indexNames)
  return {
    add: (term) => {
      byId.set(term.id, term)
      indexNames(term)
    },
    find: ({ id, slug, name }) =>
      (id === undefined ? undefined : byId.get(id)) ??
      (slug === undefined ? undefined : bySlug.get(slug)) ??
      // An exact name takes precedence over one with other accents.
      (name === undefined ? undefined : (byName.get(nameIdentity(name)) ?? byFoldedName.get(foldedName(name)))),
  }
}

function setIfAbsent(terms: Map<string, Term>, key: string, term: Term): void {
  if (!terms.has(key)) terms.set(key, term)
}

/**
 * Returns the slug that a text is, in any letter case, percent-encoded or not. A text that would have to change to
 * become a slug is a name: “C++” does not mean the term with the slug “c”.
 */
function slugFromText(text: string): string | undefined {
  const slug = slugFrom(text)
  const plain = text.toWellFormed().toLowerCase()
  return slug !== '' && (slug === plain || slug === encodeURIComponent(plain).toLowerCase()) ? slug : undefined
}
