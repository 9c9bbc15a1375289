import { fail } from '../../base/problems.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db } from '../../storage/database/tables.ts'
import { readChangeLog } from '../changelog/change.log.repository.ts'
import type { ChangeCursor, ChangeKind, ChangeLogState } from '../changelog/change.log.ts'
import type { FacetFilter } from '../index/event.index.ts'
import {
  type ChangedEntry,
  type ChangeRow,
  listChanges,
  listEventFacets,
  listLinkedChanges,
} from './change.page.repository.ts'
import {
  type Change,
  type ChangePage,
  type ChangeQuery,
  isLinkedKind,
  LINKED_KINDS,
  placeAfter,
} from './change.page.ts'

/** The most rows that one request compares with its filters. */
const maxCompared = 1000
/** The most venues, organizers and series of which one request looks for events. */
const maxEntries = 50

/** A change, before it is known whether its item meets the filters. */
interface FoundChange extends Change {
  readonly language: string
}

interface Reading {
  readonly db: Db
  readonly dialect: Dialect
}

/**
 * Returns the next page of changes. Its cost does not depend on what the filters find: a page may be empty although more
 * follow.
 *
 * @throws sync-expired
 */
export async function readChangePage({ db, dialect }: Reading, query: ChangeQuery): Promise<ChangePage> {
  // Read before the rows: all rows up to its last number can be seen now.
  const log = await readChangeLog(db)
  const after = query.after ?? { epoch: log.epoch, number: 0, part: undefined, since: log.last }
  assertKnown(after, log)
  const isFiltered = query.filters.length > 0 || query.language !== undefined || query.isOfUnprotected
  const limit = isFiltered || after.since > after.number ? maxCompared : query.perPage
  const isLinking = query.isLinked && query.kinds.includes('event')
  const kinds = isLinking ? withEntries(query.kinds) : query.kinds
  const from = after.part === undefined ? after.number + 1 : after.number
  const found = await listChanges(db, { kinds, from, limit: limit + 1 })
  const rows = upToEntries(found.slice(0, limit), isLinking)
  const linked = isLinking ? await linkedOf({ db, dialect }, { rows, after, query }) : []
  const isShown = await matcherOf({ db, dialect }, query, [
    ...rows.flatMap(({ kind, item_id }) => (kind === 'event' ? [item_id] : [])),
    ...linked.map(({ id }) => id),
  ])
  const own = rows
    .filter(({ kind, number }) => query.kinds.includes(kind) && number > after.number)
    .map(
      ({ kind, item_id: id, number, at, is_deleted, language }): FoundChange => ({
        ...{ kind, id, number, at, language, part: 0, isDeleted: is_deleted === 1 },
      }),
    )
  // Events after the last one that was found wait for the next page, and so do later rows.
  const lastLinked = linked.length > query.perPage ? linked.at(-1) : undefined
  const all = (
    linked.length === 0 ? own : [...own, ...linked].sort((a, b) => a.number - b.number || a.part - b.part)
  ).filter(({ number }) => !lastLinked || number <= lastLinked.number)
  const changes: Change[] = []
  let last: FoundChange | undefined
  const nextPage = () => ({ changes, next: { ...after, ...(last && placeAfter(last, isLinking)) }, hasMore: true })
  for (const found of all) {
    if (changes.length === query.perPage) return nextPage()
    last = found
    const { kind, id, number, part, at } = found
    const isGone = found.isDeleted || !isShown(found)
    // The client has no item of before it began.
    if (isGone && (part > 0 || number <= after.since)) continue
    changes.push({ kind, id, number, part, at, isDeleted: isGone })
  }
  if (lastLinked) return nextPage()
  const hasMore = found.length > rows.length
  const end = rows.at(-1)?.number ?? after.number
  return { changes, next: { ...after, number: hasMore ? end : Math.max(end, log.last), part: undefined }, hasMore }
}

/** @throws sync-expired, if the log no longer has what the client needs */
function assertKnown({ epoch, number, since }: ChangeCursor, log: ChangeLogState): void {
  // A number that the log has not given yet comes from a later state of it.
  const reason =
    epoch !== log.epoch || number > log.last ? 'epoch' : Math.max(number, since) < log.floor ? 'floor' : undefined
  if (reason) fail('sync-expired', { extra: { data: { reason } } })
}

function withEntries(kinds: readonly ChangeKind[]): readonly ChangeKind[] {
  return [...new Set([...kinds, ...LINKED_KINDS])]
}

/** Returns the rows up to the last item of which this page looks for events. */
function upToEntries(rows: readonly ChangeRow[], isLinking: boolean): readonly ChangeRow[] {
  if (!isLinking) return rows
  let count = 0
  const end = rows.findIndex(({ kind }) => {
    count += isLinkedKind(kind) ? 1 : 0
    return count > maxEntries
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Returns the events of the venues, organizers and series among these rows, as far as the page has room. */
async function linkedOf(
  { db, dialect }: Reading,
  {
    rows,
    after,
    query,
  }: { readonly rows: readonly ChangeRow[]; readonly after: ChangeCursor; readonly query: ChangeQuery },
) {
  // A client that reads everything gets each event by its own row.
  const entries = rows.flatMap(({ kind, item_id: id, number }): ChangedEntry[] =>
    isLinkedKind(kind) && number > after.since
      ? [{ kind, id, number, after: number === after.number ? (after.part ?? 0) : 0 }]
      : [],
  )
  const atByNumber = new Map(rows.map(({ number, at }) => [number, at]))
  const found = await listLinkedChanges(db, dialect, { entries, limit: query.perPage + 1 })
  return found.map(({ number, event_id, language }) => ({
    ...({ kind: 'event', id: event_id, number, part: event_id, language } as const),
    ...{ at: atByNumber.get(number) ?? 0, isDeleted: false },
  }))
}

/** Returns whether an item meets the filters. Runs at most one query. */
async function matcherOf(
  { db, dialect }: Reading,
  { filters, language: asked, isOfUnprotected }: ChangeQuery,
  eventIds: readonly number[],
): Promise<(item: FoundChange) => boolean> {
  const isOfLanguage = ({ language }: FoundChange) => asked === undefined || language === asked
  if (filters.length === 0 && !isOfUnprotected) return isOfLanguage
  const indexed = await listEventFacets(db, dialect, [...new Set(eventIds)])
  const matches = filters.map(matchOf)
  return (item) => {
    if (!isOfLanguage(item)) return false
    if (item.kind !== 'event') return true
    const event = indexed.get(item.id)
    // A filter would tell what the password of an event hides.
    if (!event || event.isProtected) return false
    return matches.every((match) => match(event.facets))
  }
}

/** Returns whether an event with these facets meets a filter. */
function matchOf({ facets, isWithout = false }: FacetFilter): (facets: readonly string[]) => boolean {
  const wanted = new Set(facets.map(String))
  return (ofEvent) => ofEvent.some((facet) => wanted.has(facet)) !== isWithout
}
