import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { daySeconds, epochSeconds, localDay, utcDay } from './daily.counts.ts'
import { isOfAll } from './event.index.repository.ts'
import { FACETS, type IndexQuery, type TimeBound } from './event.index.ts'
import { indexEntries } from './index.entries.repository.ts'
import type { EventDerivation } from './stale.events.repository.ts'
import { windowConditions } from './time.window.repository.ts'
import { type WholeDays, wholeDays } from './whole.days.ts'

/** The daily counts follow from the event index. */
export const dailyCounts: EventDerivation = {
  tables: ['event_tallies'],
  remove: (tx, dialect, ids) => addToCounts(tx, dialect.isAmong(sql.ref('event_id'), ids), -1),
  add: (tx, dialect, { ids }) => addToCounts(tx, dialect.isAmong(sql.ref('event_id'), ids), 1),
}

/** Adds the entries of these events to the counts of their days, or subtracts them. */
async function addToCounts(tx: Tx, isGiven: RawBuilder<SqlBool>, sign: 1 | -1): Promise<void> {
  const given = sql`from event_listings where ${isOfAll('facet')} and ${isGiven}`
  await sql`
    insert into event_tallies (clock, day, shown_to, number)
    select clock, day, shown_to, ${sql.lit(sign)} * count(*) from (
      select 0 as clock, cast(replace(substr(start_local, 1, 10), '-', '') as bigint) as day, shown_to ${given}
      union all
      select 1, (start_utc + ${sql.lit(epochSeconds)}) / ${sql.lit(daySeconds)}, shown_to ${given}
    ) listed where true group by clock, day, shown_to
    on conflict (clock, day, shown_to) do update set number = event_tallies.number + excluded.number`.execute(tx)
}

/** The days whose count differs from the event index, as `place`. For checks. */
export const wrongDailyCounts = sql<{ readonly place: string }>`
  select 'day ' || day || ' of clock ' || clock as place from (
    select clock, day, shown_to, sum(number) as number from (
      select clock, day, shown_to, number from event_tallies
      union all select 0, cast(replace(substr(start_local, 1, 10), '-', '') as bigint), shown_to, -1
        from event_listings where facet = ${sql.lit(FACETS.all)}
      union all select 1, (start_utc + ${sql.lit(epochSeconds)}) / ${sql.lit(daySeconds)}, shown_to, -1
        from event_listings where facet = ${sql.lit(FACETS.all)}
    ) counted group by clock, day, shown_to
  ) compared where number <> 0`

/**
 * Returns the number of events in a window. Whole days come from their counts, and the edges are counted event by
 * event. A hundred thousand events therefore take no longer than a hundred.
 *
 * @returns undefined if the daily counts do not help: with filters, in short windows, and for other kinds of bounds.
 */
export async function countFromDailyCounts(db: Db, query: IndexQuery): Promise<number | undefined> {
  const days = query.facets.length > 0 ? undefined : wholeDays(query.window.bounds)
  if (!days) return undefined
  const { from, to, end } = days
  const edges = [
    ...(from ? [countWithBound(query, { edge: 'start', operator: '<', localDateTime: from })] : []),
    ...(to ? [countWithBound(query, { edge: 'start', operator: '>=', localDateTime: to })] : []),
  ]
  const parts = [sumOfDailyCounts(query, days), ...edges]
  const beyond = end ? sql` - (${longBeyond(query, days, end)})` : sql``
  const { rows } = await sql<{ total: number }>`
    select ${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` + `,
    )}${beyond} as total`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Counts the events of the window that also meet this bound. */
function countWithBound(query: IndexQuery, bound: TimeBound): RawBuilder<number> {
  const window = { ...query.window, bounds: [...query.window.bounds, bound] }
  return sql<number>`select count(*) from ${indexEntries({ ...query, window })} as listing`
}

function sumOfDailyCounts({ window, preference }: IndexQuery, { from, to }: WholeDays): RawBuilder<number> {
  const dayOf = (localDateTime: LocalDateTime) =>
    window.isInUtc ? utcDay(secondsOfLocalDateTime(localDateTime)) : localDay(localDateTime)
  return sql<number>`select coalesce(sum(number), 0) from event_tallies
    where clock = ${sql.lit(window.isInUtc ? 1 : 0)} and shown_to & ${sql.lit(preferenceBit(preference))} <> 0
      ${from ? sql`and day >= ${dayOf(from)}` : sql``} ${to ? sql`and day < ${dayOf(to)}` : sql``}`
}

/** Counts the events that begin on these days but end beyond the bound. */
function longBeyond({ window, preference }: IndexQuery, { from, to }: WholeDays, end: TimeBound): RawBuilder<number> {
  const isBeyond: TimeBound = { ...end, operator: end.operator === '<=' ? '>' : '>=' }
  const bounds: readonly TimeBound[] = [
    isBeyond,
    ...(from ? [{ edge: 'start', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<', localDateTime: to } as const] : []),
  ]
  return sql<number>`select count(*) from event_listings listing
    where facet = ${sql.lit(FACETS.all)} and is_long = 1 and shown_to & ${sql.lit(preferenceBit(preference))} <> 0
      and ${sql.join(windowConditions('listing', { bounds, isInUtc: window.isInUtc, isByEnd: true }), sql` and `)}`
}
