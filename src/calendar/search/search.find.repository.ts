import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { atOnce, inTurns } from '../../base/concurrency/turns.ts'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { IdSet } from '../index/id.set.ts'
import { decodeList, documentsPerList, listOf } from './search.documents.ts'
import { type Match, matchOf } from './search.matching.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
import { type FoundRow, WantedTokens } from './search.rows.ts'
import { type DictionaryPart, type IndexPart, readDictionary, type SearchedDays } from './search.state.repository.ts'
import { isNowhere, type SearchedTokens, type TermTokens, tokensOfTerms, wholeTokens } from './search.terms.ts'

/** The events that a search finds on some days. */
export interface FoundEvents {
  /** Undefined: all events, except the others. */
  readonly among: IdSet | undefined
  readonly except: IdSet
}

interface Reading {
  readonly db: Db
  readonly dialect: Dialect
}

/** Does work with pauses, or at once. */
type Pace = <T>(steps: Iterator<undefined, T>) => T | Promise<T>

/** A search for the lists of one answer. Lists of different days share what the same part of the index has. */
export interface EventSearch {
  readonly terms: SearchTerms
  /** By the part of the index. */
  readonly found: Map<string, Promise<FoundEvents | undefined>>
}

export function eventSearch(terms: SearchTerms): EventSearch {
  return { terms, found: new Map() }
}

/** After so many attempts, a search makes no pauses, in which this process may index events. */
const attemptsInTurns = 2
/** More attempts mean that events are indexed faster than a search reads the index. */
const mostAttempts = 20

/**
 * Returns the events of all statuses whose texts contain all terms to include, and none to exclude. Among them may be events
 * that begin on other days.
 */
export async function findEvents(reading: Reading, search: EventSearch, days: SearchedDays): Promise<FoundEvents> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    const part = await readDictionary(reading.db, days)
    const { dictionary: _, ...index } = part
    const name = JSON.stringify(index)
    const pace = attempt > attemptsInTurns ? atOnce : inTurns
    const reads = search.found.get(name) ?? findIn({ ...reading, pace }, search.terms, part)
    search.found.set(name, reads)
    const found = await reads
    if (found) return found
  }
  throw new Error('The search index changed too often.')
}

/** @returns undefined if the index changed between the statements. */
async function findIn(
  reading: Reading & { readonly pace: Pace },
  terms: SearchTerms,
  { dictionary, ...index }: DictionaryPart,
): Promise<FoundEvents | undefined> {
  const numbers = await readNumbers(reading, wholeTokens(terms))
  const tokens = tokensOfTerms(terms, { dictionary, numbers })
  const isNone = tokens.include.some(isNowhere)
  const { found, isSame } = isNone ? { found: [], isSame: true } : await readRows(reading, tokens, index)
  if (!isSame) return undefined
  const wanted = new WantedTokens(dictionary.version.count)
  const matchesOf = (some: readonly TermTokens[]) => some.map((term) => matchOf(term, wanted, index.range))
  const [include, exclude] = [matchesOf(tokens.include), matchesOf(tokens.exclude)]
  const { included = isNone ? new IdSet() : undefined, excluded } = await reading.pace(
    documentsOf({ include: isNone ? [] : include, exclude: isNone ? [] : exclude }, wanted, found),
  )
  const events = await readEvents(reading, { terms, documents: included ?? excluded, index })
  if (!events) return undefined
  const { indexed, pending, matching } = events
  if (included) return { among: indexed.andNot(pending).or(matching), except: new IdSet() }
  return { among: undefined, except: indexed.andNot(pending).or(pending.andNot(matching)) }
}

/** The documents of a search. There are no included ones if nothing must be included. */
interface FoundDocuments {
  readonly included: IdSet | undefined
  readonly excluded: IdSet
}

function* documentsOf(
  { include, exclude }: { readonly include: readonly Match[]; readonly exclude: readonly Match[] },
  wanted: WantedTokens,
  rows: readonly FoundRow[],
): Generator<undefined, FoundDocuments> {
  yield* wanted.read(rows)
  const excluded = new IdSet()
  for (const match of exclude) excluded.or(yield* match())
  let included: IdSet | undefined
  for (const match of include) {
    const documents = yield* match()
    included = included?.and(documents) ?? documents
  }
  return { included: included?.andNot(excluded), excluded }
}

/** Looks up the numbers of tokens. Tokens are only added, so another version of the index has the same. */
async function readNumbers({ db, dialect }: Reading, tokens: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (tokens.length === 0) return new Map()
  const { rows } = await sql<{ number: number; token: string }>`select number, token from search_tokens
    where ${dialect.isAmongTexts(sql.ref('token'), [...new Set(tokens)])}`.execute(db)
  return new Map(rows.map(({ number, token }) => [token, number]))
}

type StoredRow = { readonly [K in keyof FoundRow]: FoundRow[K] | (K extends 'documents' ? null : never) }

