import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'

/** The place of an answer that is made while it is read. */
export interface StreamSlot {
  /** Says that a piece has been handed to the reader, who now has to take it. */
  chunkSent(): void
  /** Says that the reader has taken it, and asks whether more may be made: false where it has been read for too long. */
  chunkTaken(): boolean
  /** Gives the place back. */
  leave(): void
}

/** Who reads an answer while it is made. */
interface StreamConsumer {
  /** Whom the place is counted for, as `clientNetworkOf` has it. */
  readonly client: string
  /** Ends the answer, and gives the place back. */
  yieldSlot(): void
}

/** What makes answers that are too large to be made in one go: few at a time, whoever reads them. */
export interface Streams {
  /** Makes an answer, or what a piece of one is made of, when it is its turn. */
  inTurn<T>(make: () => Promise<T>): Promise<T>
  /** Waits until something may be done at once: one thing of all in each turn of the event loop. */
  nextTurn(): Promise<void>
  /** @throws service_unavailable, where `take` would for this client as well */
  assertSlotAvailable(client: string): void
  /**
   * Takes a place for an answer that is read while it is made. Where all are taken, one gives way: of the client who
   * has most, if that is two more at least than this one has; else that of the reader who has been waited for longest, if
   * that has been too long.
   *
   * @throws service_unavailable, where there is none such
   */
  take(reader: StreamConsumer): StreamSlot
}

export interface StreamLimits {
  /** What is made at the same time. */
  readonly maxConcurrent: number
  readonly maxSlots: number
  /** How long a reader may take for a piece while others want the place. */
  readonly slowReaderMs: number
  /** How long one answer may be read: what its caller may see is looked at when it begins. */
  readonly maxDurationMs: number
}

export const streamLimits: StreamLimits = {
  maxConcurrent: 4,
  maxSlots: 32,
  slowReaderMs: 10_000,
  maxDurationMs: 3_600_000,
}

const retryAfterSeconds = 10

interface TakenSlot {
  readonly reader: StreamConsumer
  /** Since when the reader has been waited for. */
  since: number | undefined
}

export function createStreams(
  { maxConcurrent, maxSlots, slowReaderMs, maxDurationMs }: StreamLimits = streamLimits,
  now: () => number = () => performance.now(),
): Streams {
  // Those who wait are requests: the request queue bounds how many there are.
  const making = createConcurrencyLimit({ maxConcurrent, maxWaiting: Number.POSITIVE_INFINITY, onFull: noSlotProblem })
  const turns: (() => void)[] = []
  const takeTurn = () => {
    turns.shift()?.()
    if (turns.length > 0) setImmediate(takeTurn)
  }
  // In the order in which they were taken.
  const places = new Map<StreamSlot, TakenSlot>()

  /** Who is to give way to this client. */
  const slotToEvict = (client: string): TakenSlot | undefined => {
    const taken = [...places.values()]
    const ofClients = Map.groupBy(taken, ({ reader }) => reader.client)
    const most = [...ofClients.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    // Whoever comes would have no fewer than who gives way: nobody is pushed out and comes back for ever.
    if (most.length >= (ofClients.get(client)?.length ?? 0) + 2) return slowestConsumer(most) ?? most[0]
    const slowest = slowestConsumer(taken)
    return slowest?.since !== undefined && now() - slowest.since >= slowReaderMs ? slowest : undefined
  }
  const slotToFree = (client: string): TakenSlot | undefined => {
    if (places.size < maxSlots) return undefined
    const found = slotToEvict(client)
    if (found) return found
    throw noSlotProblem()
  }
  return {
    inTurn: making.run,
    nextTurn: () =>
      new Promise((resolve) => {
        if (turns.push(resolve) === 1) setImmediate(takeTurn)
      }),
    assertSlotAvailable: (client) => void slotToFree(client),
    take: (reader) => {
      slotToFree(reader.client)?.reader.yieldSlot()
      const beganMs = now()
      const state: TakenSlot = { reader, since: undefined }
      const place: StreamSlot = {
        chunkSent: () => {
          state.since = now()
        },
        chunkTaken: () => {
          state.since = undefined
          return now() - beganMs <= maxDurationMs
        },
        leave: () => void places.delete(place),
      }
      places.set(place, state)
      return place
    },
  }
}

function noSlotProblem(): Problem {
  return new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } })
}

function slowestConsumer(taken: readonly TakenSlot[]): TakenSlot | undefined {
  let found: TakenSlot | undefined
  for (const one of taken) {
    if (one.since !== undefined && !(found?.since !== undefined && found.since <= one.since)) found = one
  }
  return found
}
