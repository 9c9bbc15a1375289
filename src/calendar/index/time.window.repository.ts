import { type RawBuilder, type SqlBool, sql } from 'kysely'
import {
  type LocalDateTime,
  localDateTimeFromSeconds,
  secondsOfLocalDateTime,
} from '../../base/time/local.date.time.ts'
import type { TimeBound, TimeWindow } from './event.index.ts'

/** No zone is further from UTC than this. */
export const maxOffsetSeconds = 16 * 3600
/** No event begins later by its clock than it ends, but in the hour that a clock is put back. */
const maxOverlapSeconds = 86_400

/** The first and the last start that can be meant, in local time. */
export interface StartRange {
  readonly from?: LocalDateTime | undefined
  readonly to?: LocalDateTime | undefined
}

export interface WindowOptions extends TimeWindow {
  readonly within?: StartRange
  /** Whether the rows are to be found by their ends: long events are few, but begin at any time. */
  readonly isByEnd?: boolean
}

/**
 * The bounds of a list as conditions on a table with the times of events.
 *
 * Lists are sorted by the local time of the start. So all bounds together become one range of it, which no event that
 * meets them can miss: one that an event has to end before as well, and those on instants, on a site on the clock of
 * UTC, widened by the offsets that there are. Engines take one lower and one upper condition for the range of an index
 * that they read, and not always the narrowest: hence one of each. What the range does not say exactly follows.
 */
export function windowConditions(
  table: string,
  { bounds, isInUtc, within = {}, isByEnd = false }: WindowOptions,
): readonly RawBuilder<SqlBool>[] {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  // What is no plain column an engine does not look up by.
  const start = isByEnd ? sql`coalesce(${column('start_local')}, '')` : column('start_local')
  const { from, to } = startRange({ bounds, isInUtc, within })
  return [
    ...(from ? [sql<SqlBool>`${start} >= ${from}`] : []),
    ...(to ? [sql<SqlBool>`${start} <= ${to}`] : []),
    ...bounds.flatMap((bound) => exactConditions(bound, isInUtc, column)),
  ]
}

/** The one range of starts, on their own clocks, that no event which meets all bounds can miss. */
export function startRange({ bounds, isInUtc, within = {} }: WindowOptions): StartRange {
  return {
    from: latest([within.from, ...bounds.map((bound) => impliedStart(bound, isInUtc, '>'))]),
    to: earliest([within.to, ...bounds.map((bound) => impliedStart(bound, isInUtc, '<'))]),
  }
}

/** What a bound says of the start, in one direction; undefined where nothing. */
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
  // Whole seconds: “after 10:00:00” is “from 10:00:01 on”.
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
  // The ends of long events have an index, in local time as well.
  return edge === 'end' && operator.startsWith('>')
    ? [exact, sql<SqlBool>`${column('end_local')} >= ${localDateTimeFromSeconds(seconds - maxOffsetSeconds)}`]
    : [exact]
}

/** Local date-times sort as times do. */
function latest(localDateTimes: readonly (LocalDateTime | undefined)[]): LocalDateTime | undefined {
  return localDateTimes
    .filter((localDateTime) => localDateTime !== undefined)
    .toSorted()
    .at(-1)
}

function earliest(localDateTimes: readonly (LocalDateTime | undefined)[]): LocalDateTime | undefined {
  return localDateTimes.filter((localDateTime) => localDateTime !== undefined).toSorted()[0]
}
