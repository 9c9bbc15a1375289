import { IdSet } from '../index/id.set.ts'
import { type EventLists, listsOf } from './search.documents.ts'
import { readLists } from './search.events.repository.ts'
import { DocumentsOfTokens } from './search.hits.ts'
import { matchOf } from './search.matching.ts'
import { readLastRows, readRows, type SearchReading } from './search.rows.repository.ts'
import { type FoundRow, freeRows, WantedTokens } from './search.rows.ts'
import { type ShardOrder, type ShardsLeft, shardOrderOf, stepAfter } from './search.shards.ts'
import type { DictionaryPart, DocumentInterval } from './search.state.repository.ts'
import type { AnyOfTokens, SearchedTokens, TermTokens } from './search.terms.ts'
import type { SearchWork } from './search.work.ts'

/** The number of texts whose comparison takes as long as reading a row of the last level. */
const textsPerRow = 8

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
  /** The number of ranges whose documents are in memory at once. */
  readonly rangesAtOnce: number
  /** The number of ranges that are read first if there are many: see `SearchWork`. */
  readonly sampledRanges: number
  /** Receives the lists that are read. */
  readonly lists: EventLists
  readonly work: SearchWork
}

/**
 * @returns undefined if the index changed between the statements.
 * @throws query-too-dear
 */
export async function findDocuments(search: DocumentSearch): Promise<FoundDocuments | undefined> {
  const { tokens, part } = search
  const order = shardOrderOf(tokens)
  if (!order) return { included: new IdSet(), excluded: new IdSet(), undecided: new IdSet() }
  const wanted = new WantedTokens(part.dictionary.version.count)
  try {
    return await findInRanges({ search, order, wanted })
  } finally {
    wanted.release()
  }
}

async function findInRanges({ search, order, wanted }: WantedSearch): Promise<FoundDocuments | undefined> {
  const { tokens, part, work } = search
  const all = { included: new IdSet(), excluded: new IdSet(), undecided: new IdSet() }
  const ranges = rangesOf(part).filter((first) => first < part.documents)
  const { sample, others } = cut(ranges, search)
  if (sample.length > 0) work.beginSample(sample.length / ranges.length)
  for (const some of [sample, ...others].filter((one) => one.length > 0)) {
    wanted.clear()
    const found = await new PartSearch({ search, order, wanted }, intervalsOf(some, part.range)).find()
    if (!found) return undefined
    work.endSample()
    if (found.included) all.included.or(found.included)
    all.excluded.or(found.excluded)
    all.undecided.or(found.undecided)
  }
  return { ...all, included: tokens.include.length === 0 ? undefined : all.included }
}

/** Cuts ranges into a sample, if there are many, and the others, a bounded number of them at a time. */
function cut(
  ranges: readonly number[],
  { rangesAtOnce, sampledRanges }: Pick<DocumentSearch, 'rangesAtOnce' | 'sampledRanges'>,
): { readonly sample: readonly number[]; readonly others: readonly (readonly number[])[] } {
  const isSampled = ranges.length > 2 * sampledRanges
  const places = Array.from({ length: isSampled ? sampledRanges : 0 }, (_, place) =>
    Math.floor(((place + 0.5) * ranges.length) / sampledRanges),
  )
  const rest = ranges.filter((_, place) => !places.includes(place))
  const others: (readonly number[])[] = []
  for (let from = 0; from < rest.length; from += rangesAtOnce) others.push(rest.slice(from, from + rangesAtOnce))
  return { sample: places.flatMap((place) => ranges[place] ?? []), others }
}

/** Returns the documents of some ranges, which are given by their first documents, in order. */
function intervalsOf(ranges: readonly number[], range: number): readonly DocumentInterval[] {
  const intervals: { f: number; t: number }[] = []
  for (const first of ranges) {
    const before = intervals.at(-1)
    if (before && before.t + 1 === first) before.t += range
    else intervals.push({ f: first, t: first + range - 1 })
  }
  return intervals
}

/** What was found of a term that is read in groups. */
interface ScatteredTerm {
  /** Documents that contain it. Rows that are read later add to them. */
  readonly found: IdSet
  /** The documents that have each of its grams. No other document contains it. */
  readonly possible: readonly IdSet[]
}

/** What the first rows say about the terms of which they have all tokens. */
interface FirstFound {
  readonly included: readonly IdSet[]
  readonly excluded: IdSet
}

/** A search with the tokens that it wants at the moment. */
interface WantedSearch {
  readonly search: DocumentSearch
  readonly order: ShardOrder
  readonly wanted: WantedTokens
}

/** The search in one part of the index. */
class PartSearch {
  readonly #search: DocumentSearch
  readonly #order: ShardOrder
  readonly #part: DictionaryPart
  readonly #wanted: WantedTokens
  readonly #include: readonly ScatteredTerm[]
  readonly #exclude: readonly ScatteredTerm[]

  /** @param given The search, and tokens that nobody wants yet. */
  constructor({ search, order, wanted }: WantedSearch, intervals: readonly DocumentInterval[]) {
    this.#search = search
    this.#order = order
    this.#part = { ...search.part, intervals }
    this.#wanted = wanted
    const documentsOf = (tokens: readonly number[]) => wanted.add(tokens, new DocumentsOfTokens(search.part.range)).set
    const receive = ({ anyOf, grams }: AnyOfTokens): ScatteredTerm => ({
      found: documentsOf(anyOf),
      possible: grams.map((gram) => documentsOf([gram])),
    })
    this.#include = order.include.scattered.map(receive)
    this.#exclude = order.exclude.scattered.map(receive)
  }

