import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Streams } from '../limits/streams.ts'
import type { Pieces } from './route.ts'

/** How an answer in pieces is sent. */
export interface Sending {
  readonly streams: Streams
  /** Whose place it takes. */
  readonly client: string
  /** Is told the octets of a piece before it is handed over. */
  readonly onPiece: (octets: number) => void
  /** Is told what went wrong while a piece was made. */
  readonly report: (error: unknown) => void
}

/**
 * An answer in pieces as a stream. A piece is made when the client has taken the one before. Where one cannot be made the
 * connection is reset: whatever the client speaks, it does not take what it has for the whole.
 *
 * @throws service_unavailable, where too many are read already
 */
export function streamOf(pieces: Pieces, response: ServerResponse, sending: Sending): Readable {
  const { streams, client, onPiece, report } = sending
  // That of the request: an answer that waits for another on its connection has none yet.
  const { socket } = response.req
  const giveUp = () => {
    socket.resetAndDestroy()
    stream.destroy()
  }
  const place = streams.take({ client, giveWay: giveUp })
  const iterator = pieces[Symbol.asyncIterator]()
  const makeNext = async () => {
    if (!place.goOn()) {
      giveUp()
      return
    }
    // Even where the client takes all at once, others are answered in between.
    await streams.nextTurn()
    const { done, value } = await iterator.next()
    if (stream.destroyed) return
    if (done) {
      stream.push(null)
      return
    }
    const piece = Buffer.from(value)
    onPiece(piece.length)
    place.handOver()
    stream.push(piece)
  }
  const stream: Readable = new Readable({
    // Nothing is made before it is wanted.
    highWaterMark: 0,
    read: () => {
      makeNext().catch((error) => {
        report(error)
        giveUp()
      })
    },
    destroy: (error, done) => {
      place.leave()
      // What it still has in hand goes with it.
      iterator.return?.().catch(report)
      done(error)
    },
  })
  return stream
}
