import { Problem } from '../problems.ts'

/** The place of an answer that is made while it is read. */
export interface StreamPlace {
  /** Says that a piece has been handed to the reader, who now has to take it. */
  handOver(): void
  /** Says that the reader has taken it, and asks whether more may be made: false where it has been read for too long. */
  goOn(): boolean
  /** Gives the place back. */
  leave(): void
}

/** Who reads an answer while it is made. */
export interface StreamReader {
  /** Whom the place is counted for, as `holderOf` has it. */
  readonly client: string
  /** Ends the answer, and gives the place back. */
  giveWay(): void
}

/** What makes answers that are too large to be made in one go: few at a time, whoever reads them. */
export interface Streams {
  /** Makes an answer, or what a piece of one is made of, when it is its turn. */
  inTurn<T>(make: () => Promise<T>): Promise<T>
  /** Waits until something may be done at once: one thing of all in each turn of the event loop. */
  nextTurn(): Promise<void>
  /** @throws service_unavailable, where `take` would for this client as well */
  assertRoom(client: string): void
  /**
   * Takes a place for an answer that is read while it is made. Where all are taken, one gives way: of the client who
   * has most, if that is two more at least than this one has; else that of the reader who has been waited for longest, if
   * that has been too long.
   *
   * @throws service_unavailable, where there is none such
   */
  take(reader: StreamReader): StreamPlace
}

export interface StreamBounds {
  /** What is made at the same time. */
  readonly mostMade: number
  readonly mostPlaces: number
  /** How long a reader may take for a piece while others want the place. */
  readonly patienceMs: number
  /** How long one answer may be read: what its caller may see is looked at when it begins. */
  readonly longestMs: number
}

export const streamBounds: StreamBounds = { mostMade: 4, mostPlaces: 32, patienceMs: 10_000, longestMs: 3_600_000 }

const retryAfterSeconds = 10

interface Taken {
  readonly reader: StreamReader
  /** Since when the reader has been waited for. */
  since: number | undefined
}

export function createStreams(
  { mostMade, mostPlaces, patienceMs, longestMs }: StreamBounds = streamBounds,
  now: () => number = () => performance.now(),
): Streams {
  const waiting: (() => void)[] = []
  let made = 0
  const turns: (() => void)[] = []
  const takeTurn = () => {
    turns.shift()?.()
    if (turns.length > 0) setImmediate(takeTurn)
  }
  // In the order in which they were taken.
  const places = new Map<StreamPlace, Taken>()

  /** Who is to give way to this client. */
  const nextToGo = (client: string): Taken | undefined => {
    const taken = [...places.values()]
    const ofClients = Map.groupBy(taken, ({ reader }) => reader.client)
    const most = [...ofClients.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    // Whoever comes would have no fewer than who gives way: nobody is pushed out and comes back for ever.
    if (most.length >= (ofClients.get(client)?.length ?? 0) + 2) return longestWaitedFor(most) ?? most[0]
    const slowest = longestWaitedFor(taken)
    return slowest?.since !== undefined && now() - slowest.since >= patienceMs ? slowest : undefined
  }
  const findRoom = (client: string): Taken | undefined => {
    if (places.size < mostPlaces) return undefined
    const found = nextToGo(client)
    if (found) return found
    throw new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
  }
  return {
    inTurn: async (make) => {
      // Whoever is done hands the turn over, so that nobody comes in between.
      if (made >= mostMade) await new Promise<void>((resolve) => waiting.push(resolve))
      else made += 1
      try {
        return await make()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else made -= 1
      }
    },
    nextTurn: () =>
      new Promise((resolve) => {
        if (turns.push(resolve) === 1) setImmediate(takeTurn)
      }),
    assertRoom: (client) => void findRoom(client),
    take: (reader) => {
      findRoom(reader.client)?.reader.giveWay()
      const beganMs = now()
      const state: Taken = { reader, since: undefined }
      const place: StreamPlace = {
        handOver: () => {
          state.since = now()
        },
        goOn: () => {
          state.since = undefined
          return now() - beganMs <= longestMs
        },
        leave: () => void places.delete(place),
      }
      places.set(place, state)
      return place
    },
  }
}

function longestWaitedFor(taken: readonly Taken[]): Taken | undefined {
  let found: Taken | undefined
  for (const one of taken) {
    if (one.since !== undefined && !(found?.since !== undefined && found.since <= one.since)) found = one
  }
  return found
}
