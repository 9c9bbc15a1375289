import { capitalised } from '../../../base/languages/dates.js'
import { type Html, html } from '../../../base/text/html.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import type { SeriesMembership } from '../../../calendar/occurrences/occurrence.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { dateText } from '../date.texts.ts'
import type { PageCall } from '../frame/page.ts'
import { pathOf } from '../page.addresses.ts'
import { seriesPath } from '../series/series.lookup.ts'
import { ruleWords } from '../series/series.words.ts'

// Events that repeat under one title. A list shows them once, with the other dates.

/** The number of other dates that are visible. The rest are folded. */
const datesAtOnce = 5

/** Events that each represent those on other days. They keep the order of the first event of each group. */
export interface FoldedEvents {
  readonly events: readonly LinkedEvent[]
  readonly repeats: ReadonlyMap<LinkedEvent, readonly LinkedEvent[]>
}

/**
 * Folds events of one title, place, price and state. Protected events are not folded, since this would reveal what they have
 * in common.
 */
export function folded(listed: readonly LinkedEvent[]): FoldedEvents {
  const groups = Map.groupBy(listed, (event) => {
    const { id, language, titleHtml, venues, cost, passwordDigest, eventStatus, attendance } = event
    return JSON.stringify(
      passwordDigest === undefined
        ? [language, titleHtml, venues.map((venue) => venue.id), cost, eventStatus, attendance]
        : id,
    )
  })
  const entries = [...groups.values()].flatMap(([first, ...others]) => (first ? [[first, others] as const] : []))
  return { events: entries.map(([first]) => first), repeats: new Map(entries) }
}

export function moreDates(call: PageCall, event: LinkedEvent, others: readonly LinkedEvent[]): Html {
  const { say } = call
  const item = (other: LinkedEvent) =>
    html`<li><a href="${pathOf(call, recordUrl(call.addresses, other))}">${shortDate(call, event, other)}</a></li>`
  const [shown, hidden] = [others.slice(0, datesAtOnce), others.slice(datesAtOnce)]
  return html`<div class="card-dates"><span>${say('more-dates')}</span><ul>${shown.map(item)}</ul>${
    hidden.length > 0 &&
    html`<details><summary>${say('day.more', { count: hidden.length })}</summary><ul>${hidden.map(item)}</ul></details>`
  }${event.membership && html` <a href="${allDatesLink(call, event.membership, event)}">${say('series.all')}</a>`}</div>`
}

/** Returns when the series of a date repeats, with a link to its other dates. A list shows it beside the next one. */
export function seriesLine(call: PageCall, event: LinkedEvent, more: number): Html | false {
  const { membership } = event
  if (!membership || more < 1) return false
  const words = ruleWords(membership, call.textLanguage, { isShort: true })
  const link = html`<a href="${allDatesLink(call, membership, event)}">${call.say('series.more', { count: more })}</a>`
  return html`<p class="card-series">${words !== '' && html`${capitalised(words)} · `}${link}</p>`
}

function allDatesLink(call: PageCall, { base }: SeriesMembership, { language }: LinkedEvent): string {
  return pathOf(call, seriesPath({ base, language }, 'all/'))
}

/** Returns the day of an event. Year and time are included only if they differ from those of the first date. */
function shortDate({ textLanguage }: PageCall, first: LinkedEvent, { start, isAllDay }: LinkedEvent): string {
  const isOfYear = start.slice(0, 4) === first.start.slice(0, 4)
  const day = dateText(textLanguage, isOfYear ? 'shortDate' : 'shortDay', start)
  const isSameHour = isAllDay || start.slice(11) === first.start.slice(11)
  return isSameHour ? day : `${day}, ${dateText(textLanguage, 'time', start)}`
}
