import { type Html, html } from '../../../base/text/html.ts'
import { dayOf } from '../../../base/time/local.date.time.ts'
import { isoUtc } from '../../../base/time/wire.ts'
import type { LinkedEvent } from '../../../calendar/events/model/event.ts'
import { shownVirtualUrl } from '../../../calendar/events/present/state.jsonld.ts'
import { recordUrl } from '../../../calendar/records/record.present.ts'
import { addDays } from '../date.texts.ts'
import type { PageCall } from '../frame/page.ts'
import { pathOf, withQuery } from '../page.addresses.ts'
import { cardTitle, excerptText } from './event.card.ts'
import { directionsLink, placeText } from './event.place.ts'
import { isOff } from './event.states.ts'

/**
 * Returns the menu that adds an event to a calendar of the visitor. It opens and closes without scripts. If the event is
 * canceled or postponed, only files are offered: they tell so, and other calendars would show the event as usual.
 *
 * @param allDates The address of the calendar of all dates of its series.
 */
export function calendarMenu(call: PageCall, event: LinkedEvent, allDates: string | undefined): Html {
  const { say, addresses } = call
  const url = recordUrl(addresses, event)
  if (isOff(event))
    return html`<a class="button quiet" href="${pathOf(call, url)}ical/">${say('add.file')}</a>${
      allDates &&
      html`
<a class="button quiet" href="${allDates}">${say('series.calendar')}</a>`
    }`
  return html`<details class="menu" data-menu><summary class="button">${say('add-to-calendar')}</summary><ul>
<li><a href="${pathOf(call, url)}ical/">${say('add.file')}</a></li>
<li><a href="${googleUrl(event, url)}" rel="noopener nofollow">${say('add.google')}</a></li>
<li><a href="${outlookUrl(event, url)}" rel="noopener nofollow">Outlook</a></li>
${allDates && html`<li><a href="${allDates}">${say('series.calendar')}</a></li>`}
</ul></details>`
}

/** Returns a link to the way to the event, if people go there. */
export function directionsButton({ say }: PageCall, event: LinkedEvent): Html | false {
  const [venue] = event.venues
  const isVisited = event.attendance !== 'online' && event.showMapLink && !isOff(event)
  const url = isVisited && venue ? directionsLink(venue) : undefined
  return url !== undefined && html`<a class="button quiet" rel="noopener" href="${url}">${say('directions')}</a>\n`
}

/** Returns the buttons that share. They stay hidden until the script runs. */
export function shareButtons({ say }: PageCall): Html {
  return html`<button type="button" class="button quiet" data-copy data-done="${say('link-copied')}">${say('copy-link')}</button>
<button type="button" class="button quiet" data-share hidden>${say('share')}</button>`
}

/** Returns the button that shows times as they are where the visitor is. It stays hidden until the script runs. */
export function zoneButton({ say }: PageCall): Html {
  return html`<button type="button" data-zone data-back="${say('event-zone')}" hidden>${say('own-zone')}</button>`
}

/** Returns start and end: days as `20300122`, times as UTC instants `20300123T000000Z`. */
function compact(event: LinkedEvent): readonly [string, string] {
  const plain = (text: string) => text.replace(/[-:]/g, '')
  // The end of an all-day event is exclusive: the day after its last day.
  if (event.isAllDay) return [plain(dayOf(event.start)), plain(dayOf(addDays(event.end, 1)))]
  return [plain(isoUtc(event.startUtc)), plain(isoUtc(event.endUtc))]
}

/** Returns where people attend an event, in one line: the address of an online event, or the place. */
function locationText(event: LinkedEvent): string {
  return event.attendance === 'online' ? shownVirtualUrl(event, false) : placeText(event)
}

function googleUrl(event: LinkedEvent, url: string): string {
  return withQuery('https://calendar.google.com/calendar/render', {
    action: 'TEMPLATE',
    text: cardTitle(event),
    dates: compact(event).join('/'),
    ctz: event.zone.isManual ? undefined : event.zone.name,
    location: locationText(event),
    details: `${excerptText(event)}\n\n${url}`.trim(),
  })
}

function outlookUrl(event: LinkedEvent, url: string): string {
  const { isAllDay, start, end, startUtc, endUtc } = event
  return withQuery('https://outlook.live.com/calendar/0/deeplink/compose', {
    path: '/calendar/action/compose',
    rru: 'addevent',
    subject: cardTitle(event),
    startdt: isAllDay ? dayOf(start) : isoUtc(startUtc),
    enddt: isAllDay ? dayOf(addDays(end, 1)) : isoUtc(endUtc),
    allday: isAllDay ? 'true' : undefined,
    location: locationText(event),
    body: `${excerptText(event)}\n\n${url}`.trim(),
  })
}
