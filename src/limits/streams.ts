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

/** What makes answers that are too large to be made in one go: few at a time, whoever reads them. */
export interface Streams {
  /** Makes an answer, or what a piece of one is made of, when it is its turn. */
  inTurn<T>(make: () => Promise<T>): Promise<T>
  /** Waits until something may be done at once: one thing of all in each turn of the event loop. */
  nextTurn(): Promise<void>
  /** @throws service_unavailable, where `take` would as well */
  assertRoom(): void
  /**
   * Takes a place for an answer that is read while it is made. Where all are taken, the reader who has been waited for
   * longest gives way, if that has been too long.
   *
   * @param giveWay Ends the answer.
   * @throws service_unavailable, where every reader reads
   */
  take(giveWay: () => void): StreamPlace
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
  /** How each place is given up, and since when its reader has been waited for. */
  const places = new Map<StreamPlace, { readonly giveWay: () => void; since: number | undefined }>()

  const slowest = () => {
    let found: { readonly giveWay: () => void; readonly since: number } | undefined
    for (const { giveWay, since } of places.values()) {
      if (since !== undefined && now() - since >= patienceMs && !(found && found.since <= since)) {
        found = { giveWay, since }
      }
    }
    return found
  }
  const assertRoom = () => {
    if (places.size >= mostPlaces && !slowest()) {
      throw new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
    }
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
    assertRoom,
    take: (giveWay) => {
      assertRoom()
      if (places.size >= mostPlaces) slowest()?.giveWay()
      const beganMs = now()
      const state: { readonly giveWay: () => void; since: number | undefined } = { giveWay, since: undefined }
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
