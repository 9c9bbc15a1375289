import type { Problem } from '../problems.ts'
import { overloadedProblem } from './request.queue.ts'

interface ArrivingBody {
  /** Counts more bytes that are kept of it. */
  add(octets: number): void
  /** It has arrived, or nothing more is read of it. */
  end(): void
}

/** The bodies that arrive at a process. Their bytes are bounded together, over any number of connections. */
export interface ReceivedBodies {
  /**
   * @param client For which it is counted, like `clientNetworkOf`.
   * @param refuse Ends it, to make room for others.
   */
  begin(client: string, refuse: (problem: Problem) => void): ArrivingBody
}

interface CountedBody {
  readonly client: string
  readonly refuse: (problem: Problem) => void
  octets: number
}

/** The share that is freed at once, so that not every piece looks through all bodies. */
const shareFreed = 1 / 16

/**
 * Bounds the bytes of bodies that have not arrived whole. If there is no room, the client with the most bytes loses the
 * body that has stood still for the longest time. So clients that send their bodies are not affected by those that never
 * end theirs.
 */
export function createReceivedBodies(most: number): ReceivedBodies {
  // In the order of their last bytes.
  const bodies = new Set<CountedBody>()
  let total = 0

  const forget = (body: CountedBody) => {
    if (bodies.delete(body)) total -= body.octets
  }
  const makeRoom = () => {
    const ofClients = [...Map.groupBy(bodies, ({ client }) => client).values()].map((own) => ({
      own,
      octets: own.reduce((sum, { octets }) => sum + octets, 0),
    }))
    while (total > most * (1 - shareFreed)) {
      const largest = ofClients.reduce((one, other) => (other.octets > one.octets ? other : one))
      const body = largest.own.shift()
      if (!body) return
      largest.octets -= body.octets
      forget(body)
      body.refuse(overloadedProblem())
    }
  }
  return {
    begin: (client, refuse) => {
      const body: CountedBody = { client, refuse, octets: 0 }
      bodies.add(body)
      return {
        add: (octets) => {
          if (!bodies.delete(body)) return
          bodies.add(body)
          body.octets += octets
          total += octets
          if (total > most) makeRoom()
        },
        end: () => forget(body),
      }
    },
  }
}
