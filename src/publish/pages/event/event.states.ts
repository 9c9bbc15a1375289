import type { StateKey } from '../../../base/languages/catalogue.ts'
import { stateText } from '../../../base/languages/texts.ts'
import { htmlToText } from '../../../base/text/escape.ts'
import { type Html, html } from '../../../base/text/html.ts'
import { epochSecondsOf, localDateTimeAt } from '../../../base/time/zone.ts'
import type { LinkedEvent, RenderedEvent } from '../../../calendar/events/model/event.ts'
import { titleWithStatus } from '../../../calendar/events/model/state.titles.ts'
import { type PreviousStart, zoneOfPrevious } from '../../../calendar/events/model/state.ts'
import { shownVirtualUrl } from '../../../calendar/events/present/state.jsonld.ts'
import { dateText, whenText, zoneText } from '../date.texts.ts'
import type { PageCall } from '../frame/page.ts'
import { langAttribute } from '../frame/text.language.ts'

// What happens to an event, as pages show it: a word with a shape in lists, and a banner on the page of the event. Both
// are in the language of the page. Headings and links beside them have the bare title. Titles without a banner or a
// badge beside them, such as that of the document, contain the status.

type Stated = Pick<RenderedEvent, 'eventStatus' | 'attendance'>

/** Reports if an event does not take place at its time, so that nothing announces it. */
export function isOff({ eventStatus }: Pick<RenderedEvent, 'eventStatus'>): boolean {
  return eventStatus === 'canceled' || eventStatus === 'postponed'
}

/** Reports if the venue of an event is no longer its place. */
export function hasLeftVenue({ eventStatus, attendance }: Stated): boolean {
  return eventStatus === 'moved_online' && attendance === 'online'
}

/** Returns the states that tell readers of a list something: at most one status and one attendance. */
function statesOf({ eventStatus, attendance }: Stated): readonly StateKey[] {
  const status = eventStatus === 'scheduled' ? [] : [eventStatus]
  const isTold = attendance === 'offline' || eventStatus === 'canceled' || hasLeftVenue({ eventStatus, attendance })
  return isTold ? status : [...status, attendance]
}

/** Returns the states of an event in words: “Postponed, online”; '' if it takes place as usual. */
export function stateWords({ textLanguage }: PageCall, event: Stated): string {
  return statesOf(event)
    .map((state) => stateText(textLanguage, state))
    .join(', ')
}

/** Returns the states of an event as badges. A style adds a shape to each. */
export function stateBadges({ textLanguage }: PageCall, event: Stated): readonly Html[] {
  return statesOf(event).map(
    (state) => html` <span class="badge state ${state}">${stateText(textLanguage, state)}</span>`,
  )
}

/** Returns the most important state of an event for a place that is too small for badges, with a space after it. */
export function stateMark({ textLanguage }: PageCall, event: Stated): readonly Html[] {
  return statesOf(event)
    .filter((state, place) => place === 0 && state !== 'mixed')
    .map((state) => html`<span class="state ${state}">${stateText(textLanguage, state)}</span> `)
}

/** Returns the title of an event as plain text for a place without badges, with its status if pages show it there. */
export function statedTitle(
  { deps: { config } }: Pick<PageCall, 'deps'>,
  event: Pick<RenderedEvent, 'titleHtml' | 'eventStatus' | 'language'>,
): string {
  return htmlToText(titleWithStatus(event, config, 'pages'))
}

/** Returns a text that no longer applies as struck out, if `isStruck`. */
export function struckIf(isStruck: boolean, content: Html): Html {
  return isStruck ? html`<s>${content}</s>` : content
}

/**
 * Returns the words before a struck text for screen readers, which do not tell that it is struck. Lists need none: a
 * badge follows.
 */
export function struckWords(
  { say, textLanguage }: PageCall,
  { eventStatus }: Pick<RenderedEvent, 'eventStatus'>,
): Html {
  const words =
    eventStatus === 'canceled' ? `${stateText(textLanguage, 'canceled')}${say('colon')}` : say('state.formerly')
  return html`<span class="unseen">${words} </span>`
}

/**
 * Returns what happens to an event, for its page: the status, the reason, the earlier times, and since when.
 *
 * @param isOpen Whether the reader may see what a password protects.
 */
export function stateBanner(call: PageCall, event: RenderedEvent, isOpen: boolean): Html | false {
  const { say, textLanguage, deps } = call
  const { eventStatus, statusAt, statusReason, previousStarts } = event
  if (eventStatus === 'scheduled') return false
  const formerly = eventStatus === 'rescheduled' ? previousStarts.toReversed() : []
  return html`<div class="event-state ${eventStatus}">
<p class="state ${eventStatus}">${say(`state.${eventStatus}`)}</p>
${isOpen && statusReason !== '' && html`<p class="reason"${langAttribute(call, event)}>${linesOf(statusReason)}</p>`}
${formerly.map((previous) => html`<p>${say('state.formerly')} <s>${formerTime(call, event, previous)}</s></p>\n`)}
${statusAt !== undefined && html`<p class="since">${say('state.since', { date: dateText(textLanguage, 'dayRange', localDateTimeAt(statusAt, deps.config.siteZone)) })}</p>`}
</div>`
}

function linesOf(text: string): readonly Html[] {
  return text.split(/\n+/).map((line, place) => html`${place > 0 && html`<br>`}${line}`)
}

/** Returns an earlier time of an event, with its time zone if that was another one. */
function formerTime({ textLanguage }: PageCall, { isAllDay, zone }: RenderedEvent, previous: PreviousStart): string {
  const former = zoneOfPrevious(previous)
  const [startUtc, endUtc] = [previous.start, previous.end].map((local) => epochSecondsOf(local, former)) as [
    number,
    number,
  ]
  const times = { ...previous, startUtc, endUtc, zone: former, isAllDay }
  const text = whenText(textLanguage, times)
  return isAllDay || former.name === zone.name ? text : `${text} (${zoneText(textLanguage, times)})`
}

/** Returns how to attend an event online. A canceled event has no link. */
export function onlineFact({ say, textLanguage }: PageCall, event: LinkedEvent): Html | false {
  const { attendance, eventStatus, virtualUrl } = event
  if (attendance === 'offline') return false
  const url = shownVirtualUrl(event, false)
  const isHidden = virtualUrl !== '' && url === ''
  const link =
    url !== '' &&
    html`<a class="outside" rel="noopener nofollow" href="${url}">${say('state.join')} (${new URL(url).hostname.replace(/^www\./, '')})</a>`
  return html`<p><strong>${stateText(textLanguage, attendance)}</strong>${eventStatus !== 'canceled' && html`${link && html`<br>${link}`}${isHidden && html`<br>${say('state.registered')}`}`}</p>`
}
