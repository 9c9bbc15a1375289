import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Flag } from '../../storage/database/tables.ts'
import { IdSet } from '../index/id.set.ts'
import { type EventLists, listsOf } from './search.documents.ts'
import type { SearchReading } from './search.rows.repository.ts'
import type { IndexPart } from './search.state.repository.ts'

interface ListRow {
  readonly first: number
  readonly events: Uint8Array
}

/**
 * Reads the events of documents.
 *
 * @param firsts The first documents of their lists.
 */
export async function readLists(
  { db, dialect }: SearchReading,
  firsts: readonly number[],
  lists: EventLists,
): Promise<void> {
  const { rows } = await sql<ListRow>`select first_document as first, events from search_lists
    where ${dialect.isAmong(
      sql.ref('first_document'),
      firsts.filter((first) => !lists.has(first)),
    )}`.execute(db)
  for (const { first, events } of rows) lists.add(first, events)
}

interface EventsQuery {
  readonly terms: SearchTerms
  /** The documents whose events are needed. */
  readonly documents: IdSet
  /** Events whose texts have to be compared, although they are indexed. */
  readonly undecided: IdSet
  readonly index: IndexPart
  readonly lists: EventLists
}

interface EventRow {
  readonly part: 0 | 1 | 2 | 3
  readonly number: number
  readonly flag: Flag | number
  readonly events: Uint8Array | null
}

/** The events that a search must know of. */
export interface ReadEvents {
  /** Those that are not indexed. */
  readonly pending: IdSet
  /** Those of them, and of the undecided ones, that match. */
  readonly matching: IdSet
}

/**
 * Reads the lists of documents, all events that are not indexed, and whether these and the undecided ones match. Runs one
 * query.
 *
 * @returns undefined if the index changed.
 */
export async function readEvents(
  { db, dialect }: SearchReading,
  { terms, documents, undecided, index, lists }: EventsQuery,
): Promise<ReadEvents | undefined> {
  const firsts = listsOf(documents).filter((first) => !lists.has(first))
  const matches = sql.join(textConditions(dialect, terms), sql` and `)
  const { rows } = await sql<EventRow>`
    select part, compared.id as number, coalesce((select case when ${matches} then 1 else 0 end from records
        where records.id = compared.id and records.kind = 'event'), 0) as flag, null as events
      from (select 1 as part, event_id as id from search_pending
        union all select 3, id from ${dialect.numbers([...undecided])} undecided) compared
    union all select 2, first_document, 0, events from search_lists
      where ${dialect.isAmong(sql.ref('first_document'), firsts)}
    union all select 0, version, generation, null from search_state`.execute(db)
  const state = rows.find(({ part }) => part === 0)
  if (state?.number !== index.version || state.flag !== index.generation) return undefined
  for (const { part, number, events } of rows) if (part === 2 && events) lists.add(number, events)
  const compared = rows.filter(({ part }) => part === 1 || part === 3)
  return {
    pending: IdSet.of(compared.flatMap(({ part, number }) => (part === 1 ? [number] : []))),
    matching: IdSet.of(compared.flatMap(({ number, flag }) => (flag === 1 ? [number] : []))),
  }
}

function textConditions(dialect: Dialect, { include, exclude }: SearchTerms): readonly RawBuilder<SqlBool>[] {
  const contains = (term: string) => dialect.containsText(sql.ref('records.search_text'), term)
  return [
    // For a search without terms.
    sql<SqlBool>`1 = 1`,
    ...include.map(contains),
    ...exclude.map((term) => sql<SqlBool>`not (${contains(term)})`),
  ]
}
