import type { Actor } from '../../access/auth/actor.ts'
import { mayPublish } from '../../access/auth/policy.ts'
import { isUnpublished, type RecordKind, type RecordStatus } from './record.ts'

/** A publication date counts as to come when it is at least this far ahead (events.md §3). */
const minAheadSeconds = 60

/** State and publication date of a record. */
export interface Publication {
  readonly status: RecordStatus
  readonly datedAt: number
  readonly isDated: boolean
}

/** What is asked of the publication of a record; what is undefined stays. */
export interface PublicationChange {
  readonly status?: RecordStatus | undefined
  /** Seconds since 1970, UTC. */
  readonly date?: number | undefined
}

/**
 * What a caller gets who asks for a status: those who may not publish hand in for review instead
 * (conventions.md §8.2). Private events need the right to publish as well (events.md §8 row 7).
 */
export function grantedStatus(actor: Actor, kind: RecordKind, asked: RecordStatus | undefined): RecordStatus {
  if (mayPublish(actor)) return asked ?? 'publish'
  if (asked === undefined) return 'draft'
  if (asked === 'publish' || asked === 'future') return 'pending'
  return asked === 'private' && kind === 'event' ? 'pending' : asked
}

/**
 * State and date of a new record.
 *
 * @param date Publication date that was sent, if any.
 */
export function initialPublication(status: RecordStatus, date: number | undefined, now: number): Publication {
  return withTimelyStatus({ status, datedAt: date ?? now, isDated: !isUnpublished(status) }, now)
}

/**
 * State and date of a record after a change. Without `status` the state stays; a date sent for a record that was never
 * published counts only where it is published now (events.md §4).
 */
export function nextPublication(current: Publication, { status, date }: PublicationChange, now: number): Publication {
  const next = status ?? current.status
  if (!current.isDated) {
    // Drafts in the trash stay undated; what leaves the making is published now.
    const stays = isUnpublished(next) || next === 'trash'
    return withTimelyStatus({ status: next, datedAt: stays ? current.datedAt : (date ?? now), isDated: !stays }, now)
  }
  return withTimelyStatus({ status: next, datedAt: date ?? current.datedAt, isDated: true }, now)
}

/** State and date of a record that is taken out of the trash: those of before, and what was to come may have come. */
export function restoredPublication(
  record: Publication & { readonly statusBeforeTrash: RecordStatus | undefined },
  now: number,
): Publication {
  return nextPublication(record, { status: record.statusBeforeTrash ?? 'draft' }, now)
}

/** Contract: published with a date to come is `future`; `future` without one is published (conventions.md §8.2). */
function withTimelyStatus(publication: Publication, now: number): Publication {
  const { status, datedAt } = publication
  if (status !== 'publish' && status !== 'future') return publication
  return { ...publication, status: datedAt - now >= minAheadSeconds ? 'future' : 'publish' }
}
