import { findEventOfPage } from '../../../calendar/events/read/read.service.ts'
import { calendarOfEvent } from '../../feeds/event.calendar.routes.ts'
import type { PageAnswer, PageCall } from '../frame/page.ts'

/**
 * Answers `/event/{slug}/?ical=1` with the calendar of one event. Undefined if visitors see no event there.
 *
 * @param end The slug, or the path of a date of a series.
 */
export async function eventCalendar(call: PageCall, end: string): Promise<PageAnswer | undefined> {
  const { deps, viewer } = call
  const event = await findEventOfPage(deps.storage, viewer, end)
  if (!event) return undefined
  const { type, text, fileName, lastModified } = await calendarOfEvent(deps, call, event)
  return { kind: 'text', type, text, fileName, lastModified }
}
