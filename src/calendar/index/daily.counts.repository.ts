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

const localDayOfEntry = sql`cast(replace(substr(start_local, 1, 10), '-', '') as bigint)`
const utcDayOfEntry = sql`(start_utc + ${sql.lit(epochSeconds)}) / ${sql.lit(daySeconds)}`

/** The statement that counts all entries of the event index, if nothing is counted yet. */
export const countsOfEntries = sql`insert into event_tallies (clock, day, class, number)
  select 0, ${localDayOfEntry}, class, count(*) from event_order group by 2, 3
  union all select 1, ${utcDayOfEntry}, class, count(*) from event_order group by 2, 3`

/** The days whose count differs from the event index, as `place`. For checks. */
export const wrongDailyCounts = sql<{ readonly place: string }>`
  select 'day ' || day || ' of clock ' || clock as place from (
    select clock, day, class, sum(number) as number from (
      select clock, day, class, number from event_tallies
      union all select 0, ${localDayOfEntry}, class, -1 from event_order
      union all select 1, ${utcDayOfEntry}, class, -1 from event_order
    ) counted group by clock, day, class
  ) compared where number <> 0`

/**
 * Returns the number of events in a window. Whole days come from their counts, without those of their events that end after the
 * window, and the edges are counted event by event. A hundred thousand events therefore take no longer than a hundred, if few of
 * them are long.
 *
 * @returns undefined if the daily counts do not help: in short windows, and for other kinds of bounds.
 */
export async function countFromDailyCounts(db: Db, query: IndexRange): Promise<number | undefined> {
  const days = wholeDays(query.window.bounds)
  if (!days) return undefined
  const parts = partsOfCount(query, days).map(
    ({ number, source }) => sql`coalesce((select ${sql.raw(number)} from ${source}), 0)`,
  )
  const { rows } = await sql<{ total: number }>`select ${sql.join(parts, sql` + `)} as total`.execute(db)
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
  const parts: readonly CountPart[] = isEveryTime(query.window)
    ? [
        {
          number: 'sum(size)',
          source: sql`event_sets where facet = ${sql.lit(FACETS.all)} and ${isOfClasses(query)}`,
        },
      ]
    : days
      ? partsOfCount(query, days)
      : [{ number: 'count(*)', source: sql`${indexEntries(query)} listing` }]
  const numbers = parts.map(
    ({ number, source }) => sql`select class, ${sql.raw(number)} as number from ${source} group by class`,
  )
  const { rows } = await sql<{ class: string; number: number }>`
    select class, sum(number) as number from (${sql.join(numbers, sql` union all `)}) counted group by class`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.class, Number(row.number)]))
}

/** A part of a number of events. All parts are added. */
interface CountPart {
  readonly number: 'sum(size)' | 'sum(number)' | 'count(*)' | '-count(*)'
  /** A table with the column `class`, and conditions on it. */
  readonly source: RawBuilder<unknown>
}

function partsOfCount(query: IndexRange, days: WholeDays): readonly CountPart[] {
  const { from, to, until, beyond, hasEarlier, hasLater } = days
  const bounded = (bound: TimeBound) => {
    const window = { ...query.window, bounds: [...query.window.bounds, bound] }
    return { number: 'count(*)', source: sql`${indexEntries({ ...query, window })} listing` } as const
  }
  return [
    { number: 'sum(number)', source: sql`event_tallies where ${daysOfCounts(query, days)}` },
    ...(from && hasEarlier ? [bounded({ edge: 'start', operator: '<', localDateTime: from })] : []),
    ...(until && hasLater ? [bounded({ edge: 'start', operator: '>=', localDateTime: until })] : []),
    ...(beyond && from !== to ? [beyondWindow(query, beyond, { from, to, isLong: true })] : []),
    ...(beyond && to !== until ? [beyondWindow(query, beyond, { from: to, to: until, isLong: false })] : []),
  ]
}

/** The condition that a row of a table is of a class of the query. */
function isOfClasses({ isOfClass }: IndexRange): RawBuilder<SqlBool> {
  return sql<SqlBool>`class in (select class from event_classes where ${isOfClass})`
}

/** The condition on the daily counts of these days. */
function daysOfCounts(query: IndexRange, { from, until }: WholeDays): RawBuilder<SqlBool> {
  const { isInUtc } = query.window
  const dayOf = (localDateTime: LocalDateTime) =>
    isInUtc ? utcDay(secondsOfLocalDateTime(localDateTime)) : localDay(localDateTime)
  return sql<SqlBool>`clock = ${sql.lit(isInUtc ? 1 : 0)} and ${isOfClasses(query)}
      ${from ? sql`and day >= ${dayOf(from)}` : sql``} ${until ? sql`and day < ${dayOf(until)}` : sql``}`
}

/** In more days, fewer long events end after the window than begin in it. */
const mostDaysByStart = 3 * 366

/** Subtracts the events that begin on some days but end beyond the bound. */
function beyondWindow(
  query: IndexRange,
  beyond: TimeBound,
  { from, to, isLong }: Pick<WholeDays, 'from' | 'to'> & { readonly isLong: boolean },
): CountPart {
  const bounds: readonly TimeBound[] = [
    beyond,
    ...(from ? [{ edge: 'start', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<', localDateTime: to } as const] : []),
  ]
  const isByStart =
    from && to && secondsOfLocalDateTime(to) - secondsOfLocalDateTime(from) <= mostDaysByStart * daySeconds
  const conditions = windowConditions('listing', {
    ...{ bounds, isInUtc: query.window.isInUtc },
    isByEnd: isLong && !isByStart,
  })
  return {
    number: '-count(*)',
    source: sql`event_order listing
      where ${isLong ? sql`is_long = 1 and` : sql``} ${isOfClasses(query)} and ${sql.join(conditions, sql` and `)}`,
  }
}
