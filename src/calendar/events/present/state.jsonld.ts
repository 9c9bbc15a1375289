import { dayOf } from '../../../base/time/local.date.time.ts'
import { isoWithOffset } from '../../../base/time/wire.ts'
import { epochSecondsOf, offsetAt } from '../../../base/time/zone.ts'
import { thing } from '../../records/structured.data.ts'
import type { RenderedEvent } from '../model/event.ts'
import { type Attendance, type EventStatus, type PreviousStart, zoneOfPrevious } from '../model/state.ts'

// What happens to an event in schema.org terms, for `json_ld` and for the structured data of pages. The rules of search
// engines: https://developers.google.com/search/docs/appearance/structured-data/event

const statuses = {
  scheduled: 'https://schema.org/EventScheduled',
  canceled: 'https://schema.org/EventCancelled',
  postponed: 'https://schema.org/EventPostponed',
  rescheduled: 'https://schema.org/EventRescheduled',
  moved_online: 'https://schema.org/EventMovedOnline',
} as const satisfies Readonly<Record<EventStatus, string>>

const attendanceModes = {
  offline: 'https://schema.org/OfflineEventAttendanceMode',
  online: 'https://schema.org/OnlineEventAttendanceMode',
  mixed: 'https://schema.org/MixedEventAttendanceMode',
} as const satisfies Readonly<Record<Attendance, string>>

export function statusProperties({ eventStatus, attendance }: Pick<RenderedEvent, 'eventStatus' | 'attendance'>) {
  return { eventAttendanceMode: attendanceModes[attendance], eventStatus: statuses[eventStatus] }
}

/**
 * Returns the earlier starts of a rescheduled event: one, or a list of several. Undefined for other events.
 *
 * @param form `days`: all-day events have dates without times.
 */
export function previousStartDate(
  { eventStatus, previousStarts, isAllDay }: Pick<RenderedEvent, 'eventStatus' | 'previousStarts' | 'isAllDay'>,
  form: 'days' | 'times',
): string | readonly string[] | undefined {
  if (eventStatus !== 'rescheduled') return undefined
  return oneOrAll(
    previousStarts.map((previous) => (isAllDay && form === 'days' ? dayOf(previous.start) : startOf(previous))),
  )
}

function startOf(previous: PreviousStart): string {
  const zone = zoneOfPrevious(previous)
  return isoWithOffset(previous.start, offsetAt(epochSecondsOf(previous.start, zone), zone))
}

interface LocationView<P> {
  /** The venues as they are described. */
  readonly places: readonly P[]
  /** Address of the page of the event. */
  readonly url: string
  readonly isSignedIn: boolean
}

/**
 * Returns where people attend an event: its places, an online location, or both. Search engines require an address of an
 * online location, so the page of the event replaces an address that is unknown or hidden.
 */
export function eventLocation<P extends object>(
  event: Pick<RenderedEvent, 'attendance' | 'virtualUrl' | 'virtualAccess'>,
  { places, url, isSignedIn }: LocationView<P>,
) {
  const { attendance } = event
  const online =
    attendance === 'offline' ? [] : [thing('VirtualLocation', { url: shownVirtualUrl(event, isSignedIn) || url })]
  return oneOrAll<P | (typeof online)[number]>([...(attendance === 'online' ? [] : places), ...online])
}

/** Returns the address of an online event if the reader may see it, or `''`. A password is checked elsewhere. */
export function shownVirtualUrl(
  { virtualUrl, virtualAccess }: Pick<RenderedEvent, 'virtualUrl' | 'virtualAccess'>,
  isSignedIn: boolean,
): string {
  return virtualAccess === 'registered' && !isSignedIn ? '' : virtualUrl
}

function oneOrAll<T>(list: readonly T[]): T | readonly T[] | undefined {
  return list.length > 1 ? list : list[0]
}
