import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { daySeconds, epochSeconds, localDay, utcDay } from './daily.counts.ts'
import { FACETS, type TimeBound, type TimeWindow } from './event.index.ts'
import { type IndexRange, indexEntries } from './index.entries.repository.ts'
import type { IndexedEvent } from './indexed.event.repository.ts'
import type { EventChange } from './stale.events.repository.ts'
import { windowConditions } from './time.window.repository.ts'
import { type WholeDays, wholeDays } from './whole.days.ts'

const minLocalDateTime = '0001-01-01 00:00:00'
const maxLocalDateTime = '9999-12-31 23:59:59'

/** Returns the statement that counts these events on their new days instead of the old ones. */
export function countChanges(dialect: Dialect, changes: readonly EventChange[]): readonly RawBuilder<unknown>[] {
  const counts = new Map<string, { readonly k: number; readonly d: number; readonly c: string; n: number }>()
  const add = (event: IndexedEvent | undefined, sign: 1 | -1) => {
    if (!event) return
    for (const [k, d] of [
      [0, localDay(event.startLocal)],
      [1, utcDay(event.startUtc)],
    ] as const) {
      const key = `${k} ${d} ${event.class}`
      const count = counts.get(key) ?? { k, d, c: event.class, n: 0 }
      count.n += sign
      counts.set(key, count)
    }
  }
  for (const { before, after } of changes) {
    add(before, -1)
    add(after, 1)
  }
  const changed = [...counts.values()].filter(({ n }) => n !== 0)
  if (changed.length === 0) return []
  return [
    sql`insert into event_tallies (clock, day, class, number)
      select cast(value ->> 'k' as integer), cast(value ->> 'd' as bigint), value ->> 'c', cast(value ->> 'n' as bigint)
      from ${dialect.jsonRows(changed)} given where true
      on conflict (clock, day, class) do update set number = event_tallies.number + excluded.number`,
  ]
}

/** The days whose count differs from the event index, as `place`. For checks. */
export const wrongDailyCounts = sql<{ readonly place: string }>`
  select 'day ' || day || ' of clock ' || clock as place from (
    select clock, day, class, sum(number) as number from (
      select clock, day, class, number from event_tallies
      union all select 0, cast(replace(substr(start_local, 1, 10), '-', '') as bigint), class, -1 from event_order
      union all select 1, (start_utc + ${sql.lit(epochSeconds)}) / ${sql.lit(daySeconds)}, class, -1 from event_order
    ) counted group by clock, day, class
  ) compared where number <> 0`

/**
 * Returns the number of events in a window. Whole days come from their counts, and the edges are counted event by
 * event. A hundred thousand events therefore take no longer than a hundred.
 *
 * @returns undefined if the daily counts do not help: in short windows, and for other kinds of bounds.
 */
export async function countFromDailyCounts(db: Db, query: IndexRange): Promise<number | undefined> {
  const days = wholeDays(query.window.bounds)
  if (!days) return undefined
  const { from, to, beyond } = days
  const edges = [
    ...(from ? [countWithBound(query, { edge: 'start', operator: '<', localDateTime: from })] : []),
    ...(to ? [countWithBound(query, { edge: 'start', operator: '>=', localDateTime: to })] : []),
  ]
  const parts = [sumOfDailyCounts(query, days), ...edges]
  const less = beyond ? sql` - (${longBeyond(query, days, beyond)})` : sql``
  const { rows } = await sql<{ total: number }>`
    select ${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` + `,
    )}${less} as total`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Whether every event is in a window. */
const isEveryTime = ({ bounds }: TimeWindow) =>
  bounds.every(({ operator, localDateTime }) =>
    operator === '>=' ? localDateTime <= minLocalDateTime : operator === '<=' && localDateTime >= maxLocalDateTime,
  )

/** Returns the numbers of events in a window by class, counted in the same way. Short windows are counted event by event. */
export async function countClasses(db: Db, query: IndexRange): Promise<ReadonlyMap<string, number>> {
  const days = wholeDays(query.window.bounds)
  const byClass = (range: IndexRange) =>
    sql`select class, count(*) as number from ${indexEntries(range)} listing group by class`
  const bounded = (bound: TimeBound) =>
    byClass({ ...query, window: { ...query.window, bounds: [...query.window.bounds, bound] } })
  const parts = isEveryTime(query.window)
    ? [
        sql`select class, sum(size) as number from event_sets
          where facet = ${sql.lit(FACETS.all)} and ${isOfClasses(query)} group by class`,
      ]
    : days
      ? [
          sql`select class, sum(number) as number from event_tallies where ${daysOfCounts(query, days)} group by class`,
          ...(days.from ? [bounded({ edge: 'start', operator: '<', localDateTime: days.from })] : []),
          ...(days.to ? [bounded({ edge: 'start', operator: '>=', localDateTime: days.to })] : []),
          ...(days.beyond
            ? [
                sql`select class, -count(*) as number from event_order listing where ${isLongBeyond(query, days, days.beyond)} group by class`,
              ]
            : []),
        ]
      : [byClass(query)]
  const { rows } = await sql<{ class: string; number: number }>`
    select class, sum(number) as number from (${sql.join(parts, sql` union all `)}) counted group by class`.execute(db)
  return new Map(rows.map((row) => [row.class, Number(row.number)]))
}

/** Counts the events of the window that also meet this bound. */
function countWithBound(query: IndexRange, bound: TimeBound): RawBuilder<number> {
  const window = { ...query.window, bounds: [...query.window.bounds, bound] }
  return sql<number>`select count(*) from ${indexEntries({ ...query, window })} as listing`
}

/** The condition that a row of a table is of a class of the query. */
function isOfClasses({ isOfClass }: IndexRange): RawBuilder<SqlBool> {
  return sql<SqlBool>`class in (select class from event_classes where ${isOfClass})`
}

/** The condition on the daily counts of these days. */
function daysOfCounts(query: IndexRange, { from, to }: WholeDays): RawBuilder<SqlBool> {
  const { isInUtc } = query.window
  const dayOf = (localDateTime: LocalDateTime) =>
    isInUtc ? utcDay(secondsOfLocalDateTime(localDateTime)) : localDay(localDateTime)
  return sql<SqlBool>`clock = ${sql.lit(isInUtc ? 1 : 0)} and ${isOfClasses(query)}
      ${from ? sql`and day >= ${dayOf(from)}` : sql``} ${to ? sql`and day < ${dayOf(to)}` : sql``}`
}

function sumOfDailyCounts(query: IndexRange, days: WholeDays): RawBuilder<number> {
  return sql<number>`select coalesce(sum(number), 0) from event_tallies where ${daysOfCounts(query, days)}`
}

/** The condition on events that begin on these days but end beyond the bound. */
function isLongBeyond(query: IndexRange, { from, to }: WholeDays, beyond: TimeBound): RawBuilder<SqlBool> {
  const bounds: readonly TimeBound[] = [
    beyond,
    ...(from ? [{ edge: 'start', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<', localDateTime: to } as const] : []),
  ]
  const conditions = windowConditions('listing', { bounds, isInUtc: query.window.isInUtc, isByEnd: true })
  return sql<SqlBool>`is_long = 1 and ${isOfClasses(query)} and ${sql.join(conditions, sql` and `)}`
}

/** Counts the events that begin on these days but end beyond the bound. */
function longBeyond(query: IndexRange, days: WholeDays, beyond: TimeBound): RawBuilder<number> {
  return sql<number>`select count(*) from event_order listing where ${isLongBeyond(query, days, beyond)}`
}
