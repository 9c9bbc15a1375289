import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { secondsOfWall, wallFromSeconds } from '../time/wall.ts'
import type { Bound } from './event.window.ts'

/** No zone is further from UTC than this. */
export const widestOffsetSeconds = 16 * 3600

/** No event begins later by its clock than it ends, but in the hour that a clock is put back. */
const widestOverlapSeconds = 86_400

/**
 * A bound of a list as a condition on a table with the times of events.
 *
 * A bound on the instant, where the site is on the clock of UTC, goes with a wider one on the wall clock, which no
 * event that meets the first can miss; and one that an event has to end before with a bound on its start. Lists are
 * sorted by the wall clock of the start, and so one range of its index holds all that can be meant.
 */
export function boundCondition(table: string, { edge, operator, wall }: Bound, isInUtc: boolean): RawBuilder<SqlBool> {
  const isLower = operator.startsWith('>')
  const seconds = secondsOfWall(wall)
  const exact = isInUtc
    ? sql<SqlBool>`${sql.ref(`${table}.${edge}_utc`)} ${sql.raw(operator)} ${seconds}`
    : sql<SqlBool>`${sql.ref(`${table}.${edge}_local`)} ${sql.raw(operator)} ${wall}`
  const slack = (isInUtc ? widestOffsetSeconds : 0) + (edge === 'end' ? widestOverlapSeconds : 0)
  const start = sql.ref(`${table}.start_local`)
  if (!isLower) return sql<SqlBool>`(${exact} and ${start} <= ${wallFromSeconds(seconds + slack)})`
  if (edge === 'start') return sql<SqlBool>`(${exact} and ${start} >= ${wallFromSeconds(seconds - slack)})`
  return sql<SqlBool>`(${exact} and ${sql.ref(`${table}.end_local`)} >= ${wallFromSeconds(seconds - slack)})`
}
