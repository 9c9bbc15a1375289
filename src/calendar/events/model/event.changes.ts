import { fail, failParameter } from '../../../base/problems.ts'
import { parseDateText } from '../../../base/time/date-text.ts'
import { type LocalDateTime, secondsOfLocalDateTime } from '../../../base/time/local.date.time.ts'
import { localDateTimeAt, type Zone } from '../../../base/time/zone.ts'
import type { OrganizerFields } from '../../organizers/organizer.ts'
import type { FieldPatch } from '../../records/field.ts'
import type { Publication } from '../../records/record.status.ts'
import { isUnpublished, type RecordStatus } from '../../records/record.ts'
import type { VenueFields } from '../../venues/venue.ts'
import { readCost, type StoredCost } from './cost.ts'
import { valueFields } from './event.fields.ts'
import { type CalendarEvent, type EventFields, type EventTimes, timesOf } from './event.ts'
import type { LinkInput } from './links.arguments.ts'
import type { NewPassword } from './password.ts'
import { type EventState, nextState, type StateFault, scheduledState } from './state.ts'

/**
 * The changes of an event. An undefined value does not change. Texts are not sanitized yet. Dates are texts that people
 * write: their meaning depends on a zone and the time of the write.
 */
export interface EventPatch extends FieldPatch<typeof valueFields.fields> {
  readonly authorId?: number | undefined
  readonly status?: RecordStatus | undefined
  /** The publication date in the local time of the site. `dateUtc` takes precedence. */
  readonly date?: string | undefined
  readonly dateUtc?: string | undefined
  readonly slug?: string | undefined
  readonly title?: string | undefined
  readonly content?: string | undefined
  readonly excerpt?: string | undefined
  readonly start?: string | undefined
  readonly end?: string | undefined
  /** Whether a start or an end with an offset is an instant (rulings.md 46). By default the offset has no effect. */
  readonly hasInstants?: boolean | undefined
  /** `site`: the zone of the site. */
  readonly zone?: Zone | 'site' | undefined
  readonly isAllDay?: boolean | undefined
  /** Null removes the picture. */
  readonly imageId?: number | null | undefined
  readonly cost?: StoredCost | undefined
  readonly venues?: readonly LinkInput<VenueFields>[] | undefined
  readonly organizers?: readonly LinkInput<OrganizerFields>[] | undefined
  /** Ids, slugs and names, or objects with one of them. */
  readonly categories?: readonly unknown[] | undefined
  readonly tags?: readonly unknown[] | undefined
  /** `''` removes the password. */
  readonly password?: NewPassword | undefined
  /** The time of the last change, for imported events. Default: now. Whole seconds since 1970, UTC. */
  readonly modifiedAt?: number | undefined
  /** Since when it has its status, and the times that it had before, for imported events. Default: what this write does. */
  readonly history?: Pick<EventState, 'statusAt' | 'previousStarts'> | undefined
}

/** A new event. It has a start and an end, unless it translates an event that has them. */
export interface EventDraft extends EventPatch {
  readonly title: string
  /** See `NewRecord`. */
  readonly keptId?: number | undefined
}

/**
 * Parses the local time of the text. It ignores an offset, because clients send local times (events.md §8 row 11), unless
 * the sender has instants: then it is the time in the zone at this instant.
 */
export function parseLocalDateTime(
  text: string,
  { zone, now, hasInstants = false }: Pick<EventPatch, 'hasInstants'> & { readonly zone: Zone; readonly now: number },
): LocalDateTime {
  const { localDateTime, offsetSeconds } = parseDateText(text, { nowSeconds: now, zone })
  if (!hasInstants || offsetSeconds === undefined) return localDateTime
  return localDateTimeAt(secondsOfLocalDateTime(localDateTime) - offsetSeconds, zone)
}

/** Returns the times of an event after a change. Times that were not sent keep their local time. */
export function changedTimes(
  event: EventTimes,
  { start, end, isAllDay, zone: asked, hasInstants }: EventPatch,
  { siteZone, at }: { readonly siteZone: Zone; readonly at: number },
): EventTimes {
  if ([start, end, isAllDay, asked].every((value) => value === undefined)) return event
  const zone = asked === undefined ? event.zone : asked === 'site' ? siteZone : asked
  const reading = { zone, now: at, hasInstants }
  return timesOf({
    start: start === undefined ? event.start : parseLocalDateTime(start, reading),
    end: end === undefined ? event.end : parseLocalDateTime(end, reading),
    zone,
    isAllDay: isAllDay ?? event.isAllDay,
  })
}

/**
 * Returns the fields of an event after a change.
 *
 * @param times The times after the change.
 * @throws event-is-over, rest_invalid_param, if the event cannot get the sent status
 */
export function changedFields(
  event: CalendarEvent,
  patch: EventPatch,
  { times, at, isTemplate = false }: { readonly times: EventTimes; readonly at: number; readonly isTemplate?: boolean },
): EventFields {
  const before = { ...event, ...stateBefore(event, isTemplate), ...(patch.history && pastOf(patch.history)) }
  return {
    cost: patch.cost ?? event.cost,
    ...valueFields.changed(event, patch),
    ...allowed(nextState(before, patch, { times, at }), patch),
  }
}

/** An event with a past of its own needs no other reason for its status. */
const pastOf = ({ previousStarts }: NonNullable<EventPatch['history']>) => ({
  ...{ previousStarts, endUtc: Number.POSITIVE_INFINITY },
})

/** The times of a template are those of no date: it is never over, and nobody has read them. */
function stateBefore({ status, endUtc }: CalendarEvent, isTemplate: boolean) {
  return isTemplate
    ? { isAnnounced: false, endUtc: Number.POSITIVE_INFINITY }
    : { isAnnounced: !isUnpublished(status), endUtc }
}

/**
 * Returns the fields of a new event.
 *
 * @param original The event that it translates, if any.
 * @throws rest_invalid_param, if the event cannot get the sent status
 */
export function newFields(
  original: CalendarEvent | undefined,
  draft: EventDraft,
  { times, at }: { readonly times: EventTimes; readonly at: number },
): EventFields {
  if (original) return { ...changedFields(original, draft, { times, at }), statusReason: draft.statusReason ?? '' }
  const { cost } = defaultEventFields
  return {
    cost: draft.cost ?? cost,
    ...valueFields.changed(defaultEventFields, draft),
    ...allowed(nextState(undefined, draft, { times, at }), draft),
  }
}

/** The fields of a new event if the request sends none. */
export const defaultEventFields: EventFields = { cost: readCost(''), ...valueFields.blank, ...scheduledState }

/** The argument that a refused change of state names. */
const refusedArgument = { 'fault.reschedule': 'start_date', 'fault.reason': 'event_status_reason' } as const

function allowed(state: EventState | StateFault, { history }: Pick<EventPatch, 'history'>): EventState {
  if (typeof state !== 'string') return state.eventStatus === 'scheduled' ? state : { ...state, ...history }
  return state === 'event-is-over' ? fail(state) : failParameter(refusedArgument[state], state)
}

export function publicationColumns(event: CalendarEvent, { status, datedAt, isDated }: Publication, at: number) {
  return {
    status,
    status_before_trash: status === 'trash' ? (event.statusBeforeTrash ?? event.status) : null,
    dated_at: datedAt,
    is_dated: isDated ? (1 as const) : (0 as const),
    modified_at: at,
  }
}
