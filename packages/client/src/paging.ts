/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[]
  /** The number of items on all pages. */
  readonly total: number
  readonly totalPages: number
  /** The number of this page, from 1. */
  readonly page: number
  readonly isLast: boolean
}

/** A page, and the parameters of the other pages that keep them in the same list. */
export interface PageRead<T> {
  readonly page: Page<T>
  readonly pins: object
}

/** Returns the page of this number, or undefined if there is none. */
export type ReadPage<T> = (page: number, pins: object) => Promise<PageRead<T> | undefined>

/** The maximum of pages that are read again in all, in case a list keeps changing. */
const mostStepsBack = 100

/**
 * Yields all items of a list, each once. Requests a page only when its first item is needed.
 *
 * An item that is added meanwhile pushes others onto the next page: known items are skipped. An item that is removed
 * pulls others onto pages that were already read: if the list has become shorter, that many previous pages are read
 * again. An item can be missed only if equally many items are removed and added between two pages.
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
    // If this page no longer exists, the previous page shows how many items were removed.
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
