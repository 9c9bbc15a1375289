import {
  addMonths,
  addSeconds,
  dayOf,
  type LocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../../base/time/local.date.time.ts'
import { addDays } from '../dates.ts'
import { type Html, html, raw } from '../html.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import type { PageCall } from '../page.ts'
import { today } from './event.lists.ts'
import type { PageFilters } from './filters.ts'

interface DateRange {
  readonly from: string
  readonly to: string
}

/**
 * The days that most visitors ask for, by the clock of the site: today, what is left of this weekend or else the next
 * one, and what is left of this month. A weekend is Saturday and Sunday, on whichever day weeks begin.
 */
export function dateShortcuts(now: LocalDateTime): Readonly<Record<'today' | 'weekend' | 'month.this', DateRange>> {
  const untilSunday = (7 - weekdayOf(now)) % 7
  const sunday = addDays(now, untilSunday)
  const saturday = addDays(now, Math.max(0, untilSunday - 1))
  const lastOfMonth = startOfDay(addSeconds(addMonths(`${now.slice(0, 7)}-01 00:00:00` as LocalDateTime, 1), -1))
  const days = (from: LocalDateTime, to: LocalDateTime): DateRange => ({ from: dayOf(from), to: dayOf(to) })
  return { today: days(now, now), weekend: days(saturday, sunday), 'month.this': days(now, lastOfMonth) }
}

/** Whether the days of a list were chosen by one of the links. */
export function isDateShortcut(call: PageCall, { from, to }: PageFilters['values']): boolean {
  return Object.values(dateShortcuts(today(call))).some((days) => days.from === from && days.to === to)
}

/** Sunday is 0. */
function weekdayOf(localDateTime: LocalDateTime): number {
  return new Date(secondsOfLocalDateTime(localDateTime) * 1000).getUTCDay()
}

/** Links to these days, narrowed as the list is otherwise; the one in force leads back. */
export function datesNav(call: PageCall, path: string, { values }: Pick<PageFilters, 'values'>): Html {
  const { say } = call
  const { from, to, ...others } = values
  const link = (key: 'today' | 'weekend' | 'month.this', days: DateRange) => {
    const isChosen = days.from === from && days.to === to
    const address = withQuery(path, isChosen ? others : { ...others, ...days })
    return html`<li><a class="button quiet" href="${pathOf(call, address)}" data-swap${isChosen && raw(' aria-current="true"')}>${say(key)}</a></li>`
  }
  const usual = dateShortcuts(today(call))
  return html`<nav class="dates" aria-label="${say('dates')}"><ul>
${(['today', 'weekend', 'month.this'] as const).map((key) => link(key, usual[key]))}
</ul></nav>`
}
