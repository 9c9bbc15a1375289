import { withLinks } from '../../../calendar/events/event.repository.ts'
import type { LinkedEvent, RenderedEvent } from '../../../calendar/events/event.ts'
import { today } from '../list/event.lists.ts'
import { type PageCall, readContextOf } from '../page.ts'
import { isMasked } from './event.card.ts'
import { eventData } from './event.data.ts'

/** Most events of one page that machines are told of. */
const mostDescribed = 50
/** Characters of all of it: fifty events with many and long names would make a page of megabytes. */
const mostCharacters = 200_000
/** Characters of an event's text up to which a list tells how it begins: longer ones cost more to read than a list may. */
const longestRead = 5000

/**
 * The events of a list for search engines, one beside the other: each of them names the page that is about it alone.
 * Machines are told nothing of what is protected.
 */
export function eventListData(call: PageCall, events: readonly LinkedEvent[]): readonly object[] {
  const told: object[] = []
  let characters = 0
  for (const event of events.filter((one) => !isMasked(one)).slice(0, mostDescribed)) {
    const data = eventData(call, withShortText(event))
    characters += JSON.stringify(data).length
    if (characters > mostCharacters) break
    told.push(data)
  }
  return told
}

function withShortText(event: LinkedEvent): LinkedEvent {
  const { excerptHtml, contentHtml } = event
  const text = excerptHtml === '' ? contentHtml : excerptHtml
  return text.length <= longestRead ? event : { ...event, excerptHtml: '', contentHtml: '' }
}

/** Which events of a month machines are told of, with where and by whom they are: those to come, as far as there are any. */
export function eventsForStructuredData(
  call: PageCall,
  events: readonly RenderedEvent[],
): Promise<readonly LinkedEvent[]> {
  const now = today(call)
  const open = events.filter((event) => !isMasked(event))
  const coming = open.filter(({ end }) => end >= now)
  return withLinks(readContextOf(call), (coming.length > 0 ? coming : open).slice(0, mostDescribed))
}
