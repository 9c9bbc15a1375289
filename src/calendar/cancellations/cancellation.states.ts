import { languageChain } from '../../base/languages/chain.ts'
import { parseZone, utcZone } from '../../base/time/zone.ts'
import { type EventState, nextState, type PreviousStart } from '../events/model/state.ts'
import { isUnpublished, type RecordStatus } from '../records/record.ts'
import type { StateColumns, StatedEvent } from '../undo/undo.ts'
import type { CancellationStatus, Reasons } from './cancellation.ts'

/** Returns the state by the same rules as the change of a single event. Undefined if they refuse it. */
export function stateAfter(
  event: StatedEvent,
  {
    eventStatus,
    reasons,
    at,
  }: {
    readonly eventStatus: CancellationStatus
    readonly reasons: Reasons
    readonly at: number
  },
): StateColumns | undefined {
  const { state, status, timezone } = event
  const zone = parseZone(timezone) ?? { ...utcZone, name: timezone }
  const { start, end, startUtc, endUtc } = event
  const times = { start, end, startUtc, endUtc, zone }
  const before = { ...times, ...stateOf(state), isAnnounced: !isUnpublished(status as RecordStatus) }
  const patch = { eventStatus, statusReason: reasonIn(reasons, event.language) }
  const next = nextState(before, patch, { times, at })
  if (typeof next === 'string') return undefined
  return {
    event_status: next.eventStatus,
    status_reason: next.statusReason,
    status_at: next.statusAt ?? null,
    previous_starts: JSON.stringify(next.previousStarts),
    attendance: next.attendance,
  }
}

function stateOf(state: StateColumns): EventState {
  return {
    eventStatus: state.event_status,
    statusReason: state.status_reason,
    statusAt: state.status_at ?? undefined,
    previousStarts: JSON.parse(state.previous_starts) as readonly PreviousStart[],
    attendance: state.attendance,
  }
}

/** Returns the reason in a language, or in another form of it. Readers of other languages get none. */
function reasonIn(reasons: Reasons, language: string): string {
  if (typeof reasons === 'string') return reasons
  const found = languageChain(language, Object.keys(reasons)).find((one) => reasons[one])
  return (found && reasons[found]) ?? ''
}
