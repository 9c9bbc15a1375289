import { pageUrl } from '../../../access/http/addresses.ts'
import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { listEventsUncounted } from '../../../calendar/events/list/list.repository.ts'
import { findNeighbours, type Neighbour } from '../../../calendar/events/list/neighbours.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { listTranslationIds } from '../../../calendar/translations/group.repository.ts'
import { dateLine, dateText } from '../date.texts.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { planFiltered, plannedFor, upcomingBounds } from '../list/event.lists.ts'
import { monthPath, pathOf, viewPath } from '../page.addresses.ts'
import { folded } from './event.repeats.ts'
import { eventRows } from './event.rows.ts'
import { isOff, stateBadges, struckIf } from './event.states.ts'

// The context of an event in the calendar: its month, the previous event, the next one, and other events at its venue.

const maxHere = 5

/** Returns the way from the list to the month of an event or a day. */
export function trailNav(call: PageCall, day: LocalDateTime): Html {
  const { say, textLanguage } = call
  return html`<nav class="trail" aria-label="${say('trail')}"><a href="${viewPath(call, 'list')}">${say('events')}</a> <span aria-hidden="true">›</span> <a href="${pathOf(call, monthPath(call, day))}">${dateLine(textLanguage, 'month', day)}</a></nav>`
}

/** Returns links to the events before and after this one, by start. */
export async function neighboursNav(call: PageCall, event: LinkedEvent): Promise<Html | false> {
  const { say } = call
  const context = readContextOf(call)
  const { previous, next } = await findNeighbours(context, await planFiltered(call, {}), event)
  if (!previous && !next) return false
  return html`<nav class="neighbours" aria-label="${say('neighbours')}"><ul>
${previous && html`<li>${neighbourLink(call, previous, 'prev')}</li>`}
${next && html`<li class="next">${neighbourLink(call, next, 'next')}</li>`}
</ul></nav>`
}

function neighbourLink(call: PageCall, neighbour: Neighbour, rel: 'prev' | 'next'): Html {
  const { say, textLanguage, addresses } = call
  const { end, language, titleHtml, start } = neighbour
  const url = pageUrl(addresses, `/event/${end}/`, language)
  return html`<a rel="${rel}" href="${pathOf(call, url)}"><span class="step-name">${say(rel === 'prev' ? 'event.previous' : 'event.next')}</span>
<span class="step-when">${struckIf(isOff(neighbour), html`${dateText(textLanguage, 'shortDay', start)}`)}${stateBadges(call, neighbour)}</span> <span class="step-title"${langAttribute(call, neighbour)}>${htmlToText(titleHtml)}</span></a>`
}

/** Returns the other events at the venue of an event, from today on. The result changes with the day. */
export async function alsoHere(call: PageCall, event: LinkedEvent): Promise<Html | false> {
  const [venue] = event.venues
  if (!venue) return false
  const { say } = call
  const context = readContextOf(call)
  const venueIds = await listTranslationIds(context.db, 'records', [venue.id])
  // Events of one title take one row, so more events are read than shown.
  const plan = plannedFor(await planFiltered(call, { venueIds, isNextOnly: true }), { bounds: upcomingBounds(call) })
  const listed = await listEventsUncounted(context, plan)
  const { events, repeats } = folded(listed.filter((other) => !isSame(other, event) && other.attendance !== 'online'))
  const shown = events.slice(0, maxHere)
  return (
    shown.length > 0 &&
    html`<section class="section also-here"><h2>${say('also-here')}</h2>
${eventRows(call, shown, { isPlaced: false, repeats })}
</section>`
  )
}

/** Reports if an event is a version of another one, or a date of the same series. */
function isSame(one: LinkedEvent, other: LinkedEvent): boolean {
  return one.groupId === other.groupId || (one.seriesId !== undefined && one.seriesId === other.seriesId)
}
