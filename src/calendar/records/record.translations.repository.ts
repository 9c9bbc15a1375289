import { sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayRead } from '../../access/auth/policy.ts'
import type { Language } from '../../base/languages/language.ts'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import { textParameter } from '../../storage/database/statements/sql.parameters.ts'
import type { Db } from '../../storage/database/tables.ts'
import { slugPreference, type TranslationIds, type Viewer } from '../translations/viewer.ts'
import { trashedSuffix } from './record.slug.ts'
import type { StoredRecordKind } from './record.ts'
import { readableBy } from './record.visibility.ts'

interface ReadableTranslationRow {
  readonly given_id: number
  readonly id: number
  readonly group_id: number
  readonly language: Language
  readonly status: string
  readonly author_id: number
}

/**
 * Returns the versions of each of these records that the caller may read, by the id of the record. A version in the
 * trash counts only for itself. Runs one query.
 */
export async function listTranslations(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<ReadonlyMap<number, TranslationIds>> {
  if (ids.length === 0) return new Map()
  const rows = await versionRows(db, { ids })
  const readable = rows.filter(
    (row) =>
      row.id === row.given_id ||
      (row.status !== 'trash' && mayRead(actor, { authorId: row.author_id, status: row.status })),
  )
  const byRecord = Map.groupBy(readable, (row) => row.given_id)
  return new Map(
    [...byRecord].map(([id, versions]) => [id, Object.fromEntries(versions.map((v) => [v.language, v.id]))]),
  )
}

const versionRows = compiledStatement<{ readonly ids: readonly number[] }, ReadableTranslationRow>(
  ({ ids }, dialect) => sql<ReadableTranslationRow>`
    select given.id as given_id, other.id, coalesce(other.group_id, other.id) as group_id, other.language, other.status,
      other.author_id
    from records given join records other on other.id = given.id or other.group_id = given.group_id
    where ${dialect.isAmong(sql.ref('given.id'), ids)}
    order by given.id, other.id`,
)

/**
 * Returns the ids of all versions of the records among these that the caller sees in at least one version. The caller
 * sees a version that he may read and that is not in the trash. Runs one query.
 */
export async function listShownGroups(db: Db, actor: Actor, ids: readonly number[]): Promise<readonly number[]> {
  const versions = await versionRows(db, { ids })
  const isShown = ({ status, author_id }: ReadableTranslationRow) =>
    status !== 'trash' && mayRead(actor, { authorId: author_id, status })
  const shown = new Set(versions.filter(isShown).map((version) => version.group_id))
  const found = new Set(versions.flatMap(({ id, group_id }) => (shown.has(group_id) ? id : [])))
  return [...found].sort((one, other) => one - other)
}

/**
 * Returns the id of the record with this slug, in any status. If several have it, versions that the viewer may read
 * come first, then those in the preferred language, then the lowest id.
 */
export async function findIdBySlug(
  db: Db,
  { kind, slug }: { readonly kind: StoredRecordKind; readonly slug: string },
  viewer: Viewer,
): Promise<number | undefined> {
  // Drafts may have none, and in the trash only its suffix (rulings.md 42).
  if (slug === '' || slug === trashedSuffix) return undefined
  const { order } = slugPreference(viewer)
  const places = order.map((language, place) => sql`when ${language} then ${sql.lit(place)}`)
  const row = await db
    .selectFrom('records')
    .select('id')
    .where('kind', '=', textParameter(kind))
    .where('slug', '=', slug)
    .orderBy(sql`case when ${readableBy('records', viewer.actor, 'any')} then 0 else 1 end`)
    .orderBy(sql`case language ${sql.join(places, sql` `)} else ${sql.lit(order.length)} end`)
    .orderBy('id')
    .limit(sql.lit(1))
    .executeTakeFirst()
  return row?.id
}

/**
 * Returns the language of these records and the end of their address: the path of a date of a series, else the slug. In
 * order of id. Runs one query.
 */
export async function listTranslationAddresses(
  db: Db,
  ids: readonly number[],
): Promise<readonly { readonly id: number; readonly language: Language; readonly end: string }[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('records')
    .select(['id', 'language', addressEnd.as('end')])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, language: row.language as Language }))
}

/** The end of the address of a record, as a column. */
export const addressEnd = sql<string>`coalesce((select path from occurrences where event_id = records.id), records.slug)`
