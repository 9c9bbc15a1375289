import { sql } from 'kysely'
import type { LanguageAsked } from '../../access/http/route.ts'
import type { Language } from '../../base/languages/language.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, TermRow, Tx } from '../../storage/database/tables.ts'
import { leaveTranslationGroup, listTranslationsInGroups } from '../translations/group.repository.ts'
import { foldedName, type NewTerm, type Taxonomy, type Term, type TermId, type TermWithAncestors } from './term.ts'

/**
 * The maximum depth of the tree. Levels above it are not shown, because a loop in the data must not block a request.
 */
const maxTreeDepth = 100

/** Written out, because a connection only keeps the plan of a statement whose columns cannot change. */
export const termColumns = sql.raw(
  'id, taxonomy, name, name_folded, slug, description, parent_id, language, group_id, event_count, introduced_by, change_count',
)

/** Returns a row as a term. */
export function termFromRow(row: TermRow): Term {
  return {
    id: row.id as TermId,
    taxonomy: row.taxonomy,
    name: row.name,
    slug: row.slug,
    description: row.description,
    parentId: row.parent_id,
    language: row.language as Language,
    groupId: row.group_id ?? row.id,
    eventCount: row.event_count,
    introducedBy: row.introduced_by ?? undefined,
    changeCount: row.change_count,
  }
}

/** Returns the term with this id, or undefined if it is of the other taxonomy. */
export async function findTerm(db: Db, taxonomy: Taxonomy, id: number): Promise<Term | undefined> {
  const row = await db
    .selectFrom('terms')
    .selectAll()
    .where('id', '=', id)
    .where('taxonomy', '=', taxonomy)
    .executeTakeFirst()
  return row && termFromRow(row)
}

/** Returns the term with this id and its ancestors, or undefined if it is of the other taxonomy. Runs two queries. */
export async function findTermWithAncestors(
  db: Db,
  { taxonomy, id }: { readonly taxonomy: Taxonomy; readonly id: number },
  viewer: Pick<LanguageAsked, 'language'> = { language: undefined },
): Promise<TermWithAncestors | undefined> {
  const term = await findTerm(db, taxonomy, id)
  return term && (await withAncestors(db, await withTranslations(db, viewer, [term])))[0]
}

/** Returns the terms with the ids of their versions, if the request names a language. Runs at most one query. */
export async function withTranslations(
  db: Db,
  { language }: Pick<LanguageAsked, 'language'>,
  terms: readonly Term[],
): Promise<readonly Term[]> {
  if (language === undefined) return terms
  const versions = Map.groupBy(
    await listTranslationsInGroups(
      db,
      'terms',
      terms.map(({ id }) => id),
    ),
    ({ groupId }) => groupId,
  )
  return terms.map((term) => ({
    ...term,
    translations: Object.fromEntries(
      (versions.get(term.groupId) ?? []).map((version) => [version.language, version.id]),
    ),
  }))
}

/** Returns these terms with the slugs of their ancestors, in the same order. Runs one query, none for tags. */
export async function withAncestors(db: Db, terms: readonly Term[]): Promise<readonly TermWithAncestors[]> {
  const ids = terms.flatMap(({ id, taxonomy }) => (taxonomy === 'category' ? [id] : []))
  const slugs = ids.length === 0 ? new Map<number, string[]>() : await listAncestorSlugs(db, ids)
  return terms.map((term) => ({ ...term, ancestorSlugs: slugs.get(term.id) ?? [] }))
}

