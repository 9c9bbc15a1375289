import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Actor } from '../../access/auth/actor.ts'
import { matchesNothing, type SearchTerms } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Tables } from '../../storage/database/tables.ts'
import { isUnmaskedFor, readableBy } from '../records/record.visibility.ts'
import { isPreferredVersion } from '../translations/group.repository.ts'
import type { Viewer } from '../translations/viewer.ts'
import { hasVenueCoordinates } from './event.area.repository.ts'
import { windowConditions } from './event.bounds.repository.ts'
import type { EventQuery } from './event.query.ts'

type Builder = ExpressionBuilder<Tables, 'records' | 'events'>

/** Whether the query asks for anything that the event index does not hold. */
export function needsEventConditions({ search, isFeatured, parentIds, hasTickets, hasPlace }: EventQuery): boolean {
  return Boolean(search || isFeatured === false || parentIds || hasTickets !== undefined || hasPlace)
}

/** All conditions of a query, on `records` and `events`. */
export function queryConditions(
  e: Builder,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
): Expression<SqlBool>[] {
  const { window } = asked
  const { actor } = viewer
  return [
    readableBy('records', actor, asked.status),
    isPreferredVersion('records', asked.preference, (alias) =>
      e.and([readableBy(alias, actor, asked.status), isNotHidden(alias)]),
    ),
    e('events.is_hidden', '=', 0),
    ...windowConditions('events', window),
    ...[asked.categoryIds, asked.tagIds].flatMap((ids) => (ids ? [hasTerm(e, dialect, ids)] : [])),
    ...(asked.venueIds ? [hasLink(e, dialect, 'event_venues', 'venue_id', asked.venueIds)] : []),
    ...(asked.organizerIds ? [hasLink(e, dialect, 'event_organizers', 'organizer_id', asked.organizerIds)] : []),
    ...(asked.isFeatured ? [e('events.is_featured', '=', 1)] : []),
    ...eventConditions(e, dialect, viewer, asked),
  ]
}

/** A version that is hidden from lists is as if missing: another one of its group may be shown. */
function isNotHidden(alias: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from events listed
    where listed.record_id = ${sql.ref(`${alias}.id`)} and listed.is_hidden = 0)`
}

/** The conditions on what the event index does not hold. */
export function eventConditions(
  e: Builder,
  dialect: Dialect,
  viewer: Viewer,
  asked: EventQuery,
): Expression<SqlBool>[] {
  return [
    ...(asked.search ? searchConditions(e, dialect, viewer.actor, asked.search) : []),
    ...(filtersByProtected(asked) ? [isUnmaskedFor('records', viewer.actor)] : []),
    ...(asked.isFeatured === false ? [e('events.is_featured', '=', 0)] : []),
    ...(asked.ids ? [dialect.isAmong(e.ref('records.id'), asked.ids)] : []),
    ...(asked.parentIds ? [e('records.parent_id', 'in', asked.parentIds)] : []),
    ...(asked.hasTickets === undefined ? [] : [e('events.has_tickets', '=', asked.hasTickets ? 1 : 0)]),
    ...(asked.hasPlace ? [hasVenueCoordinates(dialect, viewer, asked.around)] : []),
  ]
}

/** Whether a filter asks for what the password of an event hides: it would tell what a masked event does not show. */
function filtersByProtected(asked: EventQuery): boolean {
  const { categoryIds, tagIds, venueIds, organizerIds, isFeatured, hasPlace } = asked
  return Boolean(categoryIds || tagIds || venueIds || organizerIds || isFeatured !== undefined || hasPlace)
}

/** Contract: visitors do not find protected events by their words, whatever password they send. */
function searchConditions(
  e: Builder,
  dialect: Dialect,
  actor: Actor,
  { include, exclude }: SearchTerms,
): Expression<SqlBool>[] {
  if (matchesNothing({ include, exclude })) return [sql<SqlBool>`1 = 0`]
  const contains = (term: string) => dialect.containsText(e.ref('records.search_text'), term)
  return [
    ...include.map(contains),
    ...exclude.map((term) => e.not(contains(term))),
    ...(actor.kind === 'visitor' ? [e('records.password', 'is', null)] : []),
  ]
}

function hasTerm(e: Builder, dialect: Dialect, ids: readonly number[]): Expression<SqlBool> {
  return e.exists(
    e
      .selectFrom('event_terms')
      .select('event_terms.term_id')
      .whereRef('event_terms.event_id', '=', 'events.record_id')
      .where((term) => dialect.isAmong(term.ref('event_terms.term_id'), ids)),
  )
}

function hasLink(
  e: Builder,
  dialect: Dialect,
  table: 'event_venues' | 'event_organizers',
  column: 'venue_id' | 'organizer_id',
  ids: readonly number[],
): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} link
    where link.event_id = ${e.ref('events.record_id')} and ${dialect.isAmong(sql.ref(`link.${column}`), ids)})`
}
