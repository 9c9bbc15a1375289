import type { RawBuilder } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { IndexEntry, IndexQuery } from '../index/event.index.ts'

/** The key of a word in the search index of an engine: the word itself, or its number. */
export type WordKey = string | number

/** The words of a search, as the index knows them. */
export interface FoundWords {
  /** An event must have at least one word of each of these lists. */
  readonly included: readonly (readonly WordKey[])[]
  /** An event must have none of these words. */
  readonly excluded: readonly WordKey[]
  /**
   * Whether every event with these words meets the search. If not, the texts of the found events must be compared too.
   * No other event meets the search.
   */
  readonly isExact: boolean
}

/** A list of events as a query to the index. */
export interface SearchQuery extends IndexQuery {
  /** Undefined if there is no search, or if the index can look up none of its words. */
  readonly words: FoundWords | undefined
  /**
   * Whether the index answers the query completely. If not, further conditions are tested on the events that it finds.
   */
  readonly isComplete: boolean
}

/** A query that searches for words. */
export interface WordQuery extends SearchQuery {
  readonly words: FoundWords
}

/** An index of the words of all listed events, in a shape that suits an engine. It follows from the event index. */
export interface SearchIndex {
  /** Its tables, in the order in which they can be dropped. */
  readonly tables: readonly string[]
  /** Removes these events, before their entries in the event index change. */
  remove(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void>
  /**
   * Adds these events, after their entries changed. A search does not find protected events by their words (events.md
   * §1 "Search").
   */
  add(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void>
  /** Runs after many events changed. */
  finish?(tx: Tx): Promise<void>
  /**
   * Returns the words that contain a piece of a word.
   *
   * @param piece 3 to 500 letters and digits, folded.
   * @returns undefined if there are more than `atMost`.
   */
  wordsWith(db: Db, piece: string, atMost: number): Promise<readonly WordKey[] | undefined>
  /** Returns all entries that the index finds for a query, as a table to select from. */
  entries(query: WordQuery): RawBuilder<IndexEntry>
  /** Returns the same entries or fewer. They include those of the requested page and of all pages before it. */
  entriesUpToPage(db: Db, query: WordQuery): Promise<RawBuilder<IndexEntry>>
  /** Returns how many events a complete query finds. Undefined if the index cannot count them faster than a scan. */
  count(db: Db, query: SearchQuery): Promise<number | undefined>
}
