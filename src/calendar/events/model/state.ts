import type { LocalDateTime } from '../../../base/time/local.date.time.ts'
import { parseZone, utcZone, type Zone } from '../../../base/time/zone.ts'

// What happens to an event, apart from its publication: docs/decisions/0048-event-states.md.

export const EVENT_STATUSES = ['scheduled', 'canceled', 'postponed', 'rescheduled', 'moved_online'] as const
export type EventStatus = (typeof EVENT_STATUSES)[number]

export const ATTENDANCES = ['offline', 'online', 'mixed'] as const
export type Attendance = (typeof ATTENDANCES)[number]

/** Who sees the address of an online event. `registered`: signed-in callers. */
export const VIRTUAL_ACCESSES = ['all', 'registered'] as const
export type VirtualAccess = (typeof VIRTUAL_ACCESSES)[number]

/** The kind of an online event, as clients of the reference call it. */
export const VIRTUAL_TYPES = ['virtual', 'hybrid'] as const
export type VirtualType = (typeof VIRTUAL_TYPES)[number]

/** Maximum length of a reason, in characters. */
export const maxReasonCharacters = 1000
const maxPreviousStarts = 10

/** The times that an event had before it was rescheduled. */
export interface PreviousStart {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly timezone: string
  /** When the event got other times. Whole seconds since 1970, UTC. */
  readonly until: number
}

export interface EventState {
  readonly eventStatus: EventStatus
  /** Plain text in the language of the record. Empty if none is given. */
  readonly statusReason: string
  /** When the event got its status. Undefined if it is scheduled. Whole seconds since 1970, UTC. */
  readonly statusAt: number | undefined
  /** The earliest first. */
  readonly previousStarts: readonly PreviousStart[]
  readonly attendance: Attendance
}

/** Other names of the statuses: those of schema.org and of RFC 5545, 3.8.1.11, folded. */
const otherNames: Readonly<Record<string, EventStatus>> = {
  ...{ cancelled: 'canceled', eventcancelled: 'canceled', eventcanceled: 'canceled' },
  ...{ eventscheduled: 'scheduled', confirmed: 'scheduled', '': 'scheduled' },
  ...{ eventpostponed: 'postponed', tentative: 'postponed' },
  ...{ eventrescheduled: 'rescheduled', eventmovedonline: 'moved_online', movedonline: 'moved_online' },
}

/** Returns the status with this name, in any of its spellings. Undefined if there is none. */
export function eventStatusFrom(name: string): EventStatus | undefined {
  const word = name
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\/schema\.org\//, '')
  const known = EVENT_STATUSES.find((status) => status === word.replaceAll('-', '_').replaceAll(' ', '_'))
  return known ?? (Object.hasOwn(otherNames, word) ? otherNames[word] : undefined)
}

/** Returns the attendance that the members of the reference name. Undefined if they name none. */
export function attendanceFrom(isVirtual: boolean | undefined, type: VirtualType | undefined): Attendance | undefined {
  if (isVirtual === undefined && type === undefined) return undefined
  if (isVirtual === false) return 'offline'
  return type === 'hybrid' ? 'mixed' : 'online'
}

/** What a write says about the state of an event. Undefined values do not change. */
export interface EventStatePatch {
  readonly eventStatus?: EventStatus | undefined
  readonly statusReason?: string | undefined
  readonly attendance?: Attendance | undefined
}

interface Times {
  readonly start: LocalDateTime
  readonly end: LocalDateTime
  readonly zone: Zone
  readonly startUtc: number
  readonly endUtc: number
}

/** An event before a write, as far as its next state depends on it. */
export interface EventBefore extends EventState, Times {
  /** Whether anybody may have read its times: it is or was published. */
  readonly isAnnounced: boolean
}

/** Why a change of state is refused. */
export type StateFault = 'event-is-over' | 'fault.reschedule' | 'fault.reason'

export const scheduledState: EventState = {
  eventStatus: 'scheduled',
  statusReason: '',
  statusAt: undefined,
  previousStarts: [],
  attendance: 'offline',
}

/**
 * Returns the state of an event after a write, or why it is refused.
 *
 * @param before Undefined for a new event.
 * @param times The times after the write.
 * @param at The time of the write. Whole seconds since 1970, UTC.
 */
export function nextState(
  before: EventBefore | undefined,
  patch: EventStatePatch,
  { times, at }: { readonly times: Times; readonly at: number },
): EventState | StateFault {
  const current = before ?? scheduledState
  const isMoved = before !== undefined && before.startUtc !== times.startUtc
  // A new time of a postponed event is the time that was not known.
  const implied = isMoved && current.eventStatus === 'postponed' ? 'rescheduled' : current.eventStatus
  const eventStatus = patch.eventStatus ?? implied
  const attendance = patch.attendance ?? impliedAttendance(current, eventStatus)
  if (eventStatus === 'scheduled') {
    if (patch.statusReason && patch.eventStatus === undefined) return 'fault.reason'
    return { ...scheduledState, attendance }
  }
  const isNew = eventStatus !== current.eventStatus
  const isPushed = isMoved && eventStatus === 'rescheduled' && (isNew || patch.eventStatus !== undefined)
  const fault = before && isNew ? faultOf(before, eventStatus, { isMoved, at }) : undefined
  if (fault) return fault
  return {
    eventStatus,
    statusReason: patch.statusReason ?? (isNew ? '' : current.statusReason),
    statusAt: isNew || isPushed ? at : current.statusAt,
    previousStarts: isPushed && before.isAnnounced ? withPrevious(before, at) : current.previousStarts,
    attendance,
  }
}

function impliedAttendance({ eventStatus, attendance }: EventState, next: EventStatus): Attendance {
  if (eventStatus === next) return attendance
  if (next === 'moved_online') return 'online'
  return eventStatus === 'moved_online' ? 'offline' : attendance
}

function faultOf(
  { endUtc, eventStatus, previousStarts, isAnnounced }: EventBefore,
  next: EventStatus,
  { isMoved, at }: { readonly isMoved: boolean; readonly at: number },
): StateFault | undefined {
  const isOver = endUtc < at && eventStatus !== 'postponed'
  if (isOver && (next === 'postponed' || next === 'rescheduled')) return 'event-is-over'
  const hasNewTime = isMoved || previousStarts.length > 0 || !isAnnounced
  return next === 'rescheduled' && !hasNewTime ? 'fault.reschedule' : undefined
}

function withPrevious({ start, end, zone, previousStarts }: EventBefore, until: number): readonly PreviousStart[] {
  return [...previousStarts, { start, end, timezone: zone.name, until }].slice(-maxPreviousStarts)
}

/** Returns the zone of earlier times. A newer time zone database may no longer have it. */
export function zoneOfPrevious({ timezone }: PreviousStart) {
  return parseZone(timezone) ?? { ...utcZone, name: timezone }
}
