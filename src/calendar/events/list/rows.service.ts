import { totalPages } from '../../../access/http/arguments/paging.ts'
import type { Language } from '../../../base/languages/language.ts'
import { fail } from '../../../base/problems.ts'
import type { ReadContext } from '../../translations/viewer.ts'
import type { LinkedEvent } from '../model/event.ts'
import { listLinked, listLinks } from '../read/linked.repository.ts'
import { findByCheck, maxChecked, type ReadCheck } from '../write/checks.repository.ts'
import { listEventsByIds } from './ids.repository.ts'
import { planEventList } from './list.plan.ts'
import { listEventIds } from './list.repository.ts'
import type { EventQuery } from './query.ts'
import { type EventVersion, listEventTranslations } from './rows.repository.ts'

/** A page of the table of editors. */
export interface EventRows {
  readonly items: readonly LinkedEvent[]
  /** The versions of the events, by group. */
  readonly versions: ReadonlyMap<number, readonly EventVersion[]>
  readonly total: number
  /** Whether a check looked only at the first events of the list. */
  readonly isPartial: boolean
}

interface RowsAsked {
  /** Undefined: all of the list. */
  readonly check: ReadCheck | undefined
  /** The language of the names of linked items. Default: that of each event. */
  readonly namesLanguage: Language | undefined
}

interface FoundIds extends Pick<EventRows, 'total' | 'isPartial'> {
  readonly ids: readonly number[]
}

/**
 * Returns one page of the events that the reader may read, with their versions.
 *
 * @throws event-archive-page-not-found
 */
export async function readEventRows(
  context: ReadContext,
  query: EventQuery,
  { check, namesLanguage }: RowsAsked,
): Promise<EventRows> {
  const { page, perPage, status } = query
  const found = check === undefined ? await pageOf(context, query) : await checkedPage(context, query, check)
  const { ids, total, isPartial } = found
  if (page > 1 && page > totalPages(total, perPage)) fail('event-archive-page-not-found')
  const own = ids.length === 0 ? [] : await listEventsByIds(context, { ids, status, isOutline: true })
  const items = namesLanguage === undefined ? own : await withNamesIn(context, namesLanguage, own)
  const versions = await listEventTranslations(context, ids)
  return { items, versions: Map.groupBy(versions, ({ groupId }) => groupId), total, isPartial }
}

/** Returns events whose linked items keep their ids, and have the names that they have in another language. */
async function withNamesIn({ viewer, ...context }: ReadContext, language: Language, events: readonly LinkedEvent[]) {
  const reader = { ...context, viewer: { ...viewer, language } }
  const linkedOf = await listLinked(
    reader,
    listLinks(
      reader,
      events.map(({ id }) => id),
    ),
  )
  return events.map((event) => {
    const { venues, organizers, categories } = linkedOf(event)
    return {
      ...event,
      venues: named(event.venues, venues),
      organizers: named(event.organizers, organizers),
      categories: named(event.categories, categories),
    }
  })
}

function named<E extends { readonly id: number; readonly groupId: number }>(own: readonly E[], others: readonly E[]) {
  const byGroup = new Map(others.map((other) => [other.groupId, other]))
  return own.map((one) => ({ ...(byGroup.get(one.groupId) ?? one), id: one.id }))
}

async function pageOf(context: ReadContext, query: EventQuery): Promise<FoundIds> {
  return { ...(await listEventIds(context, await planEventList(context, query))), isPartial: false }
}

async function checkedPage(context: ReadContext, query: EventQuery, check: ReadCheck): Promise<FoundIds> {
  const plan = await planEventList(context, { ...query, page: 1, perPage: maxChecked })
  const { ids, total } = await listEventIds(context, plan)
  const found = await findByCheck(context, check, ids)
  const { page, perPage } = query
  return {
    ids: found.slice((page - 1) * perPage, page * perPage),
    total: found.length,
    isPartial: total > ids.length,
  }
}
