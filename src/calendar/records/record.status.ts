import type { Actor } from '../../access/auth/actor.ts'
import { mayPublish } from '../../access/auth/policy.ts'
import { isUnpublished, type RecordKind, type RecordStatus } from './record.ts'

/** A publication date counts as future if it is at least this far ahead (events.md §3). */
const minAheadSeconds = 60

export interface Publication {
  readonly status: RecordStatus
  readonly datedAt: number
  readonly isDated: boolean
}

/** A requested change of the publication of a record. Undefined values stay. */
export interface PublicationChange {
  readonly status?: RecordStatus | undefined
  /** Seconds since 1970, UTC. */
  readonly date?: number | undefined
}

/**
 * Returns the status that a caller gets for a requested one. A caller who may not publish submits for review instead
 * (conventions.md §8.2). Private events require the right to publish too (events.md §8 row 7).
 */
export function grantedStatus(actor: Actor, kind: RecordKind, asked: RecordStatus | undefined): RecordStatus {
  if (mayPublish(actor)) return asked ?? 'publish'
  if (asked === undefined) return 'draft'
  if (asked === 'publish' || asked === 'future') return 'pending'
  return asked === 'private' && kind === 'event' ? 'pending' : asked
}

/**
 * Returns the status and date of a new record.
 *
 * @param date The publication date that was sent, if any.
 */
export function initialPublication(status: RecordStatus, date: number | undefined, now: number): Publication {
  return withTimelyStatus({ status, datedAt: date ?? now, isDated: !isUnpublished(status) }, now)
}

/**
 * Returns the status and date of a record after a change. Without `status` the status stays. A date that is sent for a
 * record that was never published counts only if this change publishes it (events.md §4).
 */
export function nextPublication(current: Publication, { status, date }: PublicationChange, now: number): Publication {
  const next = status ?? current.status
  if (!current.isDated) {
    // A draft in the trash keeps no date. A record that stops being a draft or pending is published now.
    const stays = isUnpublished(next) || next === 'trash'
    return withTimelyStatus({ status: next, datedAt: stays ? current.datedAt : (date ?? now), isDated: !stays }, now)
  }
  if (next === 'publish' && current.status === 'publish' && date === undefined) return current
  return withTimelyStatus({ status: next, datedAt: date ?? current.datedAt, isDated: true }, now)
}

/**
 * Returns the status and date of a record that is restored from the trash: the earlier ones, but a future date may have
 * passed.
 */
export function restoredPublication(
  record: Publication & { readonly statusBeforeTrash: RecordStatus | undefined },
  now: number,
): Publication {
  return nextPublication(record, { status: record.statusBeforeTrash ?? 'draft' }, now)
}

/**
 * Contract: a published record with a future date is `future`. One that stays published without a new date stays so, also
 * if the clock was set back since. A `future` record without one is published
 * (conventions.md §8.2).
 */
function withTimelyStatus(publication: Publication, now: number): Publication {
  const { status, datedAt } = publication
  if (status !== 'publish' && status !== 'future') return publication
  return { ...publication, status: datedAt - now >= minAheadSeconds ? 'future' : 'publish' }
}
