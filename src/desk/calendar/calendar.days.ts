import {
  addMonths,
  dayNumber,
  dayOf,
  isLocalDateTime,
  type LocalDateTime,
  partsOfLocalDateTime,
  startOfDay,
  weekdayOf,
} from '../../base/time/local.date.time.ts'
import { localDateTimeAt } from '../../base/time/zone.ts'
import { addDays } from '../../publish/pages/date.texts.ts'
import type { OwnCall } from '../shell/desk.call.ts'

/** Months near the first and the last year have no whole weeks around them. */
const years = { first: 2, last: 9998 }

/** Returns the start of a day, `2030-01-15`; undefined if there is no such day, or if it is centuries away. */
export function startOf(day: string): LocalDateTime | undefined {
  const text = `${day} 00:00:00`
  if (!isLocalDateTime(text)) return undefined
  const { year } = partsOfLocalDateTime(text)
  return year >= years.first && year <= years.last ? text : undefined
}

/** Returns the start of today at the site. */
export function today({ now, config }: Pick<OwnCall, 'now' | 'config'>): LocalDateTime {
  return startOfDay(localDateTimeAt(now, config.siteZone))
}

/** Returns the number of days from one day to another. */
export function daysBetween(one: LocalDateTime, other: LocalDateTime): number {
  return numberOf(other) - numberOf(one)
}

/** Returns the first day of the week of a day. */
export function startOfWeek({ config }: Pick<OwnCall, 'config'>, day: LocalDateTime): LocalDateTime {
  const shift = config.weekStart === 'monday' ? 0 : 1
  return addDays(startOfDay(day), -((weekdayOf(numberOf(day)) + shift) % 7))
}

/** Returns the first and the last day of the weeks that a month touches. */
export function weeksOfMonth(
  call: Pick<OwnCall, 'config'>,
  first: LocalDateTime,
): readonly [LocalDateTime, LocalDateTime] {
  const last = addDays(addMonths(first, 1), -1)
  return [startOfWeek(call, first), addDays(startOfWeek(call, last), 6)]
}

/** Returns the month of a day: `2030-01`. */
export const monthOf = (day: LocalDateTime): string => dayOf(day).slice(0, 7)

function numberOf(local: LocalDateTime): number {
  const { year, month, day } = partsOfLocalDateTime(local)
  return dayNumber(year, month, day)
}
