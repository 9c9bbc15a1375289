import { Problem } from '../../base/problems.ts'
import type { FoundRow } from './search.rows.ts'

/**
 * Comparing so many bytes of positions takes a few hundred milliseconds. In the calendars of the benchmark, no phrase has
 * half as many at a hundred thousand events. At a million, those have that begin or end within very many words, if a
 * search is for many years. Phrases of whole words have not: the most frequent ones have 14 million.
 */
const usualMost = 20_000_000
/** Reading so many bytes takes as long as comparing one. */
const bytesPerCompared = 16

/**
 * The work that the phrases of a search take. It is counted and not timed, so a search is answered or refused on all machines
 * alike. Other terms are not limited.
 */
export class PhraseWork {
  readonly #most: number
  #compared = 0

  constructor(most = usualMost) {
    this.#most = most
  }

  /**
   * Counts bytes of positions that are compared.
   *
   * @throws query-too-dear
   */
  compare(bytes: number): void {
    this.#compared += bytes
    if (this.#compared > this.#most) throw new Problem('query-too-dear')
  }

  /**
   * Counts rows that were read for phrases.
   *
   * @throws query-too-dear
   */
  read(rows: readonly FoundRow[]): void {
    const bytes = rows.reduce(
      (sum, { documents, positions }) => (positions === null ? sum : sum + documents.length + positions.length),
      0,
    )
    this.compare(bytes / bytesPerCompared)
  }
}
