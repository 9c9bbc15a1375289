import { type Html, html, raw } from '../../../base/text/html.ts'
import {
  addMonths,
  addSeconds,
  dayOf,
  type LocalDateTime,
  secondsOfLocalDateTime,
  startOfDay,
} from '../../../base/time/local.date.time.ts'
import { addDays } from '../date.texts.ts'
import type { PageCall } from '../frame/page.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { today } from './event.lists.ts'
import type { PageFilters } from './filters.ts'

interface DateRange {
  readonly from: string
  readonly to: string
}

/**
 * Returns the days that visitors request most, in the local time of the site: today, the rest of this weekend or else
 * the next one, and the rest of this month. A weekend is Saturday and Sunday, no matter on which day weeks begin.
 */
export function dateShortcuts(now: LocalDateTime): Readonly<Record<'today' | 'weekend' | 'month.this', DateRange>> {
  const untilSunday = (7 - weekdayOf(now)) % 7
  const sunday = addDays(now, untilSunday)
  const saturday = addDays(now, Math.max(0, untilSunday - 1))
  const lastOfMonth = startOfDay(addSeconds(addMonths(`${now.slice(0, 7)}-01 00:00:00` as LocalDateTime, 1), -1))
  const days = (from: LocalDateTime, to: LocalDateTime): DateRange => ({ from: dayOf(from), to: dayOf(to) })
  return { today: days(now, now), weekend: days(saturday, sunday), 'month.this': days(now, lastOfMonth) }
}

/** Reports if the days of a list match one of the shortcuts. */
export function isDateShortcut(call: PageCall, { from, to }: PageFilters['values']): boolean {
  return Object.values(dateShortcuts(today(call))).some((days) => days.from === from && days.to === to)
}

/** Returns the day of the week. Sunday is 0. */
function weekdayOf(localDateTime: LocalDateTime): number {
  return new Date(secondsOfLocalDateTime(localDateTime) * 1000).getUTCDay()
}

/** Returns links to these days that keep the other filters. The link of the active shortcut removes its days. */
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
