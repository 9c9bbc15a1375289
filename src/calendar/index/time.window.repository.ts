import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import type { TimeBound, TimeWindow } from './event.index.ts'

/** The longest offset of a zone from UTC. */
export const maxOffsetSeconds = 16 * 3600
/**
 * The upper limit by which an event can end before it starts in local time, which happens only when clocks are put
 * back.
 */
const maxOverlapSeconds = 86_400

/** The first and last possible start, in local time. */
export interface StartRange {
  readonly from?: LocalDateTime | undefined
  readonly to?: LocalDateTime | undefined
}

export interface WindowQuery extends TimeWindow {
  readonly within?: StartRange
  /** Whether the query finds rows by their ends. Long events are few but can begin at any time. */
  readonly isByEnd?: boolean
}

/**
 * Returns the bounds of a list as conditions on a table with the times of events.
 *
 * Lists are sorted by the local start. All bounds together become one range of local starts that contains every event
 * that meets them. Upper bounds on the end also narrow the range. So do bounds on instants on a site in UTC, widened by
 * the possible UTC offsets. Engines use one lower and one upper condition for an index range, and not always the
 * narrowest, so there is one of each. Exact conditions follow for all that the range leaves open.
 */
export function windowConditions(
  table: string,
  { bounds, isInUtc, within = {}, isByEnd = false }: WindowQuery,
): readonly RawBuilder<SqlBool>[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  // Engines do not use an index for an expression.
  const start = isByEnd ? sql`coalesce(${column('start_local')}, '')` : column('start_local')
  const { from, to } = startRange({ bounds, isInUtc, within })
  return [
    ...(from ? [sql<SqlBool>`${start} >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`${start} <= ${to}`] : []),
    ...bounds.flatMap((bound) => exactConditions(bound, isInUtc, column)),
  ]
}

/** Returns the one range of local starts that contains every event that meets all bounds. */
export function startRange({ bounds, isInUtc, within = {} }: WindowQuery): StartRange {
  return {
    from: latest([within.from, ...bounds.map((bound) => impliedStart(bound, isInUtc, '>'))]),
    to: earliest([within.to, ...bounds.map((bound) => impliedStart(bound, isInUtc, '<'))]),
  }
}

/** Returns the limit that a bound implies for the start, in one direction. Undefined if it implies none. */
function impliedStart(
  { edge, operator, localDateTime }: TimeBound,
  isInUtc: boolean,
  direction: '>' | '<',
): LocalDateTime | undefined {
  if (!operator.startsWith(direction)) return undefined
  // An event that ends late may have begun at any time.
  if (edge === 'end' && direction === '>') return undefined
  const sign = direction === '>' ? -1 : 1
  const slack = (isInUtc ? maxOffsetSeconds : 0) + (edge === 'end' ? maxOverlapSeconds : 0)
  // Whole seconds: “after 10:00:00” is “from 10:00:01”.
  const open = operator.endsWith('=') ? 0 : 1
  return localDateTimeFromSeconds(
    secondsOfLocalDateTime(localDateTime) + sign * (slack - (edge === 'start' ? open : 0)),
  )
}

function exactConditions(
  { edge, operator, localDateTime }: TimeBound,
  isInUtc: boolean,
  column: (name: string) => RawBuilder<unknown>,
): readonly RawBuilder<SqlBool>[] {
  const seconds = secondsOfLocalDateTime(localDateTime)
  if (!isInUtc)
    return edge === 'start' ? [] : [sql<SqlBool>`${column('end_local')} ${sql.raw(operator)} ${localDateTime}`]
  const exact = sql<SqlBool>`${column(`${edge}_utc`)} ${sql.raw(operator)} ${seconds}`
  // An index covers the local ends of long events too.
  return edge === 'end' && operator.startsWith('>')
    ? [exact, sql<SqlBool>`${column('end_local')} >= ${localDateTimeFromSeconds(seconds - maxOffsetSeconds)}`]
    : [exact]
}

/** Local dates and times sort in the order of time. */
export function latest(localDateTimes: readonly (LocalDateTime | undefined)[]): LocalDateTime | undefined {
  return localDateTimes
    .filter((localDateTime) => localDateTime !== undefined)
    .toSorted()
    .at(-1)
}

function earliest(localDateTimes: readonly (LocalDateTime | undefined)[]): LocalDateTime | undefined {
  return localDateTimes.filter((localDateTime) => localDateTime !== undefined).toSorted()[0]
}
