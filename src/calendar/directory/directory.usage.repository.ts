import { type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { FACETS } from '../index/event.index.ts'

/**
 * Returns the number of events of each of these venues or organizers, by the id of their group. Translations of an event
 * count as one. Editors see the number of all events outside the trash, others only that of public ones. Runs two
 * queries, which read sets of events instead of events.
 */
export async function countEventsByGroup(
  { db, dialect, actor }: { readonly db: Db; readonly dialect: Dialect; readonly actor: Actor },
  groupIds: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (groupIds.length === 0) return new Map()
  const isCounted = mayEditOthers(actor)
    ? sql<SqlBool>`status <> 'trash'`
    : sql<SqlBool>`status = 'publish' and is_protected = 0`
  const { rows: classes } = await sql<{ class: string }>`select class from event_classes where ${isCounted}`.execute(db)
  // The first version of a group counts for all of them: its place is between the slashes.
  const first = classes.flatMap((row) => (row.class.split('/')[1] === '0' ? [row.class] : []))
  if (first.length === 0) return new Map()
  const facets = new Map(groupIds.map((id) => [FACETS.place(id), id]))
  const { rows } = await sql<{ facet: number; number: number }>`
    select facet, sum(size) as number from event_sets
    where ${dialect.isAmong(sql.ref('facet'), [...facets.keys()])} and class in (${sql.join(first)})
    group by facet`.execute(db)
  return new Map(rows.map(({ facet, number }) => [facets.get(Number(facet)) ?? 0, Number(number)]))
}
