import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LanguagePreference, TranslationVersion } from '../../base/languages/chain.ts'
import type { Language } from '../../base/languages/language.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'

/**
 * What can be translated. Those that are translations of each other carry the id of their original as `group_id`;
 * what nobody translated carries none.
 */
export type TranslatedTable = 'records' | 'terms'

interface MemberRow {
  readonly id: number
  readonly language: string
  readonly group_id: number | null
}

function versionFromRow({ id, language, group_id }: MemberRow): TranslationVersion {
  return { id, language: language as Language, groupId: group_id ?? id }
}

/** All versions of the groups of these, what nobody translated included, in order of id. One query. */
export async function listVersions(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly TranslationVersion[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<MemberRow>`
    select id, language, group_id from ${sql.table(table)} where id in (${sql.join(ids)})
    union
    select other.id, other.language, other.group_id from ${sql.table(table)} other
    join ${sql.table(table)} given on given.group_id = other.group_id
    where given.id in (${sql.join(ids)})
    order by id`.execute(db)
  return rows.map(versionFromRow)
}

/** Ids of all versions of these, they themselves included. One query. */
export async function listVersionIds(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly number[]> {
  return (await listVersions(db, table, ids)).map(({ id }) => id)
}

/** As `listVersionIds`, each in the place of the one that was named. */
export async function listVersionIdsInOrder(
  db: Db,
  table: TranslatedTable,
  ids: readonly number[],
): Promise<readonly number[]> {
  const versions = await listVersions(db, table, ids)
  return ids.flatMap((id) => {
    const groupId = versions.find((version) => version.id === id)?.groupId
    return [
      id,
      ...versions.flatMap((version) => (version.groupId === groupId && version.id !== id ? [version.id] : [])),
    ]
  })
}

/** Makes `id` a version of what `target` is one of. Whether the language is free there was asked before. */
export async function addToTranslationGroup(
  tx: Tx,
  table: TranslatedTable,
  { id, target }: { readonly id: number; readonly target: TranslationVersion },
): Promise<void> {
  await sql`update ${sql.table(table)} set group_id = ${target.groupId} where id in (${id}, ${target.id})`.execute(tx)
}

/** Makes `id` a group of its own. Where it was the original, the oldest left is from now on. */
export async function leaveTranslationGroup(tx: Tx, table: TranslatedTable, id: number): Promise<void> {
  const others = (await listVersions(tx, table, [id])).filter((version) => version.id !== id)
  await sql`update ${sql.table(table)} set group_id = null where id = ${id}`.execute(tx)
  const [oldest] = others
  if (!oldest) return
  const isOriginalLeft = others.some((version) => version.id === version.groupId)
  const groupId = others.length === 1 ? null : isOriginalLeft ? oldest.groupId : oldest.id
  const ids = others.map((version) => version.id)
  await sql`update ${sql.table(table)} set group_id = ${groupId} where id in (${sql.join(ids)})`.execute(tx)
}

/**
 * The condition under which a row stands for its group in a list: no version that `isCandidate` holds for is wanted
 * more. What nobody translated always stands for itself, where its language may be shown at all.
 *
 * @param isCandidate Whether the version in a table of this name may be shown to the caller; the row itself is asked
 * elsewhere.
 * @param of The table, with its name in the query where that is another one.
 */
export function isPreferredVersion(
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

/** Place of a version among those of its group: by language, then the original, then the others. */
function rank(alias: string, { order }: LanguagePreference): RawBuilder<number> {
  const places = order.map((language, place) => sql`when ${language} then ${sql.lit(place)}`)
  const original = sql`case when ${sql.ref(`${alias}.id`)} = ${sql.ref(`${alias}.group_id`)} then 0 else 1 end`
  return sql<number>`(case ${sql.ref(`${alias}.language`)} ${sql.join(places, sql` `)}
    else ${sql.lit(order.length)} + ${original} end)`
}
