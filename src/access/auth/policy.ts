import { fail } from '../../base/problems.ts'
import { type Actor, isAtLeast } from './actor.ts'

/** What the policy must know of a record: whose it is, and in what state. */
export interface Owned {
  readonly authorId: number
  readonly status: string
}

/** Statuses that everyone sees, once their time has come, as having been published by somebody who may. */
const PUBLISHED = new Set(['publish', 'future'])

/** May create events, venues and organizers, and see more in lists than visitors (conventions.md §8). */
export function mayCreate(actor: Actor): boolean {
  return isAtLeast(actor, 'contributor')
}

export function mayPublish(actor: Actor): boolean {
  return isAtLeast(actor, 'author')
}

export function mayUpload(actor: Actor): boolean {
  return isAtLeast(actor, 'author')
}

/** May read, change and trash what belongs to others, whatever its status, and name any author. */
export function mayEditOthers(actor: Actor): boolean {
  return isAtLeast(actor, 'editor')
}

export function mayManage(actor: Actor, taxonomy: 'category' | 'tag'): boolean {
  return isAtLeast(actor, taxonomy === 'category' ? 'author' : 'editor')
}

/** May add, change and remove users, and revoke what they sign in with. */
export function mayManageUsers(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** Published records are for everyone; the others for their author and for editors. */
export function mayRead(actor: Actor, record: Owned): boolean {
  if (record.status === 'publish' || mayEditOthers(actor)) return true
  return actor.kind === 'user' && actor.id === record.authorId
}

/** Change and trash alike: a contributor loses the right with publication (conventions.md §8). */
export function mayEdit(actor: Actor, record: Owned): boolean {
  if (mayEditOthers(actor)) return true
  if (actor.kind !== 'user' || actor.id !== record.authorId) return false
  return PUBLISHED.has(record.status) ? mayPublish(actor) : mayCreate(actor)
}

/** Who may trash a record as it was may take it back out of the trash. */
export function mayRestore(
  actor: Actor,
  { authorId, statusBeforeTrash }: { readonly authorId: number; readonly statusBeforeTrash: string | undefined },
): boolean {
  return mayEdit(actor, { authorId, status: statusBeforeTrash ?? 'draft' })
}

/** May see who wrote what. */
export function mayReadAudit(actor: Actor): boolean {
  return isAtLeast(actor, 'administrator')
}

/** @throws rest_forbidden: 401 for visitors, 403 for users without the right. */
export function assertAllowed(actor: Actor, isAllowed: boolean): void {
  if (!isAllowed) fail('rest_forbidden', { status: actor.kind === 'visitor' ? 401 : 403 })
}
