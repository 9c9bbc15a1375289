import type { LinkedEvent } from '../../../calendar/events/event.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateText } from '../dates.ts'
import { type Html, html } from '../html.ts'
import { pathOf } from '../page.addresses.ts'
import type { PageCall } from '../page.ts'

// What takes place again and again under one title: a list shows it once, with its other dates.

/** Dates that stand beside the first; the others are folded. */
const datesAtOnce = 5

/** Events of which each stands for those on other days, in the order in which the first of them stood. */
export interface FoldedEvents {
  readonly events: readonly LinkedEvent[]
  readonly repeats: ReadonlyMap<LinkedEvent, readonly LinkedEvent[]>
}

/** Folds events of one title, place and price. Protected ones stay apart: what is alike in them nobody may know. */
export function folded(listed: readonly LinkedEvent[]): FoldedEvents {
  const groups = Map.groupBy(listed, (event) => {
    const { id, language, titleHtml, venues, cost, passwordDigest } = event
    return JSON.stringify(
      passwordDigest === undefined ? [language, titleHtml, venues.map((venue) => venue.id), cost] : id,
    )
  })
  const entries = [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, others] as const] : []))
  return { events: entries.map(([first]) => first), repeats: new Map(entries) }
}

/** The other dates of an event, each leading to its own page. */
export function moreDates(call: PageCall, event: LinkedEvent, others: readonly LinkedEvent[]): Html {
  const { say } = call
  const item = (other: LinkedEvent) =>
    html`<li><a href="${pathOf(call, recordUrl(call.addresses, other))}">${shortDate(call, event, other)}</a></li>`
  const [shown, hidden] = [others.slice(0, datesAtOnce), others.slice(datesAtOnce)]
  return html`<div class="card-dates"><span>${say('more-dates')}</span><ul>${shown.map(item)}</ul>${
    hidden.length > 0 &&
    html`<details><summary>${say('day.more', { count: hidden.length })}</summary><ul>${hidden.map(item)}</ul></details>`
  }</div>`
}

/** The day; year and hour only where they are not those of the first date. */
function shortDate({ textLanguage }: PageCall, first: LinkedEvent, { start, isAllDay }: LinkedEvent): string {
  const isOfYear = start.slice(0, 4) === first.start.slice(0, 4)
  const day = dateText(textLanguage, isOfYear ? 'shortDate' : 'shortDay', start)
  const isSameHour = isAllDay || start.slice(11) === first.start.slice(11)
  return isSameHour ? day : `${day}, ${dateText(textLanguage, 'time', start)}`
}
