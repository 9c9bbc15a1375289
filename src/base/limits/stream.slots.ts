import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { nextTurn } from '../concurrency/turns.ts'
import { Problem } from '../problems.ts'

/** The slot of a response that is built while the client reads it. */
export interface StreamSlot {
  /** Reports that a chunk was handed to the reader, who must now take it. */
  chunkSent(): void
  /** Reports that the reader took the chunk. Returns false if the response has taken too long to continue. */
  chunkTaken(): boolean
  /** Releases the slot. */
  leave(): void
}

/** The reader of a streamed response. */
interface StreamConsumer {
  /** The client for which the slot is counted, as returned by `clientNetworkOf`. */
  readonly client: string
  /** Ends the response and releases the slot. */
  yieldSlot(): void
}

/**
 * Builds responses that are too large to build at once. The number in progress is limited, for all clients together.
 */
export interface Streams {
  /** Builds a response, or the data of one chunk, when a slot is free. */
  inTurn<T>(make: () => Promise<T>): Promise<T>
  /** Waits for permission to run a synchronous task, together with all other long work of this thread. */
  nextTurn(): Promise<void>
  /** @throws service_unavailable, if `take` would throw it for this client */
  assertSlotAvailable(client: string): void
  /**
   * Takes a slot for a streamed response. If all slots are taken, one is released. If the client with the most slots
   * holds at least two more than this client, one of its slots is released. Otherwise, the slot of the slowest reader
   * is released, if that reader exceeds the time limit.
   *
   * @throws service_unavailable, if no slot can be released
   */
  take(reader: StreamConsumer): StreamSlot
}

export interface StreamLimits {
  /** How many are built at the same time. */
  readonly maxConcurrent: number
  readonly maxSlots: number
  /** How long a reader may take for a chunk while others wait for a slot. */
  readonly slowReaderMs: number
  /** How long one response may be read. Permissions are checked only when it begins. */
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
  /** The time since which the service waits for the reader. */
  since: number | undefined
}

export function createStreams(
  { maxConcurrent, maxSlots, slowReaderMs, maxDurationMs }: StreamLimits = streamLimits,
  now: () => number = () => performance.now(),
): Streams {
  // The waiting tasks belong to requests, and the request queue limits the number of requests.
  const making = createConcurrencyLimit({ maxConcurrent, maxWaiting: Number.POSITIVE_INFINITY, onFull: noSlotProblem })
  // In the order in which they were taken.
  const places = new Map<StreamSlot, TakenSlot>()

  /** Returns the slot that must be released for this client. */
  const slotToEvict = (client: string): TakenSlot | undefined => {
    const taken = [...places.values()]
    const ofClients = Map.groupBy(taken, ({ reader }) => reader.client)
    const most = [...ofClients.values()].reduce((one, other) => (other.length > one.length ? other : one), [])
    // The newcomer never ends up with more slots than the other client. Otherwise the two would evict each other
    // forever.
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
    nextTurn,
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
