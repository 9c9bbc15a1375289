import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../../access/auth/actor.ts'
import { mayCreate, mayEditOthers, mayPublish } from '../../../access/auth/policy.ts'
import { type IndexedPreference, preferenceBit } from '../../../base/languages/preference.bits.ts'
import type { EntryCondition } from '../../index/event.index.ts'
import type { StatusFilter } from '../../records/record.arguments.ts'
import { STATUSES } from '../../records/record.ts'
import { askedStatuses } from '../../records/record.visibility.ts'

export interface ShownQuery {
  readonly status: StatusFilter | undefined
  readonly preference: IndexedPreference
  /** Whether the list must leave out events whose values a password hides from the caller. */
  readonly isOfUnmasked: boolean
  /** Whether it must leave out all protected events. */
  readonly isOfUnprotected: boolean
}

/**
 * Returns the condition of the events that a list shows to a caller: those of `readableBy`, in the version of
 * `isPreferredTranslation`, except hidden ones. An entry knows which lists of its status show it, and which lists of all
 * statuses. For other lists, the versions of a group are compared.
 */
export function isShown(actor: Actor, query: ShownQuery): EntryCondition {
  const { status, preference } = query
  const asked = askedStatuses(actor, status)
  const seesAll = mayEditOthers(actor)
  const statuses = seesAll || actor.kind === 'user' ? asked : asked.filter((one) => one === 'publish')
  const bit = sql.lit(preferenceBit(preference))
  const isMarked = (entry: string, mark: 'shown_alone' | 'shown_among_all') =>
    sql<SqlBool>`${sql.ref(`${entry}.${mark}`)} & ${bit} <> 0`
  const isUnmasked = unmaskedIn(actor, query)
  const [only] = statuses
  return (entry) => {
    const column = (name: string) => sql.ref(`${entry}.${name}`)
    if (only === undefined) return sql<SqlBool>`1 = 0`
    const unmasked = sql`${isUnmasked(entry)}`
    if (statuses.length === 1 && (seesAll || only === 'publish'))
      return sql<SqlBool>`(${column('status')} = ${sql.lit(only)} and ${isMarked(entry, 'shown_alone')} and ${unmasked})`
    if (seesAll && statuses.length === STATUSES.length - 1 && !statuses.includes('trash'))
      return sql<SqlBool>`(${column('status')} <> 'trash' and ${isMarked(entry, 'shown_among_all')} and ${unmasked})`
    const isReadable = readableIn(actor, statuses)
    // An event without translations is shown by its language.
    return sql<SqlBool>`(${isReadable(entry)} and ${unmasked} and case when ${column('group_id')} is null
      then ${isMarked(entry, 'shown_alone')} else ${isBestVersion(entry, preference, isReadable)} end)`
  }
}

type OnEntry = (entry: string) => RawBuilder<SqlBool>

/** The condition that the caller may read an event of some statuses. */
function readableIn(actor: Actor, statuses: readonly string[]): OnEntry {
  return (entry) => {
    const status = sql.ref(`${entry}.status`)
    const ofStatus = sql<SqlBool>`${status} in (${sql.join(statuses.map((one) => sql.lit(one)))})`
    if (actor.kind === 'visitor' || mayEditOthers(actor)) return ofStatus
    return sql<SqlBool>`(${ofStatus} and (${status} = 'publish' or ${sql.ref(`${entry}.author_id`)} = ${actor.id}))`
  }
}

/** The condition that a password hides nothing of the event that the list must not reveal. */
function unmaskedIn(actor: Actor, { isOfUnmasked, isOfUnprotected }: ShownQuery): OnEntry {
  return (entry) => {
    const isUnprotected = sql<SqlBool>`${sql.ref(`${entry}.is_protected`)} = 0`
    if (isOfUnprotected) return isUnprotected
    if (!isOfUnmasked || mayEditOthers(actor)) return sql<SqlBool>`1 = 1`
    if (actor.kind === 'visitor' || !mayCreate(actor)) return isUnprotected
    const isOwn = sql`${sql.ref(`${entry}.author_id`)} = ${actor.id}`
    const isEditable = mayPublish(actor)
      ? isOwn
      : sql`${isOwn} and ${sql.ref(`${entry}.status`)} not in ('publish', 'future')`
    return sql<SqlBool>`(${isUnprotected} or ${isEditable})`
  }
}

/** The condition that no other readable version of the group comes before this one: see `chooseTranslation`. */
function isBestVersion(
  entry: string,
  { order, isStrict }: IndexedPreference,
  isReadable: OnEntry,
): RawBuilder<SqlBool> {
  const places = order.map((language, place) => sql`when ${language} then ${sql.lit(place)}`)
  const rank = (table: string) =>
    sql`case ${sql.ref(`${table}.language`)} ${sql.join(places, sql` `)}
      else ${sql.lit(order.length)} + case when ${sql.ref(`${table}.event_id`)} = ${sql.ref(`${table}.group_id`)} then 0 else 1 end end`
  const isKnown = isStrict ? sql`${sql.ref(`${entry}.language`)} in (${sql.join([...order])})` : sql`1 = 1`
  return sql<SqlBool>`(${sql.ref(`${entry}.is_hidden`)} = 0 and ${isKnown} and not exists (
    select 1 from listed_events rival
    where rival.group_id = ${sql.ref(`${entry}.group_id`)} and rival.is_hidden = 0 and ${isReadable('rival')}
      and (${rank('rival')} < ${rank(entry)}
        or (${rank('rival')} = ${rank(entry)} and rival.event_id < ${sql.ref(`${entry}.event_id`)}))))`
}