/** Reads the rows that have some tokens. Runs one query. */
async function readRows(
  { db, dialect }: Reading,
  tokens: SearchedTokens,
  index: IndexPart,
): Promise<{ readonly found: readonly FoundRow[]; readonly isSame: boolean }> {
  const needed = neededTokens([...tokens.include, ...tokens.exclude])
  const levels = Array.from({ length: lastLevel + 1 }, (_, level) => rowsOfLevel(dialect, { level, needed, index }))
  const { rows } = await sql<StoredRow>`
    select -1 as level, version as shard, generation as first, null as documents, null as positions from search_state
    union all ${sql.join(levels, sql` union all `)} order by 1, 2, 3`.execute(db)
  const [state, ...found] = rows
  return {
    found: found.flatMap(({ documents, ...row }) => (documents === null ? [] : [{ ...row, documents }])),
    isSame: state?.shard === index.version && state.first === index.generation,
  }
}

/** The tokens to read. */
interface NeededTokens {
  readonly all: readonly number[]
  /** Those whose positions are needed. */
  readonly placed: readonly number[]
}

function neededTokens(terms: readonly TermTokens[]): NeededTokens {
  const placed = terms.flatMap((term) =>
    'anyOf' in term ? [] : [...term.places, ...term.absent].flatMap(({ tokens }) => tokens),
  )
  return { placed, all: [...placed, ...terms.flatMap((term) => ('anyOf' in term ? term.anyOf : []))] }
}

interface RowsQuery {
  readonly level: number
  readonly needed: NeededTokens
  readonly index: IndexPart
}

/** Returns the query for the rows of a level that have some tokens, in all intervals. */
function rowsOfLevel(dialect: Dialect, { level, needed, index: { intervals } }: RowsQuery): RawBuilder<StoredRow> {
  const shardsWith = (tokens: readonly number[]) => [...new Set(tokens.map((token) => token % shardsOf(level)))]
  const edge = (name: 'f' | 't') => sql.raw(`cast(value ->> '${name}' as bigint)`)
  return sql`select level, shard, first_document, documents,
      case when ${dialect.isAmong(sql.ref('shard'), shardsWith(needed.placed))} then positions end
    from search_rows where level = ${sql.lit(level)} and ${dialect.isAmong(sql.ref('shard'), shardsWith(needed.all))}
      and first_document between ${intervals[0]?.f ?? 0} and ${intervals.at(-1)?.t ?? -1}
      and exists (select 1 from ${dialect.jsonRows(intervals)} given
        where first_document between ${edge('f')} and ${edge('t')})`
}

interface EventsQuery {
  readonly terms: SearchTerms
  readonly documents: IdSet
  readonly index: IndexPart
}

interface EventRow {
  readonly part: 0 | 1 | 2
  readonly number: number
  readonly flag: Flag | number
  readonly events: Uint8Array | null
}

/** Returns the events of documents, all events that are not indexed, and those of them that match. Runs one query. */
async function readEvents(
  { db, dialect, pace }: Reading & { readonly pace: Pace },
  { terms, documents: found, index }: EventsQuery,
) {
  const documents = found.numbers()
  const firsts = listsOf(documents)
  const matches = sql.join(textConditions(dialect, terms), sql` and `)
  const { rows } = await sql<EventRow>`
    select 2 as part, first_document as number, 0 as flag, events from search_lists
      where ${dialect.isAmong(sql.ref('first_document'), firsts)}
    union all select 1, pending.event_id, coalesce((select case when ${matches} then 1 else 0 end from records
        where records.id = pending.event_id and records.kind = 'event'), 0), null
      from search_pending pending
    union all select 0, version, generation, null from search_state`.execute(db)
  const state = rows.find(({ part }) => part === 0)
  if (state?.number !== index.version || state.flag !== index.generation) return undefined
  const lists = new Map(rows.flatMap(({ part, number, events }) => (part === 2 && events ? [[number, events]] : [])))
  const pending = rows.filter(({ part }) => part === 1)
  return {
    indexed: await pace(eventsOf(documents, lists)),
    pending: IdSet.of(pending.map(({ number }) => number)),
    matching: IdSet.of(pending.flatMap(({ number, flag }) => (flag === 1 ? [number] : []))),
  }
}

/** Returns the first documents of the lists that have these documents. */
function listsOf(documents: Int32Array): readonly number[] {
  const firsts: number[] = []
  for (let place = 0; place < documents.length; place = endOfList(documents, place))
    firsts.push(listOf(documents[place] ?? 0))
  return firsts
}

/** Returns the place of the first document that is not in the same list as the one at this place. */
function endOfList(documents: Int32Array, from: number): number {
  const end = listOf(documents[from] ?? 0) + documentsPerList
  let place = from
  while (place < documents.length && (documents[place] ?? 0) < end) place += 1
  return place
}

/** Returns the events of documents. Each step is a list. */
function* eventsOf(documents: Int32Array, lists: ReadonlyMap<number, Uint8Array>): Generator<undefined, IdSet> {
  const found = new IdSet()
  for (let from = 0; from < documents.length; ) {
    const to = endOfList(documents, from)
    const first = listOf(documents[from] ?? 0)
    addEvents(found, documents.subarray(from, to), decodeList(lists.get(first) ?? new Uint8Array()))
    from = to
    yield
  }
  return found
}

function addEvents(found: IdSet, documents: Int32Array, list: readonly number[]): void {
  for (const document of documents) {
    const event = list[document % documentsPerList] ?? 0
    if (event !== 0) found.add(event)
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
