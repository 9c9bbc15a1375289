import type { Actor } from '../../access/auth/actor.ts'
import { mayManage } from '../../access/auth/policy.ts'
import type { Term } from './term.ts'

/**
 * Whether a term is for the caller: it is for everybody, unless only drafts carry it of people who may not make such
 * terms; then for those who may, and for whoever named it first (docs/decisions/0026).
 */
export function isTermVisibleTo(
  actor: Actor,
  { taxonomy, introducedBy }: Pick<Term, 'taxonomy' | 'introducedBy'>,
): boolean {
  if (introducedBy === undefined || mayManage(actor, taxonomy)) return true
  return actor.kind === 'user' && actor.id === introducedBy
}

/** Who is told to have brought a new term: nobody where it is everybody’s at once. */
export function introducerFor(actor: Actor, taxonomy: Term['taxonomy']): number | undefined {
  return actor.kind === 'visitor' || mayManage(actor, taxonomy) ? undefined : actor.id
}
