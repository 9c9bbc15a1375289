import { sql } from 'kysely'
import { compiledStatement } from '../../storage/database/statements/compiled.statement.ts'
import type { Db } from '../../storage/database/tables.ts'
import { readableBy } from '../records/record.visibility.ts'
import { slugPreference, type Viewer } from '../translations/viewer.ts'

/**
 * Returns the id of the date with this path, in any status. If dates in several languages have it, those that the viewer
 * may read come first, then those in the preferred language. Runs one query.
 */
export async function findIdByPath(db: Db, path: string, viewer: Viewer): Promise<number | undefined> {
  const { order } = slugPreference(viewer)
  const places = order.map((language, place) => sql`when ${language} then ${sql.lit(place)}`)
  const { rows } = await sql<{ id: number }>`
    select records.id from occurrences date join records on records.id = date.event_id where date.path = ${path}
    order by case when ${readableBy('records', viewer.actor, 'any')} then 0 else 1 end,
      case date.language ${sql.join(places, sql` `)} else ${sql.lit(order.length)} end, records.id
    limit 1`.execute(db)
  return rows[0]?.id
}

/**
 * Returns the series that has given its dates addresses below this slug, in any status. A series that was renamed keeps
 * the addresses of its dates. Runs one query.
 */
export async function findSeriesOfPaths(db: Db, base: string): Promise<number | undefined> {
  // “0” follows “/”, so this is a range of the index.
  const [row] = await seriesBelow(db, { from: `${base}/`, to: `${base}0` })
  return row?.series_id
}

const seriesBelow = compiledStatement<{ readonly from: string; readonly to: string }, { readonly series_id: number }>(
  ({ from, to }) => sql`select series_id from occurrences where path > ${from} and path < ${to} order by path limit 1`,
)
