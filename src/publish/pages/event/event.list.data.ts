import { withLinks } from '../../../calendar/events/event.repository.ts'
import type { LinkedEvent, RenderedEvent } from '../../../calendar/events/model/event.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'
import { today } from '../list/event.lists.ts'
import { isMasked } from './event.card.ts'
import { eventData } from './event.data.ts'

/** The maximum number of events of one page in structured data. */
const maxDescribed = 50
/** The maximum length of the data of a page. Fifty events with many long names would otherwise take megabytes. */
const maxCharacters = 200_000
/** The maximum length of a description that a list excerpts, in characters. Longer ones take too much time to read. */
const longestRead = 5000

/**
 * Returns the events of a list for search engines, as separate objects. Each names the page of its event. Protected
 * events are left out.
 */
export function eventListData(call: PageCall, events: readonly LinkedEvent[]): readonly object[] {
  const told: object[] = []
  let characters = 0
  for (const event of events.filter((one) => !isMasked(one)).slice(0, maxDescribed)) {
    const data = eventData(call, withShortText(event))
    characters += JSON.stringify(data).length
    if (characters > maxCharacters) break
    told.push(data)
  }
  return told
}

/** Returns an event without texts that take too long to excerpt. */
export function withShortText(event: LinkedEvent): LinkedEvent {
  const { excerptHtml, contentHtml } = event
  const text = excerptHtml === '' ? contentHtml : excerptHtml
  return text.length <= longestRead ? event : { ...event, excerptHtml: '', contentHtml: '' }
}

/** Returns the events of a month for structured data, with venues and organizers: upcoming ones, if there are any. */
export function eventsForStructuredData(
  call: PageCall,
  events: readonly RenderedEvent[],
): Promise<readonly LinkedEvent[]> {
  const now = today(call)
  const open = events.filter((event) => !isMasked(event))
  const coming = open.filter(({ end }) => end >= now)
  return withLinks(readContextOf(call), (coming.length > 0 ? coming : open).slice(0, maxDescribed))
}
