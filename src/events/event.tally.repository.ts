import { type RawBuilder, sql } from 'kysely'
import { bitOf } from '../languages/chain.ts'
import type { Dialect } from '../storage/dialect.ts'
import { FACETS, localDay, longestShortSeconds, utcDay } from '../storage/listings.ts'
import type { Db } from '../storage/tables.ts'
import { secondsOfWall, startOfDay, type Wall, wallFromSeconds } from '../time/wall.ts'
import { windowConditions } from './event.bounds.repository.ts'
import { listingsFor } from './event.listing.repository.ts'
import type { EventQuery } from './event.query.ts'
import type { Bound } from './event.window.ts'

const daySeconds = 86_400
/** Fewer days are counted as quickly one by one. */
const fewestDays = 21

/** The days of a window of which every event that begins then counts, but for some that are `long`. */
interface WholeDays {
  /** Beginning of the first of them; undefined: from ever. */
  readonly from: Wall | undefined
  /** Beginning of the first day after them; undefined: for ever. */
  readonly to: Wall | undefined
  /** A bound on the end that only long events can be beyond. */
  readonly end: Bound | undefined
}

/**
 * How many listings there are in a window of all events: whole days from their tallies, and its edges one by one. So
 * it takes no longer for a hundred thousand events in it than for a hundred.
 *
 * @returns undefined where the tallies do not help: with filters, in short windows, and for bounds of other forms.
 */
export async function countTallied(db: Db, dialect: Dialect, asked: EventQuery): Promise<number | undefined> {
  const days = isFiltered(asked) ? undefined : wholeDays(asked.window.bounds)
  if (!days) return undefined
  const { from, to, end } = days
  const edges = [
    ...(from ? [await countWith(db, dialect, asked, { edge: 'start', operator: '<', wall: from })] : []),
    ...(to ? [await countWith(db, dialect, asked, { edge: 'start', operator: '>=', wall: to })] : []),
  ]
  const parts = [tallyOf(asked, days), ...edges]
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

function wholeDays(bounds: readonly Bound[]): WholeDays | undefined {
  const named = (edge: Bound['edge'], sign: '>' | '<') =>
    bounds.filter((bound) => bound.edge === edge && bound.operator.startsWith(sign))
  const [startsAfter, startsBefore] = [named('start', '>'), named('start', '<')]
  const [endsAfter, endsBefore] = [named('end', '>'), named('end', '<')]
  if ([startsAfter, startsBefore, endsAfter, endsBefore].some((list) => list.length > 1)) return undefined
  if (endsAfter[0] && (startsAfter[0] || endsBefore[0])) return undefined
  // An event ends no earlier than a day before it begins, so all that begins two days later ends after it.
  const from = endsAfter[0] ? dayFrom(endsAfter[0], 2) : startsAfter[0] && dayFrom(startsAfter[0], 1)
  const latest = [
    ...startsBefore.map((bound) => dayFrom(bound, 0)),
    ...endsBefore.map((bound) => dayFrom(bound, -longestShortSeconds / daySeconds - 2)),
  ]
  const to = latest.sort()[0]
  const isLong = !from || !to || secondsOfWall(to) - secondsOfWall(from) >= fewestDays * daySeconds
  return isLong && (from || to) ? { from, to, end: endsBefore[0] } : undefined
}

/** The beginning of the day that stands so many days after that of the bound. */
function dayFrom({ wall }: Bound, days: number): Wall {
  return startOfDay(wallFromSeconds(secondsOfWall(wall) + days * daySeconds))
}

/** The events of the window that this bound holds for as well. */
async function countWith(db: Db, dialect: Dialect, asked: EventQuery, bound: Bound): Promise<RawBuilder<number>> {
  const window = { ...asked.window, bounds: [...asked.window.bounds, bound] }
  return sql<number>`select count(*) from ${await listingsFor(db, dialect, { ...asked, window })} as listing`
}

function tallyOf({ window, preference }: EventQuery, { from, to }: WholeDays): RawBuilder<number> {
  const dayOf = (wall: Wall) => (window.isInUtc ? utcDay(secondsOfWall(wall)) : localDay(wall))
  return sql<number>`select coalesce(sum(number), 0) from event_tallies
    where clock = ${sql.lit(window.isInUtc ? 1 : 0)} and shown_to & ${sql.lit(bitOf(preference))} <> 0
      ${from ? sql`and day >= ${dayOf(from)}` : sql``} ${to ? sql`and day < ${dayOf(to)}` : sql``}`
}

/** The events that begin on these days and end beyond the bound all the same. */
function longBeyond({ window, preference }: EventQuery, { from, to }: WholeDays, end: Bound): RawBuilder<number> {
  const isBeyond: Bound = { ...end, operator: end.operator === '<=' ? '>' : '>=' }
  const bounds: readonly Bound[] = [
    isBeyond,
    ...(from ? [{ edge: 'start', operator: '>=', wall: from } as const] : []),
    ...(to ? [{ edge: 'start', operator: '<', wall: to } as const] : []),
  ]
  return sql<number>`select count(*) from event_listings listing
    where facet = ${sql.lit(FACETS.all)} and is_long = 1 and shown_to & ${sql.lit(bitOf(preference))} <> 0
      and ${sql.join(windowConditions('listing', { bounds, isInUtc: window.isInUtc, isByEnd: true }), sql` and `)}`
}
