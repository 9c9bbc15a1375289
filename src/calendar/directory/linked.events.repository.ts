import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { mayEditOthers } from '../../access/auth/policy.ts'
import { FACETS, firstPlaceOf, startOfUtcDay } from '../index/event.index.ts'
import { isUnmaskedFor, readableBy } from '../records/record.visibility.ts'
import type { DirectoryKind } from './directory.ts'

/** Which linked events a venue or organizer must have. */
interface LinkedEvents {
  readonly eventIds: readonly number[] | undefined
  readonly hasEvents: boolean | undefined
  /** An event that starts at this Unix time (seconds) or later. */
  readonly eventsFrom: number | undefined
}

interface Caller {
  readonly kind: DirectoryKind
  readonly actor: Actor
}

/** A link names one version and means all of them (languages.md F8). So do the facets of events. */
const group = sql.raw('coalesce(records.group_id, records.id)')
const facet = sql`${group} * 8 + ${sql.lit(FACETS.place(0))}`
/** An event begins at most this many days before or after its UTC day, in its own time. */
const slackDays = 2

/**
 * Returns the conditions on the events of the venues or organizers in `records`. An event counts only if the caller may
 * read it and it is not in the trash (venues-organizers.md §11 row 11). A password hides the place of an event, so a
 * protected event counts only for a caller who may edit it.
 */
export function linkedEventConditions(caller: Caller, asked: LinkedEvents): readonly RawBuilder<SqlBool>[] {
  const conditions: RawBuilder<SqlBool>[] = []
  if (asked.eventIds !== undefined) {
    conditions.push(isLinkedTo(caller, sql<SqlBool>`link.event_id in (${sql.join(asked.eventIds)})`))
  }
  if (asked.hasEvents !== undefined) {
    const has = hasEvents(caller)
    conditions.push(asked.hasEvents ? has : sql<SqlBool>`not ${has}`)
  }
  if (asked.eventsFrom !== undefined) conditions.push(hasEventsFrom(caller, asked.eventsFrom))
  return conditions
}

/** The condition that an event is linked for which another condition holds. That one does not depend on the record. */
function isLinkedTo({ kind }: Caller, condition: RawBuilder<SqlBool>): RawBuilder<SqlBool> {
  return sql<SqlBool>`${group} in (select coalesce(place.group_id, place.id)
    from ${sql.table(`event_${kind}s`)} link join records place on place.id = ${sql.ref(`link.${kind}_id`)}
    where ${condition})`
}

/**
 * The condition on entries of events that the caller may read, with any author. Other own events are found by
 * `isLinkedToOwn`.
 */
function isReadableByAll({ actor }: Caller): RawBuilder<SqlBool> {
  return mayEditOthers(actor) ? sql<SqlBool>`status <> 'trash'` : sql<SqlBool>`status = 'publish' and is_protected = 0`
}

function isLinkedToOwn(caller: Caller, condition: RawBuilder<SqlBool>): readonly RawBuilder<SqlBool>[] {
  const { actor } = caller
  if (actor.kind === 'visitor' || mayEditOthers(actor)) return []
  const isOwn = sql<SqlBool>`link.event_id in (select event.id from records event
    join listed_events listing on listing.event_id = event.id
    where event.kind = 'event' and event.author_id = ${actor.id} and ${readableBy('event', actor, 'any')}
      and ${isUnmaskedFor('event', actor)} and ${condition})`
  return [isLinkedTo(caller, isOwn)]
}

function anyOf(conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

function hasEvents(caller: Caller): RawBuilder<SqlBool> {
  const isFinished = sql<SqlBool>`status not in ('draft', 'pending')`
  return anyOf([
    hasEntry(sql`${isReadableByAll(caller)} and ${isFinished}`),
    ...isLinkedToOwn(caller, sql<SqlBool>`event.status not in ('draft', 'pending')`),
  ])
}

/** The condition that the event index has an event with the record in these places. */
function hasEntry(condition: RawBuilder<unknown>, from = 0): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from event_facets linked join listed_events entry on entry.place = linked.place
    where linked.facet = ${facet} and linked.place >= cast(${from} as bigint) and ${condition})`
}

function hasEventsFrom(caller: Caller, from: number): RawBuilder<SqlBool> {
  const isListed = sql`${isReadableByAll(caller)} and is_hidden = 0 and start_utc >= ${from}`
  return anyOf([
    hasEntry(isListed, firstPlaceOf(startOfUtcDay(from, -slackDays))),
    ...isLinkedToOwn(caller, sql<SqlBool>`listing.is_hidden = 0 and listing.start_utc >= ${from}`),
  ])
}
