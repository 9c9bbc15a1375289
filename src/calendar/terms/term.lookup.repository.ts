import { sql } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, TermRow } from '../../storage/database/tables.ts'
import { termColumns, termFromRow } from './term.repository.ts'
import { foldedName, type Taxonomy, type Term } from './term.ts'

/** The criteria of a lookup. A term must match at least one list. */
export interface TermLookup {
  readonly ids?: readonly number[]
  readonly slugs?: readonly string[]
  readonly names?: readonly string[]
}

/**
 * Returns the terms with one of these ids, slugs or names, in order of id. Names match regardless of letter case and
 * accents. Runs at most one query.
 */
export async function listMatchingTerms(db: Db, taxonomy: Taxonomy, sought: TermLookup): Promise<readonly Term[]> {
  return listMatchingTermsOf(db, { [taxonomy]: sought })
}

/** Does the same for terms of both taxonomies. */
export async function listMatchingTermsOf(
  db: Db,
  soughtOf: Readonly<Partial<Record<Taxonomy, TermLookup>>>,
): Promise<readonly Term[]> {
  const given: Record<string, readonly unknown[]> = {}
  for (const [taxonomy, { ids = [], slugs = [], names = [] }] of Object.entries(soughtOf)) {
    if (ids.length > 0) given[`${taxonomy} ids`] = ids
    if (slugs.length > 0) given[`${taxonomy} slugs`] = slugs
    if (names.length > 0) given[`${taxonomy} names`] = names.map(foldedName)
  }
  const criteria = Object.keys(given)
  return criteria.length === 0 ? [] : (await matchingRows(db, given, criteria.join())).map(termFromRow)
}

/** The shape has the names of the lists, with commas. */
const matchingRows = compiledStatement<Record<string, readonly unknown[]>, TermRow, string>(
  (given, dialect, criteria) => {
    // Each criterion has an index of its own. One combined condition would scan all terms.
    const found = criteria.split(',').map((criterion) => {
      const [taxonomy, list] = criterion.split(' ')
      const isMatch = conditionOf(dialect, list, given[criterion] as readonly unknown[])
      // Not “=”, because SQLite then plans the statement again each time.
      return sql`select id from terms where taxonomy in (${sql.lit(taxonomy)}) and ${isMatch}`
    })
    return sql<TermRow>`select ${termColumns} from terms where id in (${sql.join(found, sql` union `)}) order by id`
  },
)

function conditionOf(dialect: Dialect, list: string | undefined, values: readonly unknown[]) {
  if (list === 'ids') return dialect.isAmong(sql.ref('id'), values as readonly number[])
  const texts = values as readonly string[]
  if (list === 'names') return dialect.isAmongTexts(sql.ref('name_folded'), texts)
  // The index of slugs is by language.
  return sql`language in (select tag from content_languages) and ${dialect.isAmongTexts(sql.ref('slug'), texts)}`
}
