/** Work that waits, and the client for which it waits. */
export interface WaitingWork {
  /** Undefined if the client is not known, so that the work may be of many clients. */
  readonly client: string | undefined
  readonly bytes: number
}

/** A queue in which clients take turns, so that nobody waits for all the work of another client. */
export interface FairQueue<W extends WaitingWork> {
  /**
   * Adds work.
   *
   * @returns The work for which there is no room: this one, or the last one of a client with more waiting work.
   */
  add(work: W): W | undefined
  /** Removes and returns the next work of a client for which nothing is in progress. */
  take(isBusy: (client: string) => boolean): W | undefined
  remove(work: W): void
  /** Removes and returns all work. */
  clear(): readonly W[]
  waiting(): number
}

interface QueueBounds {
  readonly maxWaiting: number
  readonly maxBytes: number
}

export function createFairQueue<W extends WaitingWork>({ maxWaiting, maxBytes }: QueueBounds): FairQueue<W> {
  // In the order of turns.
  const clients = new Map<string | undefined, W[]>()
  let count = 0
  let bytes = 0

  const drop = (work: W) => {
    const own = clients.get(work.client)
    const place = own?.indexOf(work) ?? -1
    if (!own || place < 0) return
    own.splice(place, 1)
    if (own.length === 0) clients.delete(work.client)
    count -= 1
    bytes -= work.bytes
  }
  /** Returns the last work of the client with the most work, if that is at least two more than `own`. */
  const displacedBy = (own: number): W | undefined => {
    const most = [...clients.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    return most.length >= own + 2 ? most.at(-1) : undefined
  }
  const hasRoom = (work: W) => count < maxWaiting && bytes + work.bytes <= maxBytes
  return {
    add: (work) => {
      const displaced = hasRoom(work) ? undefined : displacedBy(clients.get(work.client)?.length ?? 0)
      if (displaced) drop(displaced)
      if (!hasRoom(work)) return work
      const own = clients.get(work.client)
      if (own) own.push(work)
      else clients.set(work.client, [work])
      count += 1
      bytes += work.bytes
      return displaced
    },
    take: (isBusy) => {
      for (const [client, [first]] of clients) {
        if (!first || (client !== undefined && isBusy(client))) continue
        drop(first)
        const others = clients.get(client)
        if (others) {
          clients.delete(client)
          clients.set(client, others)
        }
        return first
      }
      return undefined
    },
    remove: drop,
    clear: () => {
      const all = [...clients.values()].flat()
      clients.clear()
      count = 0
      bytes = 0
      return all
    },
    waiting: () => count,
  }
}
