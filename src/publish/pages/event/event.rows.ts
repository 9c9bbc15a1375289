import { type Html, html } from '../../../base/text/html.ts'
import { listEventsUncounted } from '../../../calendar/events/list/list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { whenText } from '../date.texts.ts'
import { type PageCall, readContextOf } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'
import { planFiltered, plannedFor, today } from '../list/event.lists.ts'
import { pathOf } from '../page.addresses.ts'
import { cardTitle, lastingBadges, placeElement, timeElement } from './event.card.ts'
import { moreDates } from './event.repeats.ts'
import { isOff, stateBadges, struckIf } from './event.states.ts'

/** The number of events that a page suggests if nothing was found. */
const maxNext = 3
/** The number of events that are read for suggestions. Some of them may be canceled. */
export const maxReadForNext = 20

interface RowOptions {
  /** Writes the time of an event; by default its days and hours. */
  readonly when?: (event: LinkedEvent) => Html
  /** Whether titles are headings. They are in lists, but not in suggestions beside lists. */
  readonly isHeaded?: boolean
  /** Whether the rows leave out the place, because all events have the same. */
  readonly isPlaced?: boolean
  /** Whether the rows have all badges of events. Those of states are in all rows. */
  readonly isBadged?: boolean
  readonly repeats?: ReadonlyMap<LinkedEvent, readonly LinkedEvent[]>
}

/** Returns events in short form, without pictures: date, title, place. */
export function eventRows(
  call: PageCall,
  events: readonly LinkedEvent[],
  {
    when = (event) => whenElement(call, event),
    isHeaded = false,
    isPlaced = true,
    isBadged = false,
    repeats = new Map(),
  }: RowOptions = {},
): Html {
  const link = (event: LinkedEvent) =>
    html`<a href="${pathOf(call, recordUrl(call.addresses, event))}"${langAttribute(call, event)}>${cardTitle(event)}</a>`
  return html`<ul class="rows">
${events.map((event) => {
  const place = isPlaced && placeElement(call, event)
  const others = repeats.get(event) ?? []
  return html`<li><p class="row-when">${struckIf(isOff(event), when(event))}${stateBadges(call, event)}${isBadged && lastingBadges(call, event)}</p>
${isHeaded ? html`<h3>${link(event)}</h3>` : html`<p class="row-title">${link(event)}</p>`}
${place && html`<p class="row-place">${place}</p>`}
${others.length > 0 && moreDates(call, event, others)}</li>`
})}
</ul>`
}

function whenElement({ textLanguage }: PageCall, event: LinkedEvent): Html {
  return timeElement(event, whenText(textLanguage, event))
}

/**
 * Returns the next events of the calendar that take place, independent of all filters. An empty list shows them. Takes
 * one query.
 */
export async function nextEvents(call: PageCall): Promise<Html | false> {
  const { say } = call
  const bounds = [{ edge: 'start', operator: '>=', localDateTime: today(call) }] as const
  const plan = plannedFor(await planFiltered(call, {}), { bounds, perPage: maxReadForNext })
  const read = await listEventsUncounted(readContextOf(call), plan)
  const events = read.filter((event) => !isOff(event)).slice(0, maxNext)
  return (
    events.length > 0 &&
    html`<section class="next-up" data-next><h2>${say('next-up')}</h2>
${eventRows(call, events)}
</section>`
  )
}
