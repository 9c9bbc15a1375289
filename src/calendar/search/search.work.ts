import { Problem } from '../../base/problems.ts'
import type { FoundRow } from './search.rows.ts'

// The work that a search takes is counted and not timed, so a search is answered or refused on all machines alike. It is
// counted in bytes of positions that are compared. Other work counts as the bytes that take as long.

/**
 * Over all fifteen years of a million events of the benchmark, pieces such as `ther` take 8 million, and those of a hundred words
 * that half of the events have 20 to 28 million. Phrases of two very frequent words take more, such as `"and the"` with 29
 * million. At a hundred thousand events, no search takes a third of this.
 */
const usualMost = 22_000_000
/** A search may take so many times the work if its sample promised less. */
const unevenness = 1.5
/** Reading and decoding so many bytes of documents takes as long as comparing a byte of positions. */
const documentBytesPerUnit = 4
/** Positions are read with their row, but most of them are not decoded. */
const positionBytesPerUnit = 16
/** Reading a text and comparing it. */
const unitsPerText = 500

/** The work of one search: of all its terms together. */
export class SearchWork {
  readonly #most: number
  #limit: number
  #done = 0

  constructor(most = usualMost) {
    this.#most = most
    this.#limit = most * unevenness
  }

  /** @param share The share of the search that comes next, as a sample of all of it. */
  beginSample(share: number): void {
    this.#limit = this.#most * share
  }

  endSample(): void {
    this.#limit = this.#most * unevenness
  }

  #add(units: number): void {
    this.#done += units
    if (this.#done > this.#limit) throw new Problem('query-too-dear')
  }

  /**
   * Counts bytes of positions that are compared.
   *
   * @throws query-too-dear
   */
  compare(bytes: number): void {
    this.#add(bytes)
  }

  /**
   * Counts rows that were read.
   *
   * @throws query-too-dear
   */
  read(rows: readonly FoundRow[]): void {
    let units = 0
    for (const { documents, positions } of rows)
      units += documents.length / documentBytesPerUnit + (positions?.length ?? 0) / positionBytesPerUnit
    this.#add(units)
  }

  /**
   * Counts texts that are compared.
   *
   * @throws query-too-dear
   */
  compareTexts(count: number): void {
    this.#add(count * unitsPerText)
  }
}
