/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** How many there are on all pages. */
  readonly total: number
  readonly totalPages: number
  /** Which page it is, from 1. */
  readonly page: number
  readonly isLast: boolean
}

/** A page, and what to ask for with the others so that they are of the same list. */
export interface PageRead<T> {
  readonly page: Page<T>
  readonly pins: object
}

/** Gives the page of this number; undefined where there is none. */
export type ReadPage<T> = (page: number, pins: object) => Promise<PageRead<T> | undefined>

/** Pages that are read once more, in all: a list that keeps changing is not followed for ever. */
const mostStepsBack = 100

/**
 * All items of a list, each once, asking for a page only when its first item is wanted.
 *
 * What is added to the list meanwhile pushes items onto the next page: they are known and passed over. What is removed
 * pulls items onto pages that were read already: whenever the list has become shorter, as many pages before are read
 * again. Only where items are removed and as many others added between two pages may one be missed.
 *
 * @param limit At most this many items.
 */
export async function* eachItem<T extends { readonly id: number }>(
  readPage: ReadPage<T>,
  limit: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<T, void, undefined> {
  if (limit <= 0) return
  const seen = new Set<number>()
  const first = await readPage(1, {})
  const { pins = {} } = first ?? {}
  const perPage = Math.max(1, first?.page.items.length ?? 1)
  let stepsBack = 0
  let number = 1
  let total = first?.page.total ?? 0
  for (let read = first; ; read = await readPage(number, pins)) {
    // Where there is no such page any more, the one before tells how much is gone.
    const gone = read ? total - read.page.total : perPage
    total = read?.page.total ?? total
    if (gone > 0 && number > 1 && stepsBack < mostStepsBack) {
      stepsBack += 1
      number = Math.max(1, number - Math.ceil(gone / perPage))
      continue
    }
    for (const item of read?.page.items ?? []) {
      if (seen.has(item.id)) continue
      seen.add(item.id)
      yield item
      if (seen.size >= limit) return
    }
    if (!read || read.page.isLast) return
    number += 1
  }
}