/** Returns the slugs of the ancestors of each of these categories, topmost first. */
async function listAncestorSlugs(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, string[]>> {
  const rows = await db
    .withRecursive('line(term_id, parent_id, slug, height)', (query) =>
      query
        .selectFrom('terms')
        .select(['id as term_id', 'parent_id', 'slug', sql<number>`0`.as('height')])
        .where('id', 'in', ids)
        .unionAll(
          query
            .selectFrom('terms')
            .innerJoin('line', 'line.parent_id', 'terms.id')
            .where('line.height', '<', maxTreeDepth)
            .select(['line.term_id', 'terms.parent_id', 'terms.slug', sql<number>`line.height + 1`.as('height')]),
        ),
    )
    .selectFrom('line')
    .select(['term_id', 'slug'])
    .where('height', '>', 0)
    .orderBy('height', 'desc')
    .orderBy('term_id')
    .execute()
  const slugs = new Map<number, string[]>()
  for (const row of rows) slugs.set(row.term_id, [...(slugs.get(row.term_id) ?? []), row.slug])
  return slugs
}

/** Returns the ids of these categories and of all their descendants. */
export async function listWithDescendants(db: Db, ids: readonly number[]): Promise<readonly number[]> {
  if (ids.length === 0) return []
  return (await branchRows(db, { ids })).map((row) => row.id)
}

const branchRows = compiledStatement<{ readonly ids: readonly number[] }, { readonly id: number }>(
  // Not “union all”: the removal of duplicates ends a loop.
  ({ ids }, dialect) => sql<{ readonly id: number }>`
    with recursive branch (id) as (
      select id from terms where ${dialect.isAmong(sql.ref('id'), ids)}
      union select terms.id from terms join branch on branch.id = terms.parent_id
    ) select id from branch order by id`,
)

export async function isSlugTaken(
  db: Db,
  slug: string,
  by: { readonly taxonomy: Taxonomy; readonly language: Language; readonly exceptId?: number | undefined },
): Promise<boolean> {
  const { taxonomy, language, exceptId = 0 } = by
  const row = await db
    .selectFrom('terms')
    .select('id')
    .where('slug', '=', slug)
    .where('language', '=', language)
    .where('id', '!=', exceptId)
    .where('taxonomy', '=', taxonomy)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the slugs among these that other terms of this language have, categories or tags. Runs one query. */
export async function listTakenTermSlugs(
  db: Db,
  of: { readonly language: Language; readonly exceptId?: number | undefined },
  slugs: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('terms')
    .select('slug')
    .where('taxonomy', 'in', ['category', 'tag'])
    .where('language', '=', of.language)
    .where('slug', 'in', slugs)
    .where('id', '!=', of.exceptId ?? 0)
    .execute()
  return new Set(rows.map((row) => row.slug))
}

export async function insertTerm(tx: Tx, term: NewTerm): Promise<TermId> {
  const row = await tx
    .insertInto('terms')
    .values({
      ...(term.keptId === undefined ? {} : { id: term.keptId }),
      taxonomy: term.taxonomy,
      name: term.name,
      name_folded: foldedName(term.name),
      slug: term.slug,
      description: term.description,
      parent_id: term.parentId,
      language: term.language,
      group_id: null,
      event_count: 0,
      introduced_by: term.introducedBy ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id as TermId
}

export async function updateTerm(
  tx: Tx,
  id: TermId,
  { name, slug, description, parentId }: Pick<Term, 'name' | 'slug' | 'description' | 'parentId'>,
): Promise<void> {
  await tx
    .updateTable('terms')
    .set((e) => ({
      ...{ name, name_folded: foldedName(name), slug, description, parent_id: parentId },
      change_count: e('change_count', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

/** Makes these terms public. */
export async function makeTermsPublic(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  // Most terms are already public, and a read costs less than an update with its triggers.
  const { rows } = await sql<{ id: number }>`
    select id from terms where introduced_by is not null and id in (${sql.join(ids)})`.execute(tx)
  if (rows.length === 0) return
  const closed = rows.map(({ id }) => id)
  await tx.updateTable('terms').set({ introduced_by: null }).where('id', 'in', closed).execute()
}

/**
 * Removes a term permanently. If it has translations, its events and children move to the oldest translation. If not,
 * its events lose it, and its children move to its parent.
 */
export async function removeTerm(tx: Tx, { id, parentId }: Term): Promise<void> {
  const heir = (await listTranslationsInGroups(tx, 'terms', [id])).find((version) => version.id !== id)
  await leaveTranslationGroup(tx, 'terms', id)
  await tx
    .updateTable('terms')
    .set((e) => ({ parent_id: heir?.id ?? parentId, change_count: e('change_count', '+', 1) }))
    .where('parent_id', '=', id)
    .execute()
  if (heir) {
    const held = tx.selectFrom('event_terms').select('event_id').where('term_id', '=', heir.id)
    await tx
      .updateTable('event_terms')
      .set({ term_id: heir.id })
      .where('term_id', '=', id)
      .where('event_id', 'not in', held)
      .execute()
  }
  await tx.deleteFrom('event_terms').where('term_id', '=', id).execute()
  await tx.deleteFrom('terms').where('id', '=', id).execute()
}

/** Moves the children of another version of this category to this one, if they are in its language. */
export async function adoptChildren(tx: Tx, { id, language }: Pick<Term, 'id' | 'language'>): Promise<void> {
  const others = (await listTranslationsInGroups(tx, 'terms', [id])).filter((version) => version.id !== id)
  if (others.length === 0) return
  await tx
    .updateTable('terms')
    .set((e) => ({ parent_id: id, change_count: e('change_count', '+', 1) }))
    .where('language', '=', language)
    .where(
      'parent_id',
      'in',
      others.map((version) => version.id),
    )
    .execute()
}
