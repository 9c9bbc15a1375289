import { textLanguageOf } from '../../base/languages/language.ts'
import { feedText, stateText } from '../../base/languages/texts.ts'
import { htmlToText } from '../../base/text/escape.ts'
import { endOfDay, startOfDay } from '../../base/time/local.date.time.ts'
import { epochSecondsOf } from '../../base/time/zone.ts'
import type { LinkedEvent } from '../../calendar/events/model/event.ts'
import { titleWithStatus } from '../../calendar/events/model/state.titles.ts'
import { type PreviousStart, zoneOfPrevious } from '../../calendar/events/model/state.ts'
import { formatEventTime, venueText } from './feed.present.ts'
import type { Feed } from './feed.ts'

// What happens to an event and how people attend it, as plain texts in the language of the event.

/** Returns the title of an event, with its status if titles of feeds tell it. */
export function titleText(event: LinkedEvent, { config }: Feed): string {
  return htmlToText(titleWithStatus(event, config, 'feeds'))
}

/** Returns the address at which people attend an event online, if the reader of the feed may see it. */
export function virtualAddress(
  { attendance, virtualUrl, virtualAccess }: LinkedEvent,
  { isSignedIn }: Feed,
): string | undefined {
  const isShown = attendance !== 'offline' && virtualUrl !== '' && (virtualAccess === 'all' || isSignedIn)
  return isShown ? virtualUrl : undefined
}

/** Returns the lines that tell the status, the reason, earlier dates and the address. Usual events have none. */
export function stateLines(event: LinkedEvent, feed: Feed): readonly string[] {
  const { eventStatus, statusReason, previousStarts, attendance, language } = event
  const isUsual = eventStatus === 'scheduled' && attendance === 'offline'
  if (isUsual && statusReason === '' && previousStarts.length === 0) return []
  const texts = textLanguageOf(language)
  const url = virtualAddress(event, feed)
  return [
    ...(eventStatus === 'scheduled' ? [] : [feedText(texts, eventStatus)]),
    ...statusReason.split(/[\r\n]+/).filter((text) => text.trim() !== ''),
    ...previousStarts.map((previous) => feedText(texts, 'previous', { time: formatPrevious(previous, language) })),
    ...(url === undefined ? [] : [feedText(texts, 'online', { url })]),
  ]
}

function formatPrevious(previous: PreviousStart, language: LinkedEvent['language']): string {
  const { start, end } = previous
  const zone = zoneOfPrevious(previous)
  const isAllDay = start === startOfDay(start) && end === endOfDay(end)
  return formatEventTime({ start, end, zone, startUtc: epochSecondsOf(start, zone), isAllDay, language })
}

/**
 * Returns where an event takes place. For an event that is only online this is its address, or that it is online: its
 * venues are closed to readers who come.
 */
export function placeTexts(event: LinkedEvent, feed: Feed): readonly string[] {
  if (event.attendance !== 'online') return event.venues.map(venueText)
  return [virtualAddress(event, feed) ?? onlineText(event)]
}

/** Returns the word for events that take place online. */
export function onlineText({ language }: LinkedEvent): string {
  return stateText(textLanguageOf(language), 'online')
}
