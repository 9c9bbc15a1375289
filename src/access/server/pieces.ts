import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { PieceCoder } from '../http/coder.ts'
import type { Pieces } from '../http/route.ts'

/** How an answer in pieces is sent. */
export interface Sending {
  readonly streams: Streams
  /** Whose place it takes. */
  readonly client: string
  /** Is told the octets of a piece before it is handed over. */
  readonly onPiece: (octets: number) => void
  /** Is told what went wrong while a piece was made. */
  readonly report: (error: unknown) => void
  /** Codes the pieces, where they are not sent as they are. */
  readonly coder?: PieceCoder | undefined
}

/**
 * An answer in pieces as a stream. A piece is made when the client has taken the one before. Where one cannot be made the
 * connection is reset: whatever the client speaks, it does not take what it has for the whole.
 *
 * @throws service_unavailable, where too many are read already
 */
export function streamOf(pieces: Pieces, response: ServerResponse, sending: Sending): Readable {
  const { streams, client, onPiece, report, coder } = sending
  // That of the request: an answer that waits for another on its connection has none yet.
  const { socket } = response.req
  const giveUp = () => {
    socket.resetAndDestroy()
    stream.destroy()
  }
  const place = placeOr(
    () => coder?.close(),
    () => streams.take({ client, yieldSlot: giveUp }),
  )
  const iterator = pieces[Symbol.asyncIterator]()
  const hand = (octets: Buffer) => {
    onPiece(octets.length)
    place.chunkSent()
    stream.push(octets)
  }
  const makeNext = async (): Promise<void> => {
    if (!place.chunkTaken()) return giveUp()
    // Even where the client takes all at once, others are answered in between.
    await streams.nextTurn()
    const { done, value } = await iterator.next()
    if (stream.destroyed) return
    const piece = done ? undefined : Buffer.from(value)
    const octets = coder ? await (piece ? coder.code(piece) : coder.end()) : piece
    if (stream.destroyed) return
    if (octets && octets.length > 0) hand(octets)
    // A coding may need more before there is anything to send.
    else if (piece) return makeNext()
    if (!piece) stream.push(null)
  }
  const stream: Readable = new Readable({
    // Nothing is made before it is wanted.
    highWaterMark: 0,
    read: () => {
      makeNext().catch((error) => {
        // What was being coded ends with the stream.
        if (stream.destroyed) return
        report(error)
        giveUp()
      })
    },
    destroy: (error, done) => {
      place.leave()
      coder?.close()
      // What it still has in hand goes with it.
      iterator.return?.().catch(report)
      done(error)
    },
  })
  return stream
}

/** What `take` gives; where it cannot, `otherwise` is done first. */
function placeOr<T>(otherwise: () => void, take: () => T): T {
  try {
    return take()
  } catch (error) {
    otherwise()
    throw error
  }
}
