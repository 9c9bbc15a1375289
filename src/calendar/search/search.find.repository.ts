import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { EntryCondition } from '../index/event.index.ts'

/**
 * Returns the condition that the text of an event contains all terms to include, and none to exclude. In a range of places,
 * the index of trigrams finds the texts. Events at any place are few, so their texts are compared one by one.
 */
export function matchesSearch({ dialect }: { readonly dialect: Dialect }, terms: SearchTerms): EntryCondition {
  return (entry, within) => {
    const place = sql.ref(`${entry}.place`)
    if (!within) {
      return sql<SqlBool>`exists (select 1 from search_texts found
        where found.place = ${place} and ${comparisons(dialect, terms, () => true)})`
    }
    const texts = dialect.textsWith(terms.include.filter(hasTrigram), within)
    return sql<SqlBool>`${place} in (select place from ${texts} found
      where ${comparisons(dialect, terms, (term) => !hasTrigram(term))})`
  }
}

/** @param isCompared Whether a term to include is compared here, because the index does not answer it. */
function comparisons(
  dialect: Dialect,
  { include, exclude }: SearchTerms,
  isCompared: (term: string) => boolean,
): RawBuilder<SqlBool> {
  const contains = (term: string) => dialect.containsText(sql.ref('found.text'), term)
  const compared = [
    sql<SqlBool>`1 = 1`,
    ...include.filter(isCompared).map(contains),
    ...exclude.map((term) => sql<SqlBool>`not (${contains(term)})`),
  ]
  return sql<SqlBool>`${sql.join(compared, sql` and `)}`
}

/** Whether the index knows texts with the term. Shorter terms are compared with the texts of the places. */
export function hasTrigram(term: string): boolean {
  return [...term].length >= 3 && !term.includes('\0')
}
