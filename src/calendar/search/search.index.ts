import type { RawBuilder } from 'kysely'
import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { IndexEntry, IndexQuery } from '../index/event.index.ts'

/** What an engine knows a word of the search index by: the word itself, or its number. */
export type WordKey = string | number

/** The words that a search is for, as the index knows them. */
export interface FoundWords {
  /** An event has to have one word of each of these. */
  readonly included: readonly (readonly WordKey[])[]
  /** It has to have none of these. */
  readonly excluded: readonly WordKey[]
  /** Whether all that has these words meets the search. Where not, nothing else does, but the texts have to be compared. */
  readonly isExact: boolean
}

/** A list of events as the index answers it. */
export interface SearchQuery extends IndexQuery {
  /** Undefined where nothing is searched for, or nothing that the index can look up. */
  readonly words: FoundWords | undefined
  /** Whether the index answers the query alone. Where not, further conditions are asked of the events that it finds. */
  readonly isComplete: boolean
}

/** A query that searches for words. */
export interface WordQuery extends SearchQuery {
  readonly words: FoundWords
}

/** An index of the words of all listed events, in the way that suits an engine. It follows from the event index. */
export interface SearchIndex {
  /** Its tables, in the order in which they can be dropped. */
  readonly tables: readonly string[]
  /** Takes these events out, before their entries in the event index change. */
  remove(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void>
  /** Adds these events, after their entries changed. Protected events are not found by their words (events.md §1 "Search"). */
  add(tx: Tx, dialect: Dialect, ids: readonly number[]): Promise<void>
  /** Runs after many events changed. */
  finish?(tx: Tx): Promise<void>
  /**
   * The words that contain a piece of a word.
   *
   * @param piece 3 to 500 letters and digits, folded.
   * @returns undefined where there are more than `atMost`.
   */
  wordsWith(db: Db, piece: string, atMost: number): Promise<readonly WordKey[] | undefined>
  /** All entries that the index finds for a query, as a table to select from. */
  entries(query: WordQuery): RawBuilder<IndexEntry>
  /** The same, or fewer: those on the page asked for and on all pages before it are among them. */
  entriesUpToPage(db: Db, query: WordQuery): Promise<RawBuilder<IndexEntry>>
  /** How many events a complete query finds; undefined where the index counts no quicker than by going through them. */
  count(db: Db, query: SearchQuery): Promise<number | undefined>
}
