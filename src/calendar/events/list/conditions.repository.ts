import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { matchesNothing, type SearchTerms } from '../../../base/text/fold.ts'
import type { Tables } from '../../../storage/database/tables.ts'
import { windowConditions } from '../../index/time.window.repository.ts'
import { modifiedConditions } from '../../records/record.modified.repository.ts'
import { isUnmaskedFor, readableBy } from '../../records/record.visibility.ts'
import { isPreferredTranslation } from '../../translations/group.repository.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import { hasVenueCoordinates } from './area.repository.ts'
import type { EventQuery } from './query.ts'

type Builder = ExpressionBuilder<Tables, 'records' | 'events'>

/** Returns all conditions of a query, on `records` and `events`. */
export function queryConditions(e: Builder, context: ReadContext, asked: EventQuery): Expression<SqlBool>[] {
  const { window } = asked
  const { actor } = context.viewer
  return [
    readableBy('records', actor, asked.status),
    isPreferredTranslation('records', asked.preference, (alias) =>
      e.and([readableBy(alias, actor, asked.status), isNotHidden(alias)]),
    ),
    isNoTemplate,
    e('events.is_hidden', '=', 0),
    ...windowConditions('events', window),
    ...[asked.categoryIds, asked.tagIds].flatMap((ids) => (ids ? [hasTerm(e, context, ids)] : [])),
    ...(asked.venueIds ? [hasLink(context, venueLinks, asked.venueIds)] : []),
    ...(asked.organizerIds ? [hasLink(context, organizerLinks, asked.organizerIds)] : []),
    ...(asked.isFeatured ? [e('events.is_featured', '=', 1)] : []),
    ...eventConditions(e, context, asked),
  ]
}

/** Templates of series have rows in `events` too. Not an equation, which engines would look up in an index. */
const isNoTemplate = sql<SqlBool>`case records.kind when 'series' then 0 else 1 end = 1`

/** A version that is hidden from lists counts as missing, so another version of its group may be shown. */
function isNotHidden(alias: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from events listed
    where listed.record_id = ${sql.ref(`${alias}.id`)} and listed.is_hidden = 0)`
}

function eventConditions(e: Builder, context: ReadContext, asked: EventQuery): Expression<SqlBool>[] {
  const { dialect, viewer } = context
  return [
    ...(asked.search ? searchConditions(e as ExpressionBuilder<Tables, 'records'>, context, asked.search) : []),
    ...(filtersByProtected(asked) ? [isUnmaskedFor('records', viewer.actor)] : []),
    ...(asked.isFeatured === false ? [e('events.is_featured', '=', 0)] : []),
    ...(asked.ids ? [dialect.isAmong(e.ref('records.id'), asked.ids)] : []),
    ...(asked.parentIds ? [e('records.parent_id', 'in', asked.parentIds)] : []),
    ...seriesConditions(context, asked),
    ...(asked.hasTickets === undefined ? [] : [e('events.has_tickets', '=', asked.hasTickets ? 1 : 0)]),
    ...(asked.eventStatuses ? [e('events.event_status', 'in', asked.eventStatuses)] : []),
    ...(asked.modified ? modifiedConditions(asked.modified) : []),
    ...(asked.attendances ? [e('events.attendance', 'in', asked.attendances)] : []),
    ...(asked.hasPlace ? [hasVenueCoordinates(context, asked.around)] : []),
  ]
}

/** The conditions by series. A series has few dates among a few named events. */
function seriesConditions(
  { dialect }: ReadContext,
  { seriesIds, parentSeriesId }: EventQuery,
): readonly Expression<SqlBool>[] {
  const asked = [seriesIds, parentSeriesId === undefined ? undefined : [parentSeriesId]]
  return asked.flatMap((ids) =>
    ids
      ? [
          sql<SqlBool>`exists (select 1 from occurrences date where date.event_id = ${sql.ref('events.record_id')}
            and ${dialect.isAmong(sql.ref('date.series_id'), ids)})`,
        ]
      : [],
  )
}

/**
 * Whether a filter uses a value that the password of an event hides. Such a filter would reveal what a masked event
 * does not show.
 */
export function filtersByProtected(asked: EventQuery): boolean {
  const { categoryIds, tagIds, venueIds, organizerIds, isFeatured, hasTickets, hasPlace } = asked
  const isByValue = isFeatured !== undefined || hasTickets !== undefined
  return Boolean(categoryIds || tagIds || venueIds || organizerIds || isByValue || hasPlace)
}

/** Contract: visitors do not find protected events by their words, even with a password. */
function searchConditions(
  e: ExpressionBuilder<Tables, 'records'>,
  { dialect, viewer }: ReadContext,
  { include, exclude }: SearchTerms,
): Expression<SqlBool>[] {
  if (matchesNothing({ include, exclude })) return [sql<SqlBool>`1 = 0`]
  const contains = (term: string) => dialect.containsText(e.ref('records.search_text'), term)
  return [
    ...include.map(contains),
    ...exclude.map((term) => e.not(contains(term))),
    ...(viewer.actor.kind === 'visitor' ? [e('records.password', 'is', null)] : []),
  ]
}

function hasTerm(e: Builder, { dialect }: ReadContext, ids: readonly number[]): Expression<SqlBool> {
  return e.exists(
    e
      .selectFrom('event_terms')
      .select('event_terms.term_id')
      .whereRef('event_terms.event_id', '=', 'events.record_id')
      .where((term) => dialect.isAmong(term.ref('event_terms.term_id'), ids)),
  )
}

const venueLinks = { table: 'event_venues', column: 'venue_id' } as const
const organizerLinks = { table: 'event_organizers', column: 'organizer_id' } as const

function hasLink(
  { dialect }: ReadContext,
  { table, column }: typeof venueLinks | typeof organizerLinks,
  ids: readonly number[],
): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table(table)} link
    where link.event_id = ${sql.ref('events.record_id')} and ${dialect.isAmong(sql.ref(`link.${column}`), ids)})`
}
