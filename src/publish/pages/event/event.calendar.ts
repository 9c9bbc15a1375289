import { findEventOfPage } from '../../../calendar/events/event.read.service.ts'
import { calendarOfEvent } from '../../feeds/event.calendar.routes.ts'
import type { PageAnswer, PageCall } from '../page.ts'
import { eventPage } from './event.page.ts'

/** `/event/{slug}/?ical=1`: one event as a calendar; where there is none, what its page says of it. */
export async function eventCalendar(call: PageCall, slug: string): Promise<PageAnswer> {
  const { deps, addresses, textLanguage, viewer } = call
  const event = await findEventOfPage(deps.storage, viewer, slug)
  if (!event) return eventPage(call, slug)
  const { type, text, fileName } = await calendarOfEvent(deps, { addresses, textLanguage }, event)
  return { kind: 'text', type, text, fileName }
}
