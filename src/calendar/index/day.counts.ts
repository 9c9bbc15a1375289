/** Days whose counts are stored together. */
const daysPerPage = 4096

/** Where a page of a list is: all events of some days, except the first or last `skipped` of them. */
export interface PageOfDays {
  readonly first: number
  readonly last: number
  readonly skipped: number
}

/** The number of selected events that begin on each day. */
export class DayCounts {
  readonly #pages: (Int32Array | undefined)[] = []
  total = 0

  /** Counts the first `length` of some days. */
  add({ days, length }: { readonly days: Int32Array; readonly length: number }): void {
    for (let at = 0; at < length; ) {
      const first = days[at] ?? 0
      const begin = first - (first % daysPerPage)
      const page = this.#pageFor(first)
      for (; at < length; at += 1) {
        const passed = (days[at] ?? 0) - begin
        if (passed < 0 || passed >= daysPerPage) break
        page[passed] = (page[passed] ?? 0) + 1
      }
    }
    this.total += length
  }

  #pageFor(day: number): Int32Array {
    const place = Math.floor(day / daysPerPage)
    const page = this.#pages[place] ?? new Int32Array(daysPerPage)
    this.#pages[place] = page
    return page
  }

  /** Returns the days of a part of the list. Undefined if the list ends before. */
  page({
    offset,
    limit,
    isLatestFirst,
  }: {
    readonly offset: number
    readonly limit: number
    readonly isLatestFirst: boolean
  }): PageOfDays | undefined {
    let before = 0
    let begin: { readonly day: number; readonly skipped: number } | undefined
    let end = 0
    for (const [day, count] of this.#days(isLatestFirst)) {
      if (before >= offset + limit) break
      if (before + count > offset) {
        begin ??= { day, skipped: offset - before }
        end = day
      }
      before += count
    }
    return begin && { first: Math.min(begin.day, end), last: Math.max(begin.day, end), skipped: begin.skipped }
  }

  /** Yields the days that have events, with their number. */
  *#days(isLatestFirst: boolean): Generator<readonly [day: number, count: number]> {
    const places = [...this.#pages.keys()]
    for (const place of isLatestFirst ? places.reverse() : places) {
      const page = this.#pages[place]
      if (page === undefined) continue
      for (let passed = 0; passed < daysPerPage; passed += 1) {
        const at = isLatestFirst ? daysPerPage - 1 - passed : passed
        const count = page[at] ?? 0
        if (count > 0) yield [place * daysPerPage + at, count]
      }
    }
  }
}
