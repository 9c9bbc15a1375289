import { type RawBuilder, sql } from 'kysely'
import { preferenceBit } from '../../base/languages/preference.bits.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import { FACETS } from '../../storage/database/facets.ts'
import { localDay, utcDay } from '../../storage/database/listings.ts'
import type { Db } from '../../storage/database/tables.ts'
import { windowConditions } from './event.bounds.repository.ts'
import { type WholeDays, wholeDays } from './event.days.ts'
import { eventIndexFor } from './event.index.repository.ts'
import type { EventQuery } from './event.query.ts'
import type { Bound } from './event.window.ts'

/**
 * How many listings there are in a window of all events: whole days from their tallies, and its edges one by one. So
 * it takes no longer for a hundred thousand events in it than for a hundred.
 *
 * @returns undefined where the tallies do not help: with filters, in short windows, and for bounds of other forms.
 */
export async function countFromDailyCounts(db: Db, dialect: Dialect, asked: EventQuery): Promise<number | undefined> {
  const days = isFiltered(asked) ? undefined : wholeDays(asked.window.bounds)
  if (!days) return undefined
  const { from, to, end } = days
  const edges = [
    ...(from ? [await countWithBound(db, dialect, asked, { edge: 'start', operator: '<', localDateTime: from })] : []),
    ...(to ? [await countWithBound(db, dialect, asked, { edge: 'start', operator: '>=', localDateTime: to })] : []),
  ]
  const parts = [sumOfDailyCounts(asked, days), ...edges]
  const beyond = end ? sql` - (${longBeyond(asked, days, end)})` : sql``
  const { rows } = await sql<{ total: number }>`
    select ${sql.join(
      parts.map((part) => sql`(${part})`),
      sql` + `,
    )}${beyond} as total`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

function isFiltered({ venueIds, organizerIds, tagIds, categoryIds, isFeatured }: EventQuery): boolean {
  return Boolean(venueIds || organizerIds || tagIds || categoryIds || isFeatured)
}

/** The events of the window that this bound holds for as well. */
async function countWithBound(db: Db, dialect: Dialect, asked: EventQuery, bound: Bound): Promise<RawBuilder<number>> {
  const window = { ...asked.window, bounds: [...asked.window.bounds, bound] }
  return sql<number>`select count(*) from ${await eventIndexFor(db, dialect, { ...asked, window })} as listing`
}

function sumOfDailyCounts({ window, preference }: EventQuery, { from, to }: WholeDays): RawBuilder<number> {
  const dayOf = (localDateTime: LocalDateTime) =>
    window.isInUtc ? utcDay(secondsOfLocalDateTime(localDateTime)) : localDay(localDateTime)
  return sql<number>`select coalesce(sum(number), 0) from event_tallies
    where clock = ${sql.lit(window.isInUtc ? 1 : 0)} and shown_to & ${sql.lit(preferenceBit(preference))} <> 0
      ${from ? sql`and day >= ${dayOf(from)}` : sql``} ${to ? sql`and day < ${dayOf(to)}` : sql``}`
}

/** The events that begin on these days and end beyond the bound all the same. */
function longBeyond({ window, preference }: EventQuery, { from, to }: WholeDays, end: Bound): RawBuilder<number> {
  const isBeyond: Bound = { ...end, operator: end.operator === '<=' ? '>' : '>=' }
  const bounds: readonly Bound[] = [
    isBeyond,
    ...(from ? [{ edge: 'start', operator: '>=', localDateTime: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<', localDateTime: to } as const] : []),
  ]
  return sql<number>`select count(*) from event_listings listing
    where facet = ${sql.lit(FACETS.all)} and is_long = 1 and shown_to & ${sql.lit(preferenceBit(preference))} <> 0
      and ${sql.join(windowConditions('listing', { bounds, isInUtc: window.isInUtc, isByEnd: true }), sql` and `)}`
}
