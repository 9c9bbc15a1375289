import { fail } from '../../base/problems.ts'
import { type Actor, isAtLeast } from './actor.ts'

/** The properties of a record that the policy needs: its owner and its status. */
export interface OwnedRecord {
  readonly authorId: number
  readonly status: string
}

/**
 * Statuses that everyone may see once the publication time has come, because a user with the right to publish set them.
 */
const PUBLISHED = new Set(['publish', 'future'])

/**
 * Returns true if the actor may create events, venues and organizers, and see more in lists than visitors
 * (conventions.md §8).
 */
export function mayCreate(actor: Actor): boolean {
  return isAtLeast(actor, 'contributor')
}

export function mayPublish(actor: Actor): boolean {
  return isAtLeast(actor, 'author')
}

export function mayUpload(actor: Actor): boolean {
  return isAtLeast(actor, 'author')
}

/** Returns true if the actor may read, change and trash records of other users in any status, and set any author. */
export function mayEditOthers(actor: Actor): boolean {
  return isAtLeast(actor, 'editor')
}

export function mayManage(actor: Actor, taxonomy: 'category' | 'tag'): boolean {
  return isAtLeast(actor, taxonomy === 'category' ? 'author' : 'editor')
}

/** Returns true if the actor may add, change and remove users, and revoke their credentials. */
export function mayManageUsers(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** Published records are readable by everyone; other records by their author and by editors. */
export function mayRead(actor: Actor, record: OwnedRecord): boolean {
  if (record.status === 'publish' || mayEditOthers(actor)) return true
  return actor.kind === 'user' && actor.id === record.authorId
}

/** Applies to changing and trashing. A contributor loses the right when the record is published (conventions.md §8). */
export function mayEdit(actor: Actor, record: OwnedRecord): boolean {
  if (mayEditOthers(actor)) return true
  if (actor.kind !== 'user' || actor.id !== record.authorId) return false
  return PUBLISHED.has(record.status) ? mayPublish(actor) : mayCreate(actor)
}

/** An actor who may trash a record in its previous status may also restore it from the trash. */
export function mayRestore(
  actor: Actor,
  { authorId, statusBeforeTrash }: { readonly authorId: number; readonly statusBeforeTrash: string | undefined },
): boolean {
  return mayEdit(actor, { authorId, status: statusBeforeTrash ?? 'draft' })
}

/** Returns true if the actor may read the settings of the service. */
export function mayReadSettings(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** Returns true if the actor may subscribe to calendars of others. */
export function maySubscribe(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** Returns true if the actor may read the audit log. */
export function mayReadAudit(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** @throws rest_forbidden: 401 for visitors, 403 for users without the right. */
export function assertAllowed(actor: Actor, isAllowed: boolean): void {
  if (!isAllowed) fail('rest_forbidden', { status: actor.kind === 'visitor' ? 401 : 403 })
}
