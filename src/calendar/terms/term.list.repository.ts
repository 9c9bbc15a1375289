import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayManage } from '../../access/auth/policy.ts'
import type { ListPage, PageRequest } from '../../access/http/arguments/paging.ts'
import type { LanguagePreference } from '../../base/languages/chain.ts'
import type { SearchText } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { bigintParameter } from '../../storage/database/statements/sql.parameters.ts'
import type { Tables } from '../../storage/database/tables.ts'
import { isPreferredTranslation } from '../translations/group.repository.ts'
import type { ReadContext } from '../translations/viewer.ts'
import { termFromRow, withAncestors, withTranslations } from './term.repository.ts'
import type { Taxonomy, TermWithAncestors } from './term.ts'

/** The sort keys of lists: columns, or the order of the requested ids. */
export type TermSortKey = 'name_folded' | 'id' | 'slug' | 'description' | 'event_count' | 'parent_id' | 'include'

/** The query of a list of terms. Undefined values do not filter. */
export interface TermQuery extends PageRequest {
  readonly taxonomy: Taxonomy
  /** Which version of a translated term the list shows. */
  readonly preference: LanguagePreference
  /** A text that the name or the slug must contain. */
  readonly search: SearchText | undefined
  readonly include: readonly number[] | undefined
  readonly exclude: readonly number[] | undefined
  readonly sortKey: TermSortKey
  readonly isDescending: boolean
  /** Leaves out terms without published events. A category stays if a category below it has some. */
  readonly isUsed: boolean
  /** All versions of the parent category. 0 for the top level. */
  readonly parentIds: readonly number[] | undefined
  /** All versions of one event. */
  readonly eventIds: readonly number[] | undefined
  readonly slug: string | undefined
  /** The number of terms to skip. Takes precedence over the page. */
  readonly offset: number | undefined
}

/** Returns one page of the requested terms, and their total. Runs three queries, two for tags. */
export async function listTerms(context: ReadContext, asked: TermQuery): Promise<ListPage<TermWithAncestors>> {
  const items = await listTermsUncounted(context, asked)
  const { total } = await matchingTerms(context, asked)
    .select((e) => e.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return { items, total: Number(total) }
}

/** Returns the same page without counting the terms on other pages. */
export async function listTermsUncounted(
  context: ReadContext,
  asked: TermQuery,
): Promise<readonly TermWithAncestors[]> {
  const { db, viewer } = context
  const direction = asked.isDescending ? 'desc' : 'asc'
  const rows = await matchingTerms(context, asked)
    .selectAll('terms')
    .orderBy(sortExpression(asked), direction)
    .orderBy('terms.id', direction)
    .limit(bigintParameter(asked.perPage))
    .offset(bigintParameter(asked.offset ?? (asked.page - 1) * asked.perPage))
    .execute()
  return withAncestors(db, await withTranslations(db, viewer, rows.map(termFromRow)))
}

/** Returns the query of all terms of a list, without an order. */
function matchingTerms({ db, dialect, viewer }: ReadContext, asked: TermQuery) {
  return db
    .selectFrom('terms')
    .where('terms.taxonomy', '=', asked.taxonomy)
    .where((e) => e.and(conditions(e, { dialect, actor: viewer.actor }, asked)))
    .where(isPreferredTranslation('terms', asked.preference, () => sql<SqlBool>`1 = 1`))
}

function conditions(
  e: ExpressionBuilder<Tables, 'terms'>,
  { dialect, actor }: { readonly dialect: Dialect; readonly actor: Actor },
  asked: TermQuery,
): Expression<SqlBool>[] {
  const { taxonomy, search, include, exclude, isUsed, parentIds, eventIds, slug } = asked
  // Anyone who may read an event sees all its terms. Contract: a term that is named by its slug is shown too.
  const all: Expression<SqlBool>[] =
    eventIds === undefined && slug === undefined ? visibilityConditions(actor, taxonomy) : []
  if (search !== undefined) {
    const columns = [e.ref('terms.name_folded'), e.ref('terms.slug')]
    // A search of spaces alone finds nothing (rulings.md 39).
    all.push(e.or(search.trim() === '' ? [] : columns.map((column) => dialect.containsText(column, search))))
  }
  const isAmong = (ids: readonly number[]) => dialect.isAmong(sql.ref('terms.id'), ids)
  if (include !== undefined) all.push(include.length > 0 ? isAmong(include) : e.lit(false))
  // Contract: `include` takes precedence over `exclude` (terms.md §3.1).
  if (include === undefined && exclude !== undefined && exclude.length > 0) all.push(e.not(isAmong(exclude)))
  if (parentIds !== undefined) all.push(dialect.isAmong(sql.ref('terms.parent_id'), parentIds))
  if (slug !== undefined)
    all.push(isVersionOf(sql`select id from terms where slug = ${slug} and taxonomy = ${taxonomy}`))
  if (eventIds !== undefined)
    all.push(
      isVersionOf(sql`select term_id from event_terms join records on records.id = event_terms.event_id
      where records.kind = 'event' and event_id in (${sql.join(eventIds)})`),
    )
  if (isUsed) all.push(taxonomy === 'category' ? isUsedInTree : e('terms.event_count', '>', 0))
  return all
}

/** `isTermVisibleTo` as conditions. Few of the terms that a list reads belong only to drafts. */
function visibilityConditions(actor: Actor, taxonomy: Taxonomy): Expression<SqlBool>[] {
  if (mayManage(actor, taxonomy)) return []
  if (actor.kind === 'visitor') return [sql<SqlBool>`terms.introduced_by is null`]
  return [sql<SqlBool>`(terms.introduced_by is null or terms.introduced_by = ${actor.id})`]
}

/** A named term stands for all its translations (languages.md §4). */
function isVersionOf(ids: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(terms.id in (${ids}) or terms.group_id in (
    select group_id from terms where id in (${ids}) and group_id is not null))`
}

// "union", not "union all": the removal of duplicates ends a loop. Descendants of one version are descendants of all.
const isUsedInTree = sql<SqlBool>`terms.id in (
  with recursive used (id, parent_id) as (
    select id, parent_id from terms where taxonomy = 'category' and event_count > 0
    union
    select above.id, above.parent_id from terms above join used on used.parent_id = above.id
  )
  select version.id from used join terms given on given.id = used.id
    join terms version on version.id = given.id or version.group_id = given.group_id
)`

function sortExpression({ sortKey, include }: TermQuery): Expression<unknown> {
  if (sortKey !== 'include') return sql.ref(`terms.${sortKey}`)
  if (include === undefined || include.length === 0) return sql.ref('terms.name_folded')
  const places = include.map((id, place) => sql`when ${sql.lit(id)} then ${sql.lit(place)}`)
  return sql`case terms.id ${sql.join(places, sql` `)} end`
}
