import { pageUrl } from '../../../access/http/addresses.ts'
import { htmlToText } from '../../../base/text/escape.ts'
import { listEventsUncounted } from '../../../calendar/events/event.list.repository.ts'
import { findNeighbours, type Neighbour } from '../../../calendar/events/event.neighbours.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { listVersionIds } from '../../../calendar/translations/group.repository.ts'
import { dateText } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { eventsPerPage, upcomingBounds, visitorQuery } from '../list/event.lists.ts'
import { pathOf } from '../page.addresses.ts'
import type { PageCall } from '../page.ts'
import { langAttribute } from '../text.language.ts'
import { folded } from './event.repeats.ts'
import { eventRows } from './event.rows.ts'

// What stands around an event in the calendar: the one before, the one after, and what else is on at its venue.

const mostHere = 5

/** The events before and after this one, by their start. */
export async function neighboursNav(call: PageCall, event: LinkedEvent): Promise<Html | false> {
  const { deps, viewer, say } = call
  const asked = visitorQuery(call, [], { page: 1, perPage: 1 })
  const { previous, next } = await findNeighbours(deps.storage.db, deps.storage.dialect, viewer, asked, event)
  if (!previous && !next) return false
  return html`<nav class="neighbours" aria-label="${say('neighbours')}"><ul>
${previous && html`<li>${neighbourLink(call, previous, 'prev')}</li>`}
${next && html`<li class="next">${neighbourLink(call, next, 'next')}</li>`}
</ul></nav>`
}

function neighbourLink(call: PageCall, neighbour: Neighbour, rel: 'prev' | 'next'): Html {
  const { say, textLanguage, addresses } = call
  const { slug, language, titleHtml, start } = neighbour
  const url = pageUrl(addresses, `/event/${slug}/`, language)
  return html`<a rel="${rel}" href="${pathOf(call, url)}"><span class="step-name">${say(rel === 'prev' ? 'event.previous' : 'event.next')}</span>
<span class="step-when">${dateText(textLanguage, 'shortDay', start)}</span> <span class="step-title"${langAttribute(call, neighbour)}>${htmlToText(titleHtml)}</span></a>`
}

/** What else is on at the venue of an event, from today on: it changes with the day. */
export async function alsoHere(call: PageCall, event: LinkedEvent): Promise<Html | false> {
  const [venue] = event.venues
  if (!venue) return false
  const { deps, viewer, say } = call
  const { db, dialect } = deps.storage
  const venueIds = await listVersionIds(db, 'records', [venue.id])
  // A weekly event is one row: more are read than are shown.
  const asked = visitorQuery(call, upcomingBounds(call), {
    ...{ page: 1, perPage: eventsPerPage },
    eventFilter: { venueIds },
  })
  const listed = await listEventsUncounted(db, dialect, viewer, asked)
  const { events, repeats } = folded(listed.filter(({ groupId }) => groupId !== event.groupId))
  const shown = events.slice(0, mostHere)
  return (
    shown.length > 0 &&
    html`<section class="section also-here"><h2>${say('also-here')}</h2>
${eventRows(call, shown, { isPlaced: false, repeats })}
</section>`
  )
}
