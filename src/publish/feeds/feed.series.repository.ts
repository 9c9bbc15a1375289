import { sql } from 'kysely'
import type { EventKey } from '../../calendar/events/list/keys.repository.ts'
import { listMemberships } from '../../calendar/occurrences/occurrence.repository.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { SeriesOfFeed, SeriesState } from './feed.series.ts'

/** Returns the series of which these events are dates. Runs at most three queries, and none without such events. */
export async function readSeriesOfFeed(
  { db, dialect }: Pick<Storage, 'db' | 'dialect'>,
  keys: readonly EventKey[],
): Promise<SeriesOfFeed | undefined> {
  const dates = keys.filter(({ seriesId }) => seriesId !== undefined)
  if (dates.length === 0) return undefined
  const ids = [...new Set(dates.flatMap(({ seriesId }) => seriesId ?? []))]
  const [memberships, { rows }] = await Promise.all([
    listMemberships(
      db,
      dates.map(({ id }) => id),
    ),
    sql<SeriesState & { readonly id: number }>`
      select series_id as id, sequence,
        (select max(modified_at) from records where id = series_id or group_id = series_id) as "modifiedAt"
      from series_state where ${dialect.isAmong(sql.ref('series_id'), ids)}`.execute(db),
  ])
  return { memberships, states: new Map(rows.map((row) => [row.id, row])) }
}
