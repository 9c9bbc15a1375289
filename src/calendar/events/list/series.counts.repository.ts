import { sql } from 'kysely'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { isUnprotected } from './filters.repository.ts'
import type { IndexListPlan } from './list.plan.ts'

/**
 * Returns how many dates of these series begin at or after a local time, among those that a list shows. Protected dates
 * do not count. Series without any are left out. Runs one query, which reads the event index only.
 */
export async function countComingDates(
  { db, dialect }: Pick<ReadContext, 'db' | 'dialect'>,
  { isShown }: Pick<IndexListPlan, 'isShown'>,
  { seriesIds, from }: { readonly seriesIds: readonly number[]; readonly from: LocalDateTime },
): Promise<ReadonlyMap<number, number>> {
  if (seriesIds.length === 0) return new Map()
  const conditions = [isShown, isUnprotected].map((condition) => condition('entry', undefined))
  const { rows } = await sql<{ series_id: number; count: number }>`
    select series_id, count(*) as count from listed_events entry
    where series_id is not null and ${dialect.isAmong(sql.ref('series_id'), seriesIds)} and start_local >= ${from}
      and ${sql.join(conditions, sql` and `)}
    group by series_id`.execute(db)
  return new Map(rows.map((row) => [row.series_id, Number(row.count)]))
}
