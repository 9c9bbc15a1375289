import { listEventsUncounted } from '../../../calendar/events/event.list.repository.ts'
import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { whenText } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { planFiltered, plannedFor, today } from '../list/event.lists.ts'
import { pathOf } from '../page.addresses.ts'
import { type PageCall, readContextOf } from '../page.ts'
import { langAttribute } from '../text.language.ts'
import { cardTitle, placeElement, timeElement } from './event.card.ts'
import { moreDates } from './event.repeats.ts'

/** Events that are offered where nothing was found. */
const mostNext = 3

interface RowOptions {
  /** When it is; otherwise its days and hours. */
  readonly when?: (event: LinkedEvent) => Html
  /** Whether titles are headings: in lists they are, in suggestions beside them they are not. */
  readonly isHeaded?: boolean
  /** Where all are at one place, that need not be said of each. */
  readonly isPlaced?: boolean
  readonly repeats?: ReadonlyMap<LinkedEvent, readonly LinkedEvent[]>
}

/** Events in few words, without pictures: date, title, place. */
export function eventRows(
  call: PageCall,
  events: readonly LinkedEvent[],
  {
    when = (event) => whenElement(call, event),
    isHeaded = false,
    isPlaced = true,
    repeats = new Map(),
  }: RowOptions = {},
): Html {
  const link = (event: LinkedEvent) =>
    html`<a href="${pathOf(call, recordUrl(call.addresses, event))}"${langAttribute(call, event)}>${cardTitle(event)}</a>`
  return html`<ul class="rows">
${events.map((event) => {
  const place = isPlaced && placeElement(call, event)
  const others = repeats.get(event) ?? []
  return html`<li><p class="row-when">${when(event)}</p>
${isHeaded ? html`<h3>${link(event)}</h3>` : html`<p class="row-title">${link(event)}</p>`}
${place && html`<p class="row-place">${place}</p>`}
${others.length > 0 && moreDates(call, event, others)}</li>`
})}
</ul>`
}

function whenElement({ textLanguage }: PageCall, event: LinkedEvent): Html {
  return timeElement(event, whenText(textLanguage, event))
}

/** What comes next on the calendar, whatever was looked for: an empty list leads on to it. One query. */
export async function nextEvents(call: PageCall): Promise<Html | false> {
  const { say } = call
  const bounds = [{ edge: 'start', operator: '>=', localDateTime: today(call) }] as const
  const plan = plannedFor(await planFiltered(call, {}), { bounds, perPage: mostNext })
  const events = await listEventsUncounted(readContextOf(call), plan)
  return (
    events.length > 0 &&
    html`<section class="next-up" data-next><h2>${say('next-up')}</h2>
${eventRows(call, events)}
</section>`
  )
}