  async find(): Promise<FoundDocuments | undefined> {
    const { tokens, pace } = this.#search
    const { first, groups } = this.#order
    const rows = await readRows(this.#search, {
      tokens,
      shards: first,
      ranges: rangesOf(this.#part),
      index: this.#part,
    })
    if (!rows) return undefined
    this.#search.work.read(rows)
    const found = await pace(this.#readFirst(rows))
    freeRows(rows)
    const open = rangesOf(this.#part).filter((from) => this.#isComplete(from))
    if (groups.length > 0 && open.length > 0) return this.#readGroups(found, open)
    const included = [...found.included, ...this.#include.map((term) => term.found)]
    const excluded = this.#allExcluded(found)
    return {
      included: included.length > 0 ? IdSet.inAll(included).andNot(excluded) : undefined,
      excluded,
      undecided: new IdSet(),
    }
  }

  *#readFirst(rows: readonly FoundRow[]): Generator<undefined, FirstFound> {
    const [wanted, { range }, { work }] = [this.#wanted, this.#part, this.#search]
    const matchesOf = (terms: readonly TermTokens[]) => terms.map((term) => matchOf(term, { wanted, range, work }))
    const [includes, excludes] = [matchesOf(this.#order.include.others), matchesOf(this.#order.exclude.others)]
    yield* this.#wanted.read(rows)
    const excluded = new IdSet()
    for (const match of excludes) excluded.or(yield* match())
    const included: IdSet[] = []
    for (const match of includes) included.push(yield* match())
    return { included, excluded }
  }

  #allExcluded({ excluded }: FirstFound): IdSet {
    const all = new IdSet().or(excluded)
    for (const { found } of this.#exclude) all.or(found)
    return all
  }

  /**
   * Returns those of some documents of which it is not known yet whether they match.
   *
   * @param knowsGrams Whether the grams were read.
   */
  #undecided(documents: IdSet, knowsGrams: boolean): IdSet {
    const undecided = new IdSet().or(documents)
    for (const { found } of this.#exclude) undecided.andNot(found)
    if (knowsGrams) for (const { possible } of this.#include) for (const set of possible) undecided.and(set)
    const matching = new IdSet().or(undecided)
    for (const { found } of this.#include) matching.and(found)
    // Without grams, each document may contain the term.
    for (const { possible } of this.#exclude)
      matching.andNot(knowsGrams && possible.length > 0 ? IdSet.inAll(possible) : documents)
    return undecided.andNot(matching)
  }

  /** Whether a range has rows of the last level. All rows of other levels are read at once. */
  #isComplete(from: number): boolean {
    return from + this.#part.range <= this.#part.documents
  }

  /** Reads the shards that follow, in the ranges with too many undecided documents. */
  async #readGroups(first: FirstFound, complete: readonly number[]): Promise<FoundDocuments | undefined> {
    const { lists, tokens, work } = this.#search
    const candidates = new IdSet()
    for (const from of rangesOf(this.#part)) candidates.addIn(from, this.#part.range)
    for (const set of first.included) candidates.and(set)
    candidates.andNot(first.excluded)
    const undecided = await this.#readOn(candidates, complete)
    if (!undecided) return undefined
    await readLists(this.#search, listsOf(undecided), lists)
    work.compareTexts(undecided.count())
    const excluded = this.#allExcluded(first)
    if (tokens.include.length === 0) return { included: undefined, excluded, undecided }
    const included = IdSet.inAll([candidates, ...this.#include.map(({ found }) => found)])
    return { included: included.andNot(excluded).andNot(undecided), excluded, undecided }
  }

  /**
   * Reads shards until nothing is undecided. Returns the documents whose texts are compared instead: the undecided ones of
   * ranges in which this costs less than to read on.
   */
  async #readOn(candidates: IdSet, complete: readonly number[]): Promise<IdSet | undefined> {
    const { pace, work } = this.#search
    const { range } = this.#part
    const compared = new IdSet()
    /** The documents of ranges that are still read. */
    const documents = new IdSet()
    for (const from of complete) documents.addIn(from, range)
    documents.and(candidates)
    let open = complete
    let left: ShardsLeft = this.#order
    let before = this.#order.isBegun ? documents.count() : Number.POSITIVE_INFINITY
    while (left.groups.length > 0) {
      const undecided = this.#undecided(documents, left.grams.length === 0)
      // If a group is in few of these documents, so are the others.
      const step = stepAfter(left, { isInFew: undecided.count() * 2 > before })
      const most = step.shards.length * textsPerRow
      const isEnded = (from: number) => undecided.countIn(from, range) <= most
      for (const from of open.filter(isEnded)) documents.deleteIn(from, range)
      open = open.filter((from) => !isEnded(from))
      before = undecided.count()
      compared.or(undecided.andNot(documents))
      if (open.length === 0) break
      const rows = await readLastRows(this.#search, { ranges: open, shards: step.shards, index: this.#part })
      if (!rows) return undefined
      work.read(rows)
      await pace(this.#wanted.read(rows))
      freeRows(rows)
      left = step.left
    }
    return compared
  }
}

function rangesOf({ intervals, range }: DictionaryPart): readonly number[] {
  return intervals.flatMap(({ f, t }) => Array.from({ length: (t + 1 - f) / range }, (_, place) => f + place * range))
}
