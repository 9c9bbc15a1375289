import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { mayCreate, mayEditOthers } from '../auth/policy.ts'
import type { Tables } from '../storage/tables.ts'
import type { StatusFilter } from './record.arguments.ts'

/**
 * The condition under which a record stands in a list for this caller: of the status asked for, and one that the
 * caller could read by its id as well (events.md §8, 7; venues-organizers.md §11).
 */
export function readableBy<T extends keyof Tables>(
  expression: ExpressionBuilder<Tables, 'records' | T>,
  actor: Actor,
  asked: StatusFilter | undefined,
): Expression<SqlBool> {
  const e = expression as unknown as ExpressionBuilder<Tables, 'records'>
  const filter = asked ?? (mayCreate(actor) ? 'any' : ['publish'])
  const ofStatus =
    filter === 'any'
      ? e('records.status', '!=', 'trash')
      : e('records.status', 'in', filter === 'readable' ? ['publish', 'private'] : [...filter])
  if (mayEditOthers(actor)) return ofStatus
  const isPublished = e('records.status', '=', 'publish')
  if (actor.kind === 'visitor') return e.and([ofStatus, isPublished])
  return e.and([ofStatus, e.or([isPublished, e('records.author_id', '=', actor.id)])])
}
