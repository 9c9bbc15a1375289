import { createFairQueue } from '../../../base/concurrency/fair.queue.ts'

/** Whose write it is, and whether it passes those of others. */
export interface WriteTurn {
  /** A user, or the address of a visitor. Clients take turns. */
  readonly client: string
  /** Takes something away from somebody who may do harm with it, such as a key. */
  readonly isUrgent?: boolean | undefined
  /** How many writes of the client may wait so. By default any number. */
  readonly maxWaiting?: number | undefined
}

/** Others notice a write that takes longer: nobody else waits for the commit that it needs too. */
export const longWriteMs = 250

/**
 * The writes that wait for their turn: urgent ones first, then those of all clients in rotation. A client whose last
 * write was long does not join the transaction of others, because they would wait for its write and for everything that
 * is derived from it.
 */
export function createWriteTurns<W extends { readonly turn: WriteTurn }>() {
  const urgent = createFairQueue<W>()
  const others = createFairQueue<W>()
  /** Writes whose transaction failed. They precede all others, in their order. */
  let again: readonly W[] = []
  const slow = new Set<string>()
  const size = () => again.length + urgent.size() + others.size()

  const queueOf = ({ isUrgent }: WriteTurn) => (isUrgent ? urgent : others)

  return {
    add: (write: W): void => queueOf(write.turn).add(write.turn.client, write),
    /** Removes and returns the next write. @param joins Whether it joins a transaction that has others. */
    next: (joins: boolean): W | undefined => {
      const [first, ...rest] = again
      if (first) {
        again = rest
        return first
      }
      const mayBe = (client: string) => !joins || !slow.has(client)
      return urgent.take() ?? others.take(mayBe)
    },
    putBack: (writes: readonly W[]): void => {
      again = [...writes, ...again]
    },
    /** Notes how long a write took. Returns whether it was long. */
    took: ({ turn: { client } }: W, ms: number): boolean => {
      const isLong = ms > longWriteMs
      if (isLong) slow.add(client)
      else slow.delete(client)
      return isLong
    },
    /** Number of writes of the same client that wait as this one would. */
    countOf: (turn: WriteTurn): number => queueOf(turn).countOf(turn.client),
    size,
  }
}
