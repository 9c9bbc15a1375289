import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { octetsTaken } from './taken.ts'

/** What was made for clients and has not been taken by them. */
export interface Unread {
  /**
   * Makes room for so many octets more, of an answer that is about to be sent. Where there is none, connections are reset:
   * of the client for whom most waits, in turn, and of theirs the one that has taken nothing for longest.
   */
  makeRoom(response: ServerResponse, octets: number): void
  /** Notes who has taken something since the last time; to be called every now and then. */
  look(): void
}

/** Octets of a process that may wait to be read: of answers, and of those pieces of long ones that are made. */
const mostUnreadOctets = 128 * 1024 * 1024

interface Held {
  /** At most. */
  octets: number
  /** Undefined until it is asked for. */
  client: string | undefined
}

/** A connection on which something waits. */
interface Waiting {
  readonly socket: Socket
  readonly client: string
  readonly answers: ServerResponse[]
}

/** How a connection was found, by the number of the look. */
interface Found {
  taken: number
  /** The last look that found that something had been taken; 0 where none did. */
  tookAt: number
}

/**
 * Bounds what waits in memory to be read, on however many connections: who takes their answers makes no difference to it,
 * and who does not gives way before those for whom less waits.
 *
 * @param clientOf Whom an answer is counted for, as `clientNetworkOf` has it.
 */
export function boundUnread(clientOf: (request: IncomingMessage) => string, most: number = mostUnreadOctets): Unread {
  // In the order in which something of them was sent last.
  const answers = new Map<ServerResponse, Held>()
  const found = new WeakMap<Socket, Found>()
  let atMost = 0
  let looks = 0

  const forget = (answer: ServerResponse) => {
    atMost -= answers.get(answer)?.octets ?? 0
    answers.delete(answer)
  }
  /** What has been taken since it was sent makes room. */
  const look = () => {
    looks += 1
    for (const [answer, held] of answers) {
      const { socket } = answer.req
      // One that waits for another on its connection is not told that the connection has gone.
      if (socket.destroyed) {
        forget(answer)
        continue
      }
      atMost += answer.writableLength - held.octets
      held.octets = answer.writableLength
      const taken = octetsTaken(socket)
      const before = found.get(socket)
      // What the system takes at first says nothing of the client.
      if (!before) found.set(socket, { taken, tookAt: 0 })
      else if (taken > before.taken) Object.assign(before, { taken, tookAt: looks })
    }
  }
  const clientOfAnswer = (answer: ServerResponse, held: Held) => {
    held.client ??= clientOf(answer.req)
    return held.client
  }
  /** Connections in the order in which they are to be reset, but for what `response` itself holds. */
  const inTurn = (response: ServerResponse): Waiting[] => {
    const waiting = new Map<Socket, Waiting>()
    for (const [answer, held] of answers) {
      if (held.octets === 0 || answer === response) continue
      const { socket } = answer.req
      const one = waiting.get(socket)
      if (one) one.answers.push(answer)
      else waiting.set(socket, { socket, client: clientOfAnswer(answer, held), answers: [answer] })
    }
    const tookAt = ({ socket }: Waiting) => found.get(socket)?.tookAt ?? 0
    return [...waiting.values()].sort((one, other) => tookAt(one) - tookAt(other))
  }
  const reset = ({ socket, answers: ofConnection }: Waiting) => {
    for (const answer of ofConnection) forget(answer)
    socket.resetAndDestroy()
  }
  const resetUntilRoom = (response: ServerResponse, octets: number) => {
    const left = Map.groupBy(inTurn(response), ({ client }) => client)
    const held = new Map<string, number>([[clientOf(response.req), octets]])
    for (const [answer, ofAnswer] of answers) {
      const client = clientOfAnswer(answer, ofAnswer)
      held.set(client, (held.get(client) ?? 0) + ofAnswer.octets)
    }
    while (atMost + octets > most && left.size > 0) {
      const [client = ''] = [...left.keys()].sort((one, other) => (held.get(other) ?? 0) - (held.get(one) ?? 0))
      const [first, ...others] = left.get(client) ?? []
      if (others.length > 0) left.set(client, others)
      else left.delete(client)
      if (!first) continue
      const before = atMost
      reset(first)
      held.set(client, (held.get(client) ?? 0) - (before - atMost))
    }
  }
  return {
    look,
    makeRoom: (response, octets) => {
      const before = response.writableLength
      if (atMost + octets > most) look()
      if (atMost + octets > most) resetUntilRoom(response, octets)
      // Anew, where it is a piece of an answer that goes on.
      const earlier = answers.get(response)
      if (earlier) forget(response)
      else response.once('close', () => forget(response))
      answers.set(response, { octets: before + octets, client: earlier?.client })
      atMost += before + octets
    },
  }
}
