import { type SqlBool, sql } from 'kysely'
import { dayOf, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { type RenderedEventRow, renderedEventFromRow } from '../event.repository.ts'
import type { RenderedEvent } from '../model/event.ts'
import type { IndexListPlan } from './list.plan.ts'
import { matchingIndexEntries } from './list.repository.ts'

/** The number of events with the same days. */
interface SpanCount {
  /** Day of the start, `YYYY-MM-DD`, or the first requested day if the event starts earlier. */
  readonly day: string
  /** Day of the end, or the last requested day if the event ends later. */
  readonly until: string
  /** Whether the events end in the night that begins the day `until`. */
  readonly isNight: boolean
  readonly count: number
}

export interface EventsByDay {
  /** The first events of each day, in order. */
  readonly events: readonly RenderedEvent[]
  readonly counts: readonly SpanCount[]
}

interface DaysQuery {
  /** Beginning of the first day. An event that began earlier counts under the first day. */
  readonly from: LocalDateTime
  /** Any time of the last day. */
  readonly to: LocalDateTime
  /** The hour until which a night counts as part of the day before, `hh:mm:ss`. */
  readonly nightEnd: string
  /** The maximum number of events for each day: `long` ones that span several days, and `short` ones. */
  readonly perDay: { readonly long: number; readonly short: number }
}

type DayRow = RenderedEventRow & {
  readonly event_id: number
  readonly day: string
  readonly until: string
  readonly is_night: number
  readonly is_named: number
  readonly span_place: number
  readonly span_total: number
}

/**
 * Returns the first events of each day for a visitor, and the number of events for each pair of days. Runs one query.
 * `perDay` limits the events, and the pairs of days limit the counts, however many events exist.
 */
export async function listByDay(
  context: ReadContext,
  plan: IndexListPlan,
  { from, to, nightEnd, perDay }: DaysQuery,
): Promise<EventsByDay> {
  const [first, last] = [dayOf(from), dayOf(to)]
  const day = sql<string>`case when listing.start_local < ${from} then ${first} else substr(listing.start_local, 1, 10) end`
  const [startDay, endDay] = [sql`substr(times.start_local, 1, 10)`, sql`substr(times.end_local, 1, 10)`]
  const until = sql<string>`case when ${endDay} > ${last} then ${last} else ${endDay} end`
  const endsAtNight = sql`times.is_all_day = 0 and ${endDay} > ${startDay} and substr(times.end_local, 12) <= ${nightEnd}`
  const isNight = sql<number>`case when ${endsAtNight} and ${endDay} <= ${last} then 1 else 0 end`
  const isShort = sql<number>`case when ${endDay} = ${startDay} or (${endsAtNight}) then 1 else 0 end`
  const matching = matchingIndexEntries(context, plan)
    .innerJoin('events as times', 'times.record_id', 'listing.event_id')
    // An event that ended in the night that begins the first day belongs to the day before, which is not shown.
    .where(sql<SqlBool>`not (listing.start_local < ${from} and ${endsAtNight} and ${endDay} = ${first})`)
    .select(['listing.event_id', 'listing.start_local', 'listing.dated_at'])
    .select([day.as('day'), until.as('until'), isNight.as('is_night'), isShort.as('is_short')])
  const place = sql`row_number() over (partition by day, is_short order by start_local, dated_at, event_id)`
  const most = sql`case when is_short = 1 then ${sql.lit(perDay.short)} else ${sql.lit(perDay.long)} end`
  const numbered = context.db
    .selectFrom(matching.as('entry'))
    .select([
      'event_id',
      'day',
      'until',
      'is_night',
      sql<number>`case when ${place} <= ${most} then 1 else 0 end`.as('is_named'),
    ])
    .select([
      sql<number>`row_number() over (partition by day, until, is_night order by event_id)`.as('span_place'),
      sql<number>`count(*) over (partition by day, until, is_night)`.as('span_total'),
    ])
  const rows = (await context.db
    .selectFrom(numbered.as('numbered'))
    // Events that are only counted are not read.
    .leftJoin('records', (join) => join.onRef('records.id', '=', 'numbered.event_id').on('numbered.is_named', '=', 1))
    .leftJoin('events', 'events.record_id', 'records.id')
    .selectAll(['records', 'events'])
    .select(['numbered.event_id', 'numbered.day', 'numbered.until', 'numbered.is_night', 'numbered.is_named'])
    .select(['numbered.span_place', 'numbered.span_total'])
    .where((where) => where.or([where('numbered.is_named', '=', 1), where('numbered.span_place', '=', 1)]))
    .orderBy('events.start_local')
    .orderBy('records.dated_at')
    .orderBy('numbered.event_id')
    .execute()) as unknown as readonly DayRow[]
  return {
    events: rows.filter((row) => row.is_named === 1).map(renderedEventFromRow),
    counts: rows
      .filter((row) => Number(row.span_place) === 1)
      .map((row) => ({
        ...{ day: row.day, until: row.until, isNight: row.is_night === 1, count: Number(row.span_total) },
      })),
  }
}
