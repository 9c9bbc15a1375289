import type { Dialect } from '../../storage/database/dialect.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import { classFromKey, ownVersion } from '../index/event.classes.ts'
import type { IndexedEvent } from '../index/indexed.event.repository.ts'
import type { EventChange } from '../index/stale.events.repository.ts'

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

/** An index of the words of all listed events, in a shape that suits an engine. It follows from the event index. */
export interface SearchIndex {
  /** Its tables, in the order in which they can be dropped. */
  readonly tables: readonly string[]
  /**
   * Brings the words of these events up to date. Only events that visitors may see have words, and protected ones have
   * none: a search does not find them by their words (events.md §1 "Search").
   */
  refresh(tx: Tx, dialect: Dialect, changes: readonly EventChange[]): Promise<void>
  /** Runs after many events changed. */
  finish?(tx: Tx): Promise<void>
  /**
   * Returns the words that contain a piece of a word.
   *
   * @param piece 3 to 500 letters and digits, folded.
   * @returns undefined if there are more than `atMost`.
   */
  wordsWith(db: Db, piece: string, atMost: number): Promise<readonly WordKey[] | undefined>
  /**
   * Returns the events that have the words, in any language. May include events that begin on other days.
   *
   * @param days The first and the last day of the starts, as sets number them.
   */
  idsWith(
    db: Db,
    words: FoundWords,
    days: { readonly first: number; readonly last: number },
  ): Promise<readonly number[]>
}

/** Whether visitors may find an event by its words. */
export function isSearched(event: IndexedEvent | undefined): event is IndexedEvent {
  if (!event) return false
  const { isHidden, isProtected, ...shown } = classFromKey(event.class)
  return !isHidden && !isProtected && ownVersion(shown).status === 'publish'
}
