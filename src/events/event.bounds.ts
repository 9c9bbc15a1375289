import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { secondsOfWall, wallFromSeconds } from '../time/wall.ts'
import type { Bound } from './event.window.ts'

/** No zone is further from UTC than this. */
export const widestOffsetSeconds = 16 * 3600

/**
 * A bound of a list as a condition on a table with the times of events.
 *
 * A bound on the instant, where the site is on the clock of UTC, goes with a wider one on the wall clock, which no
 * event that meets the first can miss: lists are sorted by the wall clock, and so its index serves for both.
 */
export function boundCondition(table: string, { edge, operator, wall }: Bound, isInUtc: boolean): RawBuilder<SqlBool> {
  const local = sql.ref(`${table}.${edge}_local`)
  if (!isInUtc) return sql<SqlBool>`${local} ${sql.raw(operator)} ${wall}`
  const seconds = secondsOfWall(wall)
  const isLower = operator.startsWith('>')
  const widened = wallFromSeconds(seconds + (isLower ? -widestOffsetSeconds : widestOffsetSeconds))
  return sql<SqlBool>`(${sql.ref(`${table}.${edge}_utc`)} ${sql.raw(operator)} ${seconds}
    and ${local} ${sql.raw(isLower ? '>=' : '<=')} ${widened})`
}
