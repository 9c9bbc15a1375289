import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { octetsFlushed } from './flushed.octets.ts'

/** Responses that are in memory because clients have not taken them yet. */
export interface UnreadLimit {
  /**
   * Makes room for more bytes, for a response that is about to be sent. If there is no room, it resets connections. It
   * repeatedly picks the client with the most unread bytes, and of its connections the one that took nothing for the
   * longest time.
   */
  makeRoom(response: ServerResponse, octets: number): void
  /** Records which clients have taken something since the last check. Call this at regular intervals. */
  look(): void
}

/**
 * The maximum of unread bytes of a process: of responses, and of the pieces of long responses that are already made.
 */
const maxUnreadOctets = 128 * 1024 * 1024

interface BufferedResponse {
  /** An upper bound. */
  octets: number
  /** Undefined until it is needed. */
  client: string | undefined
}

interface WaitingConnection {
  readonly socket: Socket
  readonly client: string
  readonly answers: ServerResponse[]
}

/** The last known state of a connection, with the number of the check. */
interface ReadMark {
  taken: number
  /** The last check that found that the client had taken something; 0 if none did. */
  lastReadAt: number
}

/**
 * Limits the unread bytes in memory, over any number of connections. Clients that take their responses are not
 * affected. Clients that do not are reset before clients with fewer unread bytes.
 *
 * @param clientOf Returns the client for which a response is counted, like `clientNetworkOf`.
 */
export function limitUnread(
  clientOf: (request: IncomingMessage) => string,
  most: number = maxUnreadOctets,
): UnreadLimit {
  // In the order of the last send.
  const answers = new Map<ServerResponse, BufferedResponse>()
  const found = new WeakMap<Socket, ReadMark>()
  let atMost = 0
  let looks = 0

  const forget = (answer: ServerResponse) => {
    atMost -= answers.get(answer)?.octets ?? 0
    answers.delete(answer)
  }
  function forgetThis(this: ServerResponse) {
    forget(this)
  }
  /** Frees the room of everything that clients have taken since it was sent. */
  const look = () => {
    looks += 1
    for (const [answer, held] of answers) {
      const { socket } = answer.req
      // A response that waits for another on its connection gets no event when the connection closes.
      if (socket.destroyed) {
        forget(answer)
        continue
      }
      atMost += answer.writableLength - held.octets
      held.octets = answer.writableLength
      const taken = octetsFlushed(socket)
      const before = found.get(socket)
      // What the system takes at first says nothing about the client.
      if (!before) found.set(socket, { taken, lastReadAt: 0 })
      else if (taken > before.taken) Object.assign(before, { taken, lastReadAt: looks })
    }
  }
  const clientOfAnswer = (answer: ServerResponse, held: BufferedResponse) => {
    held.client ??= clientOf(answer.req)
    return held.client
  }
  /** Returns connections in the order in which to reset them. Ignores the bytes of `response` itself. */
  const inTurn = (response: ServerResponse): WaitingConnection[] => {
    const waiting = new Map<Socket, WaitingConnection>()
    for (const [answer, held] of answers) {
      if (held.octets === 0 || answer === response) continue
      const { socket } = answer.req
      const one = waiting.get(socket)
      if (one) one.answers.push(answer)
      else waiting.set(socket, { socket, client: clientOfAnswer(answer, held), answers: [answer] })
    }
    const lastReadAt = ({ socket }: WaitingConnection) => found.get(socket)?.lastReadAt ?? 0
    return [...waiting.values()].sort((one, other) => lastReadAt(one) - lastReadAt(other))
  }
  const reset = ({ socket, answers: ofConnection }: WaitingConnection) => {
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
      // Counts again if this is a further piece of a response.
      const earlier = answers.get(response)
      if (earlier) forget(response)
      else response.on('close', forgetThis)
      answers.set(response, { octets: before + octets, client: earlier?.client })
      atMost += before + octets
    },
  }
}
