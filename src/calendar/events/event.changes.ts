import type { Values } from '../../access/http/argument.ts'
import { parseDateText } from '../../base/time/date-text.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import type { Zone } from '../../base/time/zone.ts'
import type { Publication } from '../records/record.status.ts'
import type { eventChangeArguments, eventCreateArguments } from './event.arguments.ts'
import { readCost } from './event.cost.ts'
import { type CalendarEvent, type EventFields, type EventTimes, timesOf } from './event.ts'

/** Of what comes from elsewhere. */
interface ImportedModification {
  /** When it was changed last; else that is now. Whole seconds since 1970, UTC. */
  readonly modifiedAt?: number | undefined
}

export type NewEvent = Values<typeof eventCreateArguments> & ImportedModification
export type EventChanges = Values<typeof eventChangeArguments> & ImportedModification

/** The text's own clock; an offset in it is ignored: clients send local times (events.md §8 row 11). */
export function parseLocalDateTime(text: string, zone: Zone, now: number): LocalDateTime {
  return parseDateText(text, { nowSeconds: now, zone }).localDateTime
}

/** The times of an event after a change; those that were not sent stay on their clock. */
export function changedTimes(
  event: EventTimes,
  sent: EventChanges | NewEvent,
  siteZone: Zone,
  now: number,
): EventTimes {
  const { start_date, end_date, all_day, timezone } = sent
  if (start_date === undefined && end_date === undefined && all_day === undefined && timezone === undefined)
    return event
  const zone = timezone === undefined ? event.zone : timezone === 'site' ? siteZone : timezone
  return timesOf(
    start_date === undefined ? event.start : parseLocalDateTime(start_date, zone, now),
    end_date === undefined ? event.end : parseLocalDateTime(end_date, zone, now),
    zone,
    all_day ?? event.isAllDay,
  )
}

/** The fields of an event after a change. */
export function changedFields(fields: EventFields, sent: EventChanges | NewEvent): EventFields {
  return {
    cost: sent.cost ?? fields.cost,
    website: sent.website ?? fields.website,
    showMap: sent.show_map ?? fields.showMap,
    showMapLink: sent.show_map_link ?? fields.showMapLink,
    isHidden: sent.hide_from_listings ?? fields.isHidden,
    isSticky: sent.sticky ?? fields.isSticky,
    isFeatured: sent.featured ?? fields.isFeatured,
  }
}

/** What a new event has where nothing is sent. */
export const defaultEventFields: EventFields = {
  cost: readCost(''),
  website: undefined,
  showMap: false,
  showMapLink: false,
  isHidden: false,
  isSticky: false,
  isFeatured: false,
}

/** State and date of an event as they are stored. */
export function publicationColumns(event: CalendarEvent, { status, datedAt, isDated }: Publication, at: number) {
  return {
    status,
    status_before_trash: status === 'trash' ? (event.statusBeforeTrash ?? event.status) : null,
    dated_at: datedAt,
    is_dated: isDated ? (1 as const) : (0 as const),
    modified_at: at,
  }
}
