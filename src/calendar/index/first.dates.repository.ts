import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { type IndexRange, rangeParts } from './index.entries.repository.ts'

// Lists that show only the next date of each series. Reading all dates of all series would cost more than the list, so
// one lookup is made for each series.

/** The first date of a series in a list. */
export interface FirstDate {
  readonly id: number
  readonly start: LocalDateTime
}

/** In the order of lists. */
const inOrder = (table: string) =>
  sql.join(['start_local', 'dated_at', 'event_id'].map((column) => sql.ref(`${table}.${column}`)))

type FirstRow = FirstDate & { readonly series_id: number }

/**
 * Returns the first date of each series in a range of the event index, in no order. Runs one query, which looks up one
 * date for each series. If the range has a part for long events, which are few, it runs another one.
 */
export async function listFirstDates(db: Db, range: IndexRange): Promise<readonly FirstDate[]> {
  const [short, long] = rangeParts(range)
  // A join would let PostgreSQL read all dates, and so would a subquery that it can merge with the rest.
  const looked = sql<FirstRow>`with found as materialized (
      select series_id, (
        select date.event_id from event_order date
        where date.series_id = series_state.series_id and ${short('date')} order by ${inOrder('date')} limit 1
      ) as id from series_state
    ) select series_id, id, (select start_local from event_order entry where entry.event_id = found.id) as start
    from found where id is not null`.execute(db)
  const [rows, longRows] = await Promise.all([
    looked.then((result) => result.rows),
    long ? firstLongDates(db, long('entry')) : [],
  ])
  // A long event that only its end brings into the list begins before all others.
  return [...new Map([...rows, ...longRows].map((row) => [row.series_id, row])).values()]
}

async function firstLongDates(db: Db, isListed: RawBuilder<SqlBool>): Promise<readonly FirstRow[]> {
  const { rows } = await sql<FirstRow>`select series_id, event_id as id, start_local as start from (
      select series_id, event_id, start_local,
        row_number() over (partition by series_id order by ${inOrder('entry')}) as place
      from event_order entry where entry.series_id is not null and ${isListed}
    ) numbered where place = 1`.execute(db)
  return rows
}

/** Returns the first of these events of each series. Runs one query, which reads these events only. */
export async function firstOfSeries(
  db: Db,
  { isAmong }: Pick<Dialect, 'isAmong'>,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`select event_id as id from (
      select event_id, row_number() over (partition by series_id order by ${inOrder('entry')}) as place
      from event_order entry where ${isAmong(sql.ref('entry.event_id'), ids)}
    ) numbered where place = 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the first of a few named events of each series, and those of no series. */
export async function firstOfNamed(db: Db, named: Expression<{ readonly id: number }>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from (
      select event_id as id, row_number() over (
        partition by coalesce(series_id, -event_id) order by ${inOrder('entry')}) as place
      from event_order entry where entry.event_id in (${named})
    ) numbered where place = 1`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the ids of all series. */
export async function listSeriesIds(db: Db): Promise<readonly number[]> {
  const { rows } = await sql<{ series_id: number }>`select series_id from series_state`.execute(db)
  return rows.map((row) => row.series_id)
}
