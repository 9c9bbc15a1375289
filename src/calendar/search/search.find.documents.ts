import { IdSet } from '../index/id.set.ts'
import type { EventLists } from './search.documents.ts'
import { readLists } from './search.events.repository.ts'
import { DocumentsOfTokens } from './search.hits.ts'
import { matchOf } from './search.matching.ts'
import { readLastRows, readRows, type SearchReading } from './search.rows.repository.ts'
import { type FoundRow, WantedTokens } from './search.rows.ts'
import { type ShardOrder, shardOrderOf } from './search.shards.ts'
import type { DictionaryPart, DocumentInterval } from './search.state.repository.ts'
import type { SearchedTokens } from './search.terms.ts'

/** The number of ranges whose documents are in memory at once. */
const rangesAtOnce = 32
/** The number of texts that cost less than a row. */
const textsPerRow = 1

/** Does work with pauses, or at once. */
export type Pace = <T>(steps: Iterator<undefined, T>) => T | Promise<T>

/** What the index says about the documents of some intervals. */
export interface FoundDocuments {
  /** Undefined if nothing must be included. */
  readonly included: IdSet | undefined
  readonly excluded: IdSet
  /** Those whose texts have to be compared. */
  readonly undecided: IdSet
}

/** A search in the documents of an index. */
export interface DocumentSearch extends SearchReading {
  readonly pace: Pace
  readonly tokens: SearchedTokens
  readonly part: DictionaryPart
  /** Receives the lists that are read. */
  readonly lists: EventLists
}

/** @returns undefined if the index changed between the statements. */
export async function findDocuments(search: DocumentSearch): Promise<FoundDocuments | undefined> {
  const { tokens, part } = search
  const order = shardOrderOf(tokens)
  const all = { included: new IdSet(), excluded: new IdSet(), undecided: new IdSet() }
  if (!order) return all
  const wanted = new WantedTokens(part.dictionary.version.count)
  for (const intervals of partsOf(part)) {
    wanted.clear()
    const some = await new PartSearch({ search, order, wanted }, intervals).find()
    if (!some) return undefined
    if (some.included) all.included.or(some.included)
    all.excluded.or(some.excluded)
    all.undecided.or(some.undecided)
  }
  return { ...all, included: tokens.include.length === 0 ? undefined : all.included }
}

type Intervals = readonly DocumentInterval[]

/** Cuts the intervals of an index into parts of a bounded number of ranges. */
function partsOf({ intervals, range }: DictionaryPart): readonly Intervals[] {
  const parts: DocumentInterval[][] = []
  let room = 0
  for (const { f, t } of intervals) {
    for (let from = f; from <= t; ) {
      if (room === 0) {
        parts.push([])
        room = rangesAtOnce
      }
      const to = Math.min(t, from + room * range - 1)
      parts.at(-1)?.push({ f: from, t: to })
      room -= (to + 1 - from) / range
      from = to + 1
    }
  }
  return parts
}

/** The search in one part of the index. */
class PartSearch {
  readonly #search: DocumentSearch
  readonly #order: ShardOrder
  readonly #part: DictionaryPart
  readonly #wanted: WantedTokens
  /** What was found of each of the terms that are read in groups. Rows that are read later add to it. */
  readonly #scattered: readonly IdSet[]

  /** @param given The search, and tokens that nobody wants yet. */
  constructor(
    { search, order, wanted }: { search: DocumentSearch; order: ShardOrder; wanted: WantedTokens },
    intervals: Intervals,
  ) {
    this.#search = search
    this.#order = order
    this.#part = { ...search.part, intervals }
    this.#wanted = wanted
    this.#scattered = order.scattered.map(({ anyOf }) => this.#wanted.add(anyOf, new DocumentsOfTokens()).set)
  }

  async find(): Promise<FoundDocuments | undefined> {
    const { tokens, pace } = this.#search
    const { first, groups } = this.#order
    const rows = await readRows(this.#search, { tokens, shards: first, index: this.#part })
    if (!rows) return undefined
    const { included, excluded } = await pace(this.#readFirst(rows))
    if (groups.length > 0) return this.#readGroups(included, excluded)
    const found = [...(included ? [included] : []), ...this.#scattered]
    return {
      included: found.length > 0 ? IdSet.inAll(found).andNot(excluded) : undefined,
      excluded,
      undecided: new IdSet(),
    }
  }

  /** Reads the first rows. Returns the documents of the terms of which they have all tokens. */
  *#readFirst(
    rows: readonly FoundRow[],
  ): Generator<undefined, { readonly included: IdSet | undefined; readonly excluded: IdSet }> {
    const { others, exclude } = this.#order
    const [includes, excludes] = [others, exclude].map((terms) =>
      terms.map((term) => matchOf(term, this.#wanted, this.#part.range)),
    )
    yield* this.#wanted.read(rows)
    const excluded = new IdSet()
    for (const match of excludes ?? []) excluded.or(yield* match())
    const included: IdSet[] = []
    for (const match of includes ?? []) included.push(yield* match())
    return { included: included.length > 0 ? IdSet.inAll(included) : undefined, excluded }
  }

  /** Reads the shards that follow, in the ranges with too many undecided documents. */
  async #readGroups(included: IdSet | undefined, excluded: IdSet): Promise<FoundDocuments | undefined> {
    const { lists, pace } = this.#search
    const { intervals, range } = this.#part
    await readLists(this.#search, intervals, lists)
    const candidates = new IdSet()
    for (const { f, t } of intervals) candidates.or(await pace(lists.documentsIn(f, t)))
    if (included) candidates.and(included)
    candidates.andNot(excluded)
    const undecidedNow = () => new IdSet().or(candidates).andNot(IdSet.inAll(this.#scattered))
    const countIn = (documents: IdSet) => (sum: number, first: number) => sum + documents.countIn(first, range)

    let open = rangesOf(intervals, range)
    let left = this.#order.groups
    let before = rangesOf(intervals, range).reduce(countIn(candidates), 0)
    let isFirst = included !== undefined
    while (left.length > 0) {
      const undecided = undecidedNow()
      const shards = left.flat()
      open = open.filter((first) => undecided.countIn(first, range) > shards.length * textsPerRow)
      if (open.length === 0) break
      // If a group is in few of these documents, so are the others.
      const now = open.reduce(countIn(undecided), 0)
      const isRare = !isFirst && now * 2 > before
      const [group = [], ...others] = isRare ? [shards] : left
      const rows = await readLastRows(this.#search, { ranges: open, shards: group, index: this.#part })
      if (!rows) return undefined
      await pace(this.#wanted.read(rows))
      ;[before, isFirst, left] = [now, false, others]
    }
    const undecided = undecidedNow()
    // All shards of the ranges that are still open were read.
    for (const first of open) undecided.deleteIn(first, range)
    return { included: candidates.and(IdSet.inAll(this.#scattered)), excluded, undecided }
  }
}

function rangesOf(intervals: Intervals, range: number): readonly number[] {
  return intervals.flatMap(({ f, t }) => Array.from({ length: (t + 1 - f) / range }, (_, place) => f + place * range))
}
