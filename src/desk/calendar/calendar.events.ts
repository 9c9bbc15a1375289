import { contentLanguageOf } from '../../base/languages/language.ts'
import { endOfDay, type LocalDateTime } from '../../base/time/local.date.time.ts'
import { lastDayOf } from '../../publish/pages/date.texts.ts'
import { type RowJson, readRows, rowIn } from '../events/event.rows.ts'
import { everyDay } from '../events/table.days.ts'
import type { OwnCall } from '../shell/desk.call.ts'
import { daysBetween } from './calendar.days.ts'

const perPage = 100
/** What a page can show. A calendar with more in a month is read by the week. */
const maxPages = 5

/** An event, with its first and its last day counted from the first day that is shown. */
export interface CalendarEvent {
  readonly event: RowJson
  readonly start: number
  readonly end: number
}

/** The events of some days, in the order of their starts. */
export interface CalendarEvents {
  readonly spans: readonly CalendarEvent[]
  /** The number of events that are not shown. */
  readonly left: number
}

/** Reads the events of these days, each in the language of the page if it exists in it. */
export async function readDays(call: OwnCall, first: LocalDateTime, last: LocalDateTime): Promise<CalendarEvents> {
  const language = contentLanguageOf(call.config, call.textLanguage)
  // Also those that began before.
  const within = { ends_after: first, starts_before: endOfDay(last) }
  const read = (page: number) => readRows(call, { ...everyDay, ...within, status: 'any', per_page: perPage, page })
  const found = await read(1)
  const pages = Math.min(found.total_pages, maxPages)
  const more = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, place) => read(place + 2)))
  const events = [found, ...more].flatMap((page) => page.events).map((event) => rowIn(event, language))
  return {
    spans: events.map((event) => {
      const [start, end] = [event.start_date as LocalDateTime, event.end_date as LocalDateTime]
      const last = lastDayOf({ start, end, isAllDay: event.all_day === true })
      return { event, start: daysBetween(first, start), end: daysBetween(first, last) }
    }),
    left: Math.max(0, found.total - events.length),
  }
}
