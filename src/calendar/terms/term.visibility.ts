import type { Actor } from '../../access/auth/actor.ts'
import { mayManage } from '../../access/auth/policy.ts'
import type { Term } from './term.ts'

/**
 * Whether the caller may see a term. A term is public unless only drafts have it, of users who may not create such
 * terms. Such a term is visible to users who may create terms, and to the user who named it first
 * (docs/decisions/0026).
 */
export function isTermVisibleTo(
  actor: Actor,
  { taxonomy, introducedBy }: Pick<Term, 'taxonomy' | 'introducedBy'>,
): boolean {
  if (introducedBy === undefined || mayManage(actor, taxonomy)) return true
  return actor.kind === 'user' && actor.id === introducedBy
}

/** Returns the user to store as the introducer of a new term. Undefined if the term is public immediately. */
export function introducerFor(actor: Actor, taxonomy: Term['taxonomy']): number | undefined {
  return actor.kind === 'visitor' || mayManage(actor, taxonomy) ? undefined : actor.id
}
