import type { DayEntry } from '../events/event.days.repository.ts'
import type { ShownEvent } from '../events/event.ts'
import { dayNumber, partsOfWall, type Wall, wallFromSeconds, weekdayOf } from '../time/wall.ts'
import { lastDayOf } from './dates.ts'

const daySeconds = 86_400
/** Events that began before a day and are shown on it once more. */
const mostContinuing = 3

/** A day of a month. */
export interface Day {
  readonly start: Wall
  /** Monday is 0. */
  readonly weekday: number
  readonly continuing: readonly ShownEvent[]
  readonly starting: readonly ShownEvent[]
  /** How many events there are on it, as far as that is known. */
  readonly total: number
  /** How many of them are not named. */
  readonly more: number
}

/** The days from the first to the last, each with its events: those that go on from a day before, and its own. */
export function daysOf(
  entries: readonly DayEntry[],
  { first, last }: { readonly first: Wall; readonly last: Wall },
): readonly Day[] {
  const dated = entries.map(({ event, day, dayTotal }) => {
    const [start, end] = [numberOf(`${day} 00:00:00` as Wall), numberOf(lastDayOf(event))]
    return { event, start, end, dayTotal }
  })
  // What ended in the night that begins the first day is not of this month.
  const placed = dated.filter(({ start, end }) => end >= start)
  const unplaced = dated.length - placed.length
  const starting = Map.groupBy(placed, ({ start }) => start)
  const longer = placed.filter(({ start, end }) => end > start)
  const [from, to] = [numberOf(first), numberOf(last)]
  return Array.from({ length: to - from + 1 }, (_, place) => {
    const number = from + place
    const own = starting.get(number) ?? []
    const going = longer.filter(({ start, end }) => start < number && number <= end)
    const continuing = going.slice(0, mostContinuing)
    const ownTotal = own[0] ? own[0].dayTotal - (place === 0 ? unplaced : 0) : 0
    return {
      start: wallFromSeconds(number * daySeconds),
      weekday: weekdayOf(number),
      continuing: continuing.map(({ event }) => event),
      starting: own.map(({ event }) => event),
      total: ownTotal + going.length,
      more: ownTotal - own.length + going.length - continuing.length,
    }
  })
}

function numberOf(wall: Wall): number {
  const { year, month, day } = partsOfWall(wall)
  return dayNumber(year, month, day)
}
