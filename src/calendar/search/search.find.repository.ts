import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { SearchTerms } from '../../base/text/fold.ts'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Flag } from '../../storage/database/tables.ts'
import { IdSet } from '../index/id.set.ts'
import { BodyReader, type Slice } from './search.bodies.ts'
import { decodeList, documentsPerList, listOf } from './search.documents.ts'
import { documentsWith, type Hit, type Hits } from './search.matching.ts'
import { lastLevel, shardsOf } from './search.merging.ts'
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

/** A search for the lists of one answer. Lists of different days share what the same part of the index has. */
export interface EventSearch {
  readonly terms: SearchTerms
  /** By the part of the index. */
  readonly found: Map<string, Promise<FoundEvents | undefined>>
}

export function eventSearch(terms: SearchTerms): EventSearch {
  return { terms, found: new Map() }
}

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
    const reads = search.found.get(name) ?? findIn(reading, search.terms, part)
    search.found.set(name, reads)
    const found = await reads
    if (found) return found
  }
  throw new Error('The search index changed too often.')
}

/** @returns undefined if the index changed between the statements. */
async function findIn(
  reading: Reading,
  terms: SearchTerms,
  { dictionary, ...index }: DictionaryPart,
): Promise<FoundEvents | undefined> {
  const numbers = await readNumbers(reading, wholeTokens(terms))
  const tokens = tokensOfTerms(terms, { dictionary, numbers })
  const isNone = tokens.include.some(isNowhere)
  const { hits, isSame } = isNone ? { hits: new Map(), isSame: true } : await readHits(reading, tokens, index)
  if (!isSame) return undefined
  const excluded = new IdSet()
  for (const term of tokens.exclude) excluded.or(isNone ? new IdSet() : documentsWith(term, hits, index.range))
  const included = isNone ? new IdSet() : includedDocuments(tokens.include, hits, index.range)?.andNot(excluded)
  const events = await readEvents(reading, { terms, documents: included ?? excluded, index })
  if (!events) return undefined
  const { indexed, pending, matching } = events
  if (included) return { among: indexed.andNot(pending).or(matching), except: new IdSet() }
  return { among: undefined, except: indexed.andNot(pending).or(pending.andNot(matching)) }
}

function includedDocuments(terms: readonly TermTokens[], hits: Hits, range: number): IdSet | undefined {
  const [first, ...others] = terms.map((term) => documentsWith(term, hits, range))
  return others.reduce((set, other) => set?.and(other), first)
}

/** Looks up the numbers of tokens. Tokens are only added, so another version of the index has the same. */
async function readNumbers({ db, dialect }: Reading, tokens: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (tokens.length === 0) return new Map()
  const { rows } = await sql<{ number: number; token: string }>`select number, token from search_tokens
    where ${dialect.isAmongTexts(sql.ref('token'), [...new Set(tokens)])}`.execute(db)
  return new Map(rows.map(({ number, token }) => [token, number]))
}

interface HitRow {
  readonly level: number
  readonly shard: number
  readonly first: number
  readonly documents: Uint8Array | null
  readonly positions: Uint8Array | null
}

/** Reads what the index has of some tokens. Runs one query. */
async function readHits(
  { db, dialect }: Reading,
  tokens: SearchedTokens,
  index: IndexPart,
): Promise<{ readonly hits: Hits; readonly isSame: boolean }> {
  const wanted = wantedTokens([...tokens.include, ...tokens.exclude])
  const levels = Array.from({ length: lastLevel + 1 }, (_, level) => rowsOfLevel(dialect, { level, wanted, index }))
  const { rows } = await sql<HitRow>`
    select -1 as level, version as shard, generation as first, null as documents, null as positions from search_state
    union all ${sql.join(levels, sql` union all `)} order by 1, 2, 3`.execute(db)
  const [state, ...found] = rows
  return {
    hits: hitsIn(found, wanted),
    isSame: state?.shard === index.version && state.first === index.generation,
  }
}

