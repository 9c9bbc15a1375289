import { type LocalDateTime, maxLocalDateTimeSeconds, secondsOfLocalDateTime } from '../../base/time/local.date.time.ts'
import { daySeconds, utcDay } from './daily.counts.ts'
import { longestShortSeconds, type TimeBound, type TimeWindow } from './event.index.ts'
import { earliestShortStart } from './index.entries.repository.ts'
import { startRange } from './time.window.repository.ts'

/** Days of starts, from the first to the last. */
export interface Days {
  readonly first: number
  readonly last: number
}

/** What the day on which an event begins says about whether it is in a window. */
export interface WindowDays {
  /** The days on which events of the window begin. */
  readonly possible: Days
  readonly possibleLong: Days
  /** The days on which every event begins in the window. */
  readonly certain: Days
  /** Days of long events. There are none if the window limits the ends. */
  readonly certainLong: Days
}

/** All days that can be written. */
export const everyDay: Days = { first: 0, last: utcDay(maxLocalDateTimeSeconds) }
const never: Days = { first: 1, last: 0 }
/** No UTC offset is as long as a day, and no clock change. */
const slackDays = 1

/** Returns which days of starts are in a window, possibly or certainly. */
export function windowDays(window: TimeWindow): WindowDays {
  const { bounds, isInUtc } = window
  const { from, to } = startRange(window)
  const last = to === undefined ? everyDay.last : dayOf(to)
  const possibleLong = { first: from === undefined ? everyDay.first : dayOf(from), last }
  const earliest = earliestShortStart(bounds)
  const possible = earliest === undefined ? possibleLong : { first: dayOf(earliest), last }
  const certainly = bounds.map((bound) => certainDays(bound, isInUtc))
  const certain = certainly.reduce(overlap, everyDay)
  const isEndLimited = bounds.some(({ edge, operator }) => edge === 'end' && operator.startsWith('<'))
  return { possible, possibleLong, certain, certainLong: isEndLimited ? never : certain }
}

function certainDays({ edge, operator, localDateTime }: TimeBound, isInUtc: boolean): Days {
  const isLower = operator.startsWith('>')
  const seconds = secondsOfLocalDateTime(localDateTime)
  const slack = isInUtc ? slackDays : 0
  if (isLower) {
    // The day itself counts if the bound is its beginning.
    const isWholeDay = operator === '>=' && seconds % daySeconds === 0
    // An event ends at most one day before it begins in local time.
    const extra = edge === 'end' ? slackDays + 1 : isWholeDay ? 0 : 1
    return { first: dayOf(localDateTime) + extra + slack, last: everyDay.last }
  }
  const isWholeDay = (seconds + 1) % daySeconds === 0
  const extra = edge === 'end' ? longestShortSeconds / daySeconds + 2 : isWholeDay && operator === '<=' ? 0 : 1
  return { first: everyDay.first, last: dayOf(localDateTime) - extra - slack }
}

export function overlap(one: Days, other: Days): Days {
  return { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
}

function dayOf(localDateTime: LocalDateTime): number {
  return utcDay(secondsOfLocalDateTime(localDateTime))
}
