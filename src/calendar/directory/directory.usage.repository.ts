import { sql } from 'kysely'
import { sanitizeTitle } from '../../base/text/sanitize.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { FACETS } from '../index/event.index.ts'
import { comparableTitle } from '../records/record.name.ts'
import type { DirectoryKind } from './directory.ts'

/** More records of the same names than this are not looked at. */
const maxNamed = 1000

/**
 * Returns the number of events of each of these venues or organizers, by the id of their group. Translations of an event
 * count as one. Runs one query.
 *
 * @param isAll Whether to count all events outside the trash, or only public ones.
 */
export async function countEventsByGroup(
  { db, dialect, isAll }: { readonly db: Db; readonly dialect: Dialect; readonly isAll: boolean },
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map()
  const isCounted = sql.raw(isAll ? `status <> 'trash'` : `status = 'publish' and is_protected = 0`)
  const facets = new Map(groupIds.map((id) => [FACETS.place(id), id]))
  const { rows } = await sql<{ facet: number; number: number }>`
    select facet, count(distinct coalesce(group_id, event_id)) as number
    from event_facets join listed_events entry on entry.place = event_facets.place
    where ${dialect.isAmong(sql.ref('facet'), [...facets.keys()])} and ${isCounted}
    group by facet`.execute(db)
  return new Map(rows.map(({ facet, number }) => [facets.get(Number(facet)) ?? 0, Number(number)]))
}

/** Returns the ids of the records outside the trash with one of these names, in order of id. Runs at most one query. */
export async function listIdsNamed(
  { db, dialect }: { readonly db: Db; readonly dialect: Dialect },
  kind: DirectoryKind,
  names: readonly string[],
): Promise<readonly number[]> {
  if (names.length === 0) return []
  const titles = names.map((name) => comparableTitle(sanitizeTitle(name)))
  const rows = await db
    .selectFrom('records')
    .select('id')
    .where('kind', '=', kind)
    // The index of names excludes events. The database uses it only if the query excludes them too.
    .where('kind', '!=', sql.lit('event'))
    .where((e) => dialect.isAmongTexts(e.ref('title_folded'), titles))
    .where('status', '!=', 'trash')
    .orderBy('id')
    .limit(maxNamed)
    .execute()
  return rows.map(({ id }) => id)
}
