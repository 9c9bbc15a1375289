import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LanguagePreference, Translation } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'

/**
 * The tables with translations. Translations of each other have the id of their original in `group_id`. A row without
 * translations has no `group_id`.
 */
export type TranslatedTable = 'records' | 'terms'

interface MemberRow {
  readonly id: number
  readonly language: string
  readonly group_id: number | null
}

function translationFromRow({ id, language, group_id }: MemberRow): Translation {
  return { id, language: language as Language, groupId: group_id ?? id }
}

/**
 * Returns all versions of the groups of these rows, including rows without translations, in order of id. Runs one
 * query.
 */
export async function listTranslationsInGroups(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly Translation[]> {
  return ids.length === 0 ? [] : (await memberRows(db, { ids }, table)).map(translationFromRow)
}

const memberRows = compiledStatement<{ readonly ids: readonly number[] }, MemberRow, TranslatedTable>(
  ({ ids }, dialect, table) => sql<MemberRow>`
    select id, language, group_id from ${sql.table(table)} where ${dialect.isAmong(sql.ref('id'), ids)}
    union
    select other.id, other.language, other.group_id from ${sql.table(table)} other
    join ${sql.table(table)} given on given.group_id = other.group_id
    where ${dialect.isAmong(sql.ref('given.id'), ids)}
    order by id`,
)

/** Returns the ids of all versions of these rows, including the rows themselves. Runs one query. */
export async function listTranslationIds(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly number[]> {
  return (await listTranslationsInGroups(db, table, ids)).map(({ id }) => id)
}

/** Returns the groups of these rows. A row without translations is a group of its own. Runs at most one query. */
export async function listGroupIds(
  db: Db,
  { table, ids }: { readonly table: TranslatedTable; readonly ids: readonly number[] },
): Promise<readonly number[]> {
  // A filter names all versions of a group, so a single id has no others.
  if (ids.length < 2) return ids
  return (await groupIdRows(db, { ids }, table)).map(({ id }) => Number(id))
}

const groupIdRows = compiledStatement<{ readonly ids: readonly number[] }, { readonly id: number }, TranslatedTable>(
  ({ ids }, dialect, table) => sql<{ id: number }>`
    select distinct coalesce(group_id, id) as id from ${sql.table(table)}
    where ${dialect.isAmong(sql.ref('id'), ids)} order by 1`,
)

/** As `listTranslationIds`, with the versions in the position of the id that named them. */
export async function listTranslationIdsInOrder(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly number[]> {
  const versions = await listTranslationsInGroups(db, table, ids)
  const groupOf = new Map(versions.map(({ id, groupId }) => [id, groupId]))
  const groups = Map.groupBy(versions, ({ groupId }) => groupId)
  return ids.flatMap((id) => {
    const groupId = groupOf.get(id)
    const group = groupId === undefined ? [] : (groups.get(groupId) ?? [])
    return [id, ...group.flatMap((version) => (version.id === id ? [] : [version.id]))]
  })
}

/** Adds `id` to the group of `target`. The caller has checked that the group has no version in its language. */
export async function addToTranslationGroup(
  tx: Tx,
  table: TranslatedTable,
  { id, target }: { readonly id: number; readonly target: Translation },
): Promise<void> {
  await sql`update ${sql.table(table)} set group_id = ${target.groupId} where id in (${id}, ${target.id})`.execute(tx)
}

/** Makes `id` a group of its own. If it was the original, the oldest remaining version becomes the original. */
export async function leaveTranslationGroup(tx: Tx, table: TranslatedTable, id: number): Promise<void> {
  const others = (await listTranslationsInGroups(tx, table, [id])).filter((version) => version.id !== id)
  await sql`update ${sql.table(table)} set group_id = null where id = ${id}`.execute(tx)
  const [oldest] = others
  if (!oldest) return
  const isOriginalLeft = others.some((version) => version.id === version.groupId)
  const groupId = others.length === 1 ? null : isOriginalLeft ? oldest.groupId : oldest.id
  const ids = others.map((version) => version.id)
  await sql`update ${sql.table(table)} set group_id = ${groupId} where id in (${sql.join(ids)})`.execute(tx)
}

/**
 * Returns the condition under which a row represents its group in a list: no version for which `isCandidate` holds is
 * preferred to it. A row without translations always represents itself, if its language may be shown at all.
 *
 * @param isCandidate Whether the version in a table of this name may be shown to the caller. Another condition checks
 * the row itself.
 * @param of The table, with its name in the query if that is different.
 */
export function isPreferredTranslation(
  of: TranslatedTable | { readonly table: TranslatedTable; readonly alias: string },
  preference: LanguagePreference,
  isCandidate: (alias: string) => Expression<SqlBool>,
): RawBuilder<SqlBool> {
  const { table, alias } = typeof of === 'string' ? { table: of, alias: of } : of
  const isWanted = preference.isStrict
    ? sql<SqlBool>`${sql.ref(`${alias}.language`)} in (${sql.join(preference.order)})`
    : sql<SqlBool>`1 = 1`
  const better = sql<SqlBool>`exists (select 1 from ${sql.table(table)} version
    where version.group_id = ${sql.ref(`${alias}.group_id`)} and ${isCandidate('version')}
      and (${rank('version', preference)} < ${rank(alias, preference)}
        or (${rank('version', preference)} = ${rank(alias, preference)} and version.id < ${sql.ref(`${alias}.id`)})))`
  return sql<SqlBool>`(${isWanted} and (${sql.ref(`${alias}.group_id`)} is null or not ${better}))`
}

/** Returns the rank of a version in its group: by language, then the original, then the others. */
function rank(alias: string, { order }: LanguagePreference): RawBuilder<number> {
  const places = order.map((language, place) => sql`when ${language} then ${sql.lit(place)}`)
  const original = sql`case when ${sql.ref(`${alias}.id`)} = ${sql.ref(`${alias}.group_id`)} then 0 else 1 end`
  return sql<number>`(case ${sql.ref(`${alias}.language`)} ${sql.join(places, sql` `)}
    else ${sql.lit(order.length)} + ${original} end)`
}
