import { findEventOfPage } from '../../../calendar/events/event.read.service.ts'
import { calendarOfEvent } from '../../feeds/event.calendar.routes.ts'
import type { PageAnswer, PageCall } from '../page.ts'
import { eventPage } from './event.page.ts'

/**
 * Answers `/event/{slug}/?ical=1` with the calendar of one event. If no event is found, it answers as the page of the
 * event does.
 */
export async function eventCalendar(call: PageCall, slug: string): Promise<PageAnswer> {
  const { deps, addresses, textLanguage, viewer } = call
  const event = await findEventOfPage(deps.storage, viewer, slug)
  if (!event) return eventPage(call, slug)
  const { type, text, fileName } = await calendarOfEvent(deps, { addresses, textLanguage }, event)
  return { kind: 'text', type, text, fileName }
}
