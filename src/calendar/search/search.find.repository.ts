import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { LocalDateTime } from '../../base/time/local.date.time.ts'
import { windowDays } from '../index/certain.days.ts'
import type { TimeWindow } from '../index/event.index.ts'
import { IdSet } from '../index/id.set.ts'
import { rangeParts } from '../index/index.entries.repository.ts'
import { dayOfStart } from '../index/indexed.event.repository.ts'
import { memberAt, placeOf, placeOfDay } from '../index/set.segments.ts'
import type { ReadContext } from '../translations/viewer.ts'

/** A search for the lists of one answer. Lists of the same window share what it has found. */
export interface EventSearch {
  readonly terms: SearchTerms
  /** By the bounds of the window. */
  readonly found: Map<string, Promise<IdSet>>
}

export function eventSearch(terms: SearchTerms): EventSearch {
  return { terms, found: new Map() }
}

type SearchContext = Pick<ReadContext, 'db' | 'dialect'>

/**
 * Returns the events of all statuses whose texts contain all terms to include and none to exclude. Among them are all that
 * are in the window.
 */
export function findEvents(context: SearchContext, { terms, found }: EventSearch, window: TimeWindow): Promise<IdSet> {
  const name = JSON.stringify(window)
  const known = found.get(name) ?? findInWindow(context, terms, window)
  found.set(name, known)
  return known
}

async function findInWindow(context: SearchContext, terms: SearchTerms, window: TimeWindow): Promise<IdSet> {
  const { db, dialect } = context
  const { first, last } = windowDays(window).possible
  const texts = dialect.textsWith(terms.include.filter(hasTrigram), {
    from: placeOfDay(first),
    to: placeOfDay(last + 1) - 1,
  })
  const [places, long] = await Promise.all([
    sql<{ place: number }>`select place from ${texts} found where ${conditionsOf(context, terms, true)}`.execute(db),
    findLong(context, terms, window),
  ])
  return IdSet.of([...places.rows, ...long].map(({ place }) => memberAt(place).id))
}

/** Finds events that begin before the days of the window and last until them. They are few, so their texts are compared. */
async function findLong(
  context: SearchContext,
  terms: SearchTerms,
  window: TimeWindow,
): Promise<readonly { readonly place: number }[]> {
  const { db, dialect } = context
  const [, isEarlier] = rangeParts({ window, isOfClass: sql<SqlBool>`1 = 1` })
  if (!isEarlier) return []
  const { rows: events } = await sql<{ event_id: number; start_local: LocalDateTime }>`
    select event_id, start_local from event_order entry where ${isEarlier('entry')}`.execute(db)
  const places = events.map(({ event_id: id, start_local }) => placeOf({ day: dayOfStart(start_local), id }))
  const { rows } = await sql<{ place: number }>`select place from search_texts
    where ${dialect.isAmong(sql.ref('place'), places)} and ${conditionsOf(context, terms, false)}`.execute(db)
  return rows
}

/** @param isIndexed Whether the index has answered the terms that it knows. */
function conditionsOf({ dialect }: SearchContext, { include, exclude }: SearchTerms, isIndexed: boolean) {
  const contains = (term: string) => dialect.containsText(sql.ref('text'), term)
  const compared: readonly RawBuilder<SqlBool>[] = [
    ...include.filter((term) => !isIndexed || !hasTrigram(term)).map(contains),
    ...exclude.map((term) => sql<SqlBool>`not (${contains(term)})`),
  ]
  return sql.join([sql`1 = 1`, ...compared], sql` and `)
}

/** Whether the index knows texts with the term. Shorter terms are compared with the texts of the days. */
export function hasTrigram(term: string): boolean {
  return [...term].length >= 3 && !term.includes('\0')
}
