import { sql } from 'kysely'
import type { Dialect } from '../storage/dialect.ts'
import type { Db } from '../storage/tables.ts'
import { dayOf, type Wall } from '../time/wall.ts'
import type { Viewer } from '../translations/viewer.ts'
import { matchingListings } from './event.list.repository.ts'
import type { EventQuery } from './event.query.ts'
import { shownEventFromRow } from './event.repository.ts'
import type { ShownEvent } from './event.ts'

/** An event of a day. */
export interface DayEntry {
  readonly event: ShownEvent
  /** The day that it is counted under, `YYYY-MM-DD`: that of its start, or the first of the span. */
  readonly day: string
  /** How many events are counted under that day. */
  readonly dayTotal: number
}

/**
 * The first events of each day for a visitor, those over several days before the others, and how many each day has.
 * One query, that gives at most `perDay` for each day, however many there are.
 *
 * @param from Beginning of the first day; what began earlier is counted under it.
 */
export async function listByDay(
  db: Db,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
  { from, perDay }: { readonly from: Wall; readonly perDay: number },
): Promise<readonly DayEntry[]> {
  const first = dayOf(from)
  const day = sql<string>`case when listing.start_local < ${from} then ${first} else substr(listing.start_local, 1, 10) end`
  const isOneDay = sql`case when substr(times.end_local, 1, 10) > substr(times.start_local, 1, 10) then 0 else 1 end`
  const matching = (await matchingListings(db, dialect, viewer, asked))
    .innerJoin('events as times', 'times.record_id', 'listing.event_id')
    .select(['listing.event_id', 'listing.start_local', 'listing.dated_at'])
    .select([day.as('day'), sql<number>`${isOneDay}`.as('is_one_day')])
  const numbered = db
    .selectFrom(matching.as('entry'))
    .select(['event_id', 'day'])
    .select([
      sql<number>`row_number() over (partition by day order by is_one_day, start_local, dated_at, event_id)`.as(
        'place',
      ),
      sql<number>`count(*) over (partition by day)`.as('day_total'),
    ])
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .innerJoin('records', 'records.id', 'numbered.event_id')
    .innerJoin('events', 'events.record_id', 'numbered.event_id')
    .selectAll(['records', 'events'])
    .select(['numbered.day', 'numbered.day_total'])
    .where('numbered.place', '<=', perDay)
    .orderBy('events.start_local')
    .orderBy('records.dated_at')
    .orderBy('records.id')
    .execute()
  return rows.map((row) => ({
    event: shownEventFromRow(row),
    day: row.day,
    dayTotal: Number(row.day_total),
  }))
}