/** Returns the tokens to read, with whether their positions are needed. */
function wantedTokens(terms: readonly TermTokens[]): ReadonlyMap<number, boolean> {
  const wanted = new Map<number, boolean>()
  for (const term of terms) {
    if ('anyOf' in term) for (const token of term.anyOf) wanted.set(token, wanted.get(token) ?? false)
    else for (const { tokens } of [...term.places, ...term.absent]) for (const token of tokens) wanted.set(token, true)
  }
  return wanted
}

interface RowsQuery {
  readonly level: number
  readonly wanted: ReadonlyMap<number, boolean>
  readonly index: IndexPart
}

/** Returns the query for the rows of a level that have some tokens, in all intervals. */
function rowsOfLevel(dialect: Dialect, { level, wanted, index: { intervals } }: RowsQuery): RawBuilder<HitRow> {
  const shardsWith = (tokens: Iterable<number>) => [...new Set([...tokens].map((token) => token % shardsOf(level)))]
  const placed = [...wanted].flatMap(([token, hasPositions]) => (hasPositions ? [token] : []))
  const edge = (name: 'f' | 't') => sql.raw(`cast(value ->> '${name}' as bigint)`)
  return sql`select level, shard, first_document, documents,
      case when ${dialect.isAmong(sql.ref('shard'), shardsWith(placed))} then positions end
    from search_rows where level = ${sql.lit(level)} and ${dialect.isAmong(sql.ref('shard'), shardsWith(wanted.keys()))}
      and first_document between ${intervals[0]?.f ?? 0} and ${intervals.at(-1)?.t ?? -1}
      and exists (select 1 from ${dialect.jsonRows(intervals)} given
        where first_document between ${edge('f')} and ${edge('t')})`
}

function hitsIn(rows: readonly HitRow[], wanted: ReadonlyMap<number, boolean>): Hits {
  const hits = new Map<number, Hit[]>()
  for (const { level, shard, first, documents, positions } of rows) {
    if (documents === null) continue
    const shards = shardsOf(level)
    const positionsOf = positionsIn(positions)
    const reader = new BodyReader(documents, 'documents')
    for (; reader.key !== undefined; reader.advance()) {
      const token = reader.key * shards + shard
      const hasPositions = wanted.get(token)
      if (hasPositions === undefined) continue
      const known = hits.get(token) ?? []
      hits.set(token, known)
      const found = { first, documents: reader.documents() }
      known.push({ ...found, positions: hasPositions ? positionsOf(reader.key) : undefined })
    }
  }
  return hits
}

/** Returns a function that finds the positions of a token. Its keys must increase. */
function positionsIn(positions: Uint8Array | null): (key: number) => Slice | undefined {
  if (positions === null) return () => undefined
  const reader = new BodyReader(positions, 'positions')
  return (key) => {
    while (reader.key !== undefined && reader.key < key) reader.advance()
    return reader.key === key ? reader.slice() : undefined
  }
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
async function readEvents({ db, dialect }: Reading, { terms, documents, index }: EventsQuery) {
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
    indexed: eventsOf(documents, lists),
    pending: IdSet.of(pending.map(({ number }) => number)),
    matching: IdSet.of(pending.flatMap(({ number, flag }) => (flag === 1 ? [number] : []))),
  }
}

function listsOf(documents: IdSet): readonly number[] {
  const firsts: number[] = []
  for (const document of documents) if (listOf(document) !== firsts.at(-1)) firsts.push(listOf(document))
  return firsts
}

function eventsOf(documents: IdSet, lists: ReadonlyMap<number, Uint8Array>): IdSet {
  const found = new IdSet()
  let list: number[] = []
  let first = -1
  for (const document of documents) {
    if (listOf(document) !== first) {
      first = listOf(document)
      list = decodeList(lists.get(first) ?? new Uint8Array())
    }
    const event = list[document % documentsPerList] ?? 0
    if (event !== 0) found.add(event)
  }
  return found
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
