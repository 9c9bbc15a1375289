import { addSeconds, type LocalDateTime } from '../../../base/time/local.date.time.ts'
import { listEventsUncounted } from '../../../calendar/events/event.list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateText } from '../dates.ts'
import { cardTitle } from '../event/event.card.ts'
import { type Html, html } from '../html.ts'
import { pathOf } from '../page.addresses.ts'
import type { PageCall } from '../page.ts'
import { type EventFilter, upcomingBounds, visitorQuery } from './event.lists.ts'
import type { PageFilters } from './filters.ts'

/** The days in which there is nothing. */
interface SearchedDays {
  /** What is said where nothing was looked for. */
  readonly text: string
  /** The first and the last moment of these days. */
  readonly first: LocalDateTime
  readonly last: LocalDateTime
}

/**
 * Says that there is nothing in these days, and what comes next: of what was looked for, or else
 * of everything, from the first of these days on.
 *
 */
export async function noEventsUntil(
  call: PageCall,
  filters: PageFilters,
  { text, first, last }: SearchedDays,
): Promise<Html> {
  const { say } = call
  const fitting = filters.isImpossible ? undefined : await nextEvent(call, filters.eventFilter, last)
  const other = fitting === undefined && filters.isActive ? await nextEvent(call, {}, addSeconds(first, -1)) : undefined
  const next = fitting ?? other
  return html`<div class="empty"><p>${filters.isActive ? say('nothing-found') : text}</p>
${next && html`<p><a href="${pathOf(call, recordUrl(call.addresses, next))}">${nextText(call, next, other ? 'nothing.next-unfiltered' : 'nothing.next')}</a></p>`}</div>`
}

function nextText(
  { say, textLanguage }: PageCall,
  event: LinkedEvent,
  key: 'nothing.next' | 'nothing.next-unfiltered',
) {
  return say(key, { title: cardTitle(event), date: dateText(textLanguage, 'day', event.start) })
}

/** The first event that begins later than this and is not over. */
async function nextEvent(
  call: PageCall,
  eventFilter: EventFilter,
  after: LocalDateTime,
): Promise<LinkedEvent | undefined> {
  const { db, dialect } = call.deps.storage
  const bounds = [...upcomingBounds(call), { edge: 'start', operator: '>', localDateTime: after } as const]
  const asked = visitorQuery(call, bounds, { page: 1, perPage: 1, eventFilter })
  const [next] = await listEventsUncounted(db, dialect, call.viewer, asked)
  return next
}
