import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayCreate, mayEditOthers, mayPublish } from '../../access/auth/policy.ts'
import type { StatusFilter } from './record.arguments.ts'
import { type RecordStatus, STATUSES } from './record.ts'

/** Returns the statuses of a list, as this caller may ask for them. By default visitors see published records only. */
export function askedStatuses(actor: Actor, asked: StatusFilter | undefined): readonly RecordStatus[] {
  const filter = asked ?? (mayCreate(actor) ? 'any' : ['publish'])
  if (filter === 'any') return STATUSES.filter((status) => status !== 'trash')
  return filter === 'readable' ? ['publish', 'private'] : [...new Set(filter)]
}

/**
 * Returns the condition under which a list shows a record to this caller: it has the requested status, and the caller
 * may read it by its id (events.md §8 row 7; venues-organizers.md §11 row 10).
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

/**
 * Returns the condition under which the caller may change a record, and may therefore see the values that its password
 * hides (conventions.md §8; rulings.md 10).
 *
 * @param alias Name of the table of records in the query.
 */
export function editableBy(alias: string, actor: Actor): RawBuilder<SqlBool> {
  if (mayEditOthers(actor)) return sql<SqlBool>`1 = 1`
  if (actor.kind === 'visitor' || !mayCreate(actor)) return sql<SqlBool>`1 = 0`
  const isOwn = sql<SqlBool>`${sql.ref(`${alias}.author_id`)} = ${actor.id}`
  if (mayPublish(actor)) return isOwn
  return sql<SqlBool>`(${isOwn} and ${sql.ref(`${alias}.status`)} not in ('publish', 'future'))`
}

/** Returns the condition that a record has no password, or that the caller may see the values that it hides. */
export function isUnmaskedFor(alias: string, actor: Actor): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.ref(`${alias}.password`)} is null or ${editableBy(alias, actor)})`
}
