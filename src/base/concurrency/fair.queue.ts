/** Items of several clients that wait. The clients take turns, and each has its own items in their order. */
export interface FairQueue<T> {
  add(client: string, item: T): void
  /**
   * Removes and returns the first item of the client whose turn it is.
   *
   * @param mayBe Whether this client may have its turn now. Otherwise it keeps its place.
   */
  take(mayBe?: (client: string) => boolean): T | undefined
  remove(client: string, item: T): void
  /** Number of items of one client. */
  countOf(client: string): number
  size(): number
}

export function createFairQueue<T>(): FairQueue<T> {
  // In the order of their turns. Maps and sets keep the order of insertion, and remove any entry in one step.
  const lines = new Map<string, Set<T>>()
  let size = 0
  let served: string | undefined

  const remove = (client: string, item: T) => {
    const line = lines.get(client)
    if (!line?.delete(item)) return
    size -= 1
    if (line.size === 0) lines.delete(client)
  }
  return {
    add: (client, item) => {
      const line = lines.get(client) ?? new Set()
      lines.set(client, line.add(item))
      size += 1
    },
    take: (mayBe = () => true) => {
      // Only now: those who came since its turn precede it.
      const line = served === undefined ? undefined : lines.get(served)
      if (served !== undefined && line) {
        lines.delete(served)
        lines.set(served, line)
      }
      for (const [client, items] of lines) {
        if (!mayBe(client)) continue
        const [item] = items
        remove(client, item as T)
        served = client
        return item
      }
      return undefined
    },
    remove,
    countOf: (client) => lines.get(client)?.size ?? 0,
    size: () => size,
  }
}
