import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../auth/actor.ts'
import { mayCreate, mayEditOthers } from '../auth/policy.ts'
import type { StatusFilter } from './record.arguments.ts'

/**
 * The condition under which a record stands in a list for this caller: of the status asked for, and one that the
 * caller could read by its id as well (events.md §8, 7; venues-organizers.md §11).
 *
 * @param alias Name of the table of records in the query.
 */
export function readableBy(alias: string, actor: Actor, asked: StatusFilter | undefined): RawBuilder<SqlBool> {
  const status = sql.ref(`${alias}.status`)
  const filter = asked ?? (mayCreate(actor) ? 'any' : ['publish'])
  const statuses = filter === 'readable' ? ['publish', 'private'] : filter
  const ofStatus =
    statuses === 'any' ? sql<SqlBool>`${status} <> 'trash'` : sql<SqlBool>`${status} in (${sql.join(statuses)})`
  if (mayEditOthers(actor)) return ofStatus
  if (actor.kind === 'visitor') return sql<SqlBool>`(${ofStatus} and ${status} = 'publish')`
  const author = sql.ref(`${alias}.author_id`)
  return sql<SqlBool>`(${ofStatus} and (${status} = 'publish' or ${author} = ${actor.id}))`
}
