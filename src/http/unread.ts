import type { ServerResponse } from 'node:http'

/** What was made for clients and has not been taken by them. */
export interface Unread {
  /**
   * Makes room for so many octets more, of an answer that is about to be sent. Where there is none, the connections of
   * those answers are reset that have been waited for longest.
   */
  makeRoom(response: ServerResponse, octets: number): void
}

/** Octets of a process that may wait to be read: of answers, and of those pieces of long ones that are made. */
export const mostUnreadOctets = 128 * 1024 * 1024

/**
 * Bounds what waits in memory to be read, whoever reads and on however many connections: those who take their answers
 * make no difference to it, those who do not are few or have little.
 */
export function boundUnread(most: number = mostUnreadOctets): Unread {
  // With what each has at most, in the order in which something of them was sent last.
  const answers = new Map<ServerResponse, number>()
  let atMost = 0

  const note = (answer: ServerResponse, octets: number) => {
    atMost += octets - (answers.get(answer) ?? 0)
    answers.set(answer, octets)
  }
  const forget = (answer: ServerResponse) => {
    note(answer, 0)
    answers.delete(answer)
  }
  /** What has been taken since it was sent makes room. */
  const lookAgain = () => {
    for (const answer of answers.keys()) {
      // One that waits for another on its connection is not told that the connection has gone.
      if (answer.req.socket.destroyed) forget(answer)
      else note(answer, answer.writableLength)
    }
  }
  return {
    makeRoom: (response, octets) => {
      const before = response.writableLength
      if (atMost + octets > most) lookAgain()
      for (const [answer, held] of answers) {
        if (atMost + octets <= most) break
        if (held === 0 || answer === response) continue
        forget(answer)
        answer.req.socket.resetAndDestroy()
      }
      // Anew, where it is a piece of an answer that goes on.
      if (answers.has(response)) forget(response)
      else response.once('close', () => forget(response))
      note(response, before + octets)
    },
  }
}
