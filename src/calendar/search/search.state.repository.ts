import { sql } from 'kysely'
import { nextTurn } from '../../base/concurrency/turns.ts'
import type { Db } from '../../storage/database/tables.ts'
import { Dictionary, type DictionaryVersion, firstNumber, placeOf } from './search.dictionary.ts'
import { documentsPerList } from './search.documents.ts'
import { largestRange } from './search.merging.ts'

/** The one row that describes the search index. */
export interface SearchState {
  /** Changes when the index is created again. */
  readonly generation: number
  /** The number of documents in a row of level 0: a power of two, so that rows do not cross the pages of an `IdSet`. */
  readonly row_size: number
  /** The number of documents so far. They are numbered from 0. */
  readonly documents: number
  /** The tokens so far: see `DictionaryVersion`. */
  readonly tokens: number
  readonly digest: number
  /** Increases when events are indexed. */
  readonly version: number
}

/** The work that waits: the numbers of events to index, and of merges. */
export interface WaitingWork {
  readonly pending: number
  readonly merges: number
}

/** Reads the state, with the work that waits. */
export async function readSearchState(db: Db): Promise<SearchState & WaitingWork> {
  const { rows } = await sql<SearchState & Record<keyof WaitingWork, number | string>>`
    select search_state.*, (select count(*) from search_pending) as pending,
      (select count(*) from search_merges) as merges from search_state`.execute(db)
  const [state] = rows
  if (!state) throw new Error('The search index has no state.')
  return { ...state, pending: Number(state.pending), merges: Number(state.merges) }
}

export function versionOf({ tokens, digest }: SearchState): DictionaryVersion {
  return { count: tokens, digest }
}

interface KnownDictionary {
  readonly generation: number
  readonly dictionary: Dictionary
}

/** The dictionary of each database, as far as it was read. Others see a token only when its transaction has committed. */
const dictionaries = new WeakMap<Db, KnownDictionary>()

/** Days of starts, from the first to the last, as sets number them. */
export interface SearchedDays {
  readonly first: number
  readonly last: number
}

/** Documents from `f` to `t`: whole ranges. */
export interface DocumentInterval {
  readonly f: number
  readonly t: number
}

/** The part of the index that a search reads, and the state in which it is read. */
export interface IndexPart {
  readonly generation: number
  readonly version: number
  /** The number of documents of the largest rows. Rows never belong to two ranges. */
  readonly range: number
  /** The number of documents so far. The last range may have no rows of the last level yet. */
  readonly documents: number
  /** The documents that may belong to events of the days. */
  readonly intervals: readonly DocumentInterval[]
}

/** With all tokens of the index. */
export interface DictionaryPart extends IndexPart {
  readonly dictionary: Dictionary
}

interface PartRow {
  readonly number: number
  readonly token: string
}

/** So many tokens take some milliseconds of processor time. */
const tokensAtOnce = 2000

/** Dictionaries that are read for the first time. */
const firstReads = new WeakMap<Db, Promise<void>>()

/**
 * Reads a dictionary for the first time, in turns: that of a million events takes a second of processor time. Leaves out
 * what is added meanwhile.
 */
async function readFirst(db: Db): Promise<void> {
  const dictionary = new Dictionary()
  let generation: number | undefined
  for (;;) {
    const { rows } = await sql<PartRow & Pick<SearchState, 'generation'>>`
      select generation, number, token from search_state cross join search_tokens
      where number >= ${firstNumber(dictionary.version.count + 1)} order by number limit ${sql.lit(tokensAtOnce)}`.execute(
      db,
    )
    generation ??= rows[0]?.generation
    // The index was created again.
    if (generation === undefined || rows.some((row) => row.generation !== generation)) return
    dictionary.add(rows.map(({ token }) => token))
    if (rows.length < tokensAtOnce) break
    await nextTurn()
  }
  dictionaries.set(db, { generation, dictionary })
}

/**
 * Returns the dictionary of the index, and the part of the index that has the events of some days. Reads only the tokens
 * that this process does not know yet.
 */
export async function readDictionary(db: Db, days: SearchedDays): Promise<DictionaryPart> {
  if (!dictionaries.has(db)) {
    const reading = firstReads.get(db) ?? readFirst(db).finally(() => firstReads.delete(db))
    firstReads.set(db, reading)
    await reading
  }
  const known = dictionaries.get(db)
  const { rows } = await sql<PartRow>`
    select 0 as number, generation || ' ' || version || ' ' || row_size || ' ' || documents || ' ' || tokens || ' ' || digest
        as token
      from search_state
    union all select -1 - first_document, '' from search_lists
      where last_day >= ${days.first} and first_day <= ${days.last}
    union all select number, token from search_tokens where number >= ${firstNumber((known?.dictionary.version.count ?? 0) + 1)}
    order by 1`.execute(db)
  const place = rows.findIndex(({ number }) => number === 0)
  const numbers = (rows[place]?.token ?? '').split(' ').map(Number)
  const [generation = 0, version = 0, rowSize = 1, documents = 0, count = 0, digest = 0] = numbers
  if (known && known.generation !== generation) return readAnew(db, days)
  const dictionary = known?.dictionary ?? new Dictionary()
  // Another search may have added tokens in the meantime.
  const added = rows.slice(place + 1).filter(({ number }) => placeOf(number) > dictionary.version.count)
  dictionary.add(added.map(({ token }) => token))
  const { count: knownCount, digest: knownDigest } = dictionary.version
  if (known && knownCount === count && knownDigest !== digest) return readAnew(db, days)
  if (!dictionaries.has(db)) dictionaries.set(db, { generation, dictionary })
  const range = largestRange(rowSize)
  const lists = rows.slice(0, place).map(({ number }) => -1 - number)
  return { dictionary, generation, version, range, documents, intervals: intervalsOf(lists.reverse(), range) }
}

/** Reads the tokens of the index, so that the first search of a process or a thread need not. */
export async function learnSearchTokens(db: Db): Promise<void> {
  await readDictionary(db, { first: 0, last: -1 })
}

/** @param lists The first documents of lists, in order. */
function intervalsOf(lists: readonly number[], range: number): IndexPart['intervals'] {
  const intervals: { f: number; t: number }[] = []
  for (const list of lists) {
    const from = list - (list % range)
    const last = list + documentsPerList - 1
    const to = last - (last % range) + range - 1
    const before = intervals.at(-1)
    if (before && from <= before.t + 1) before.t = Math.max(before.t, to)
    else intervals.push({ f: from, t: to })
  }
  return intervals
}

async function readAnew(db: Db, days: SearchedDays): ReturnType<typeof readDictionary> {
  dictionaries.delete(db)
  return readDictionary(db, days)
}
