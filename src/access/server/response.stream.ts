import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import type { Streams } from '../../base/limits/stream.slots.ts'
import type { StreamEncoder } from '../http/answers/content.encoder.ts'
import type { Pieces } from '../http/route.ts'

/** The means to send a response in pieces. */
export interface StreamOptions {
  readonly streams: Streams
  /** The client whose slot the response uses. */
  readonly client: string
  /** Receives the number of bytes of a piece before the piece is handed over. */
  readonly onPiece: (octets: number) => void
  /** Receives an error that occurs while a piece is made. */
  readonly report: (error: unknown) => void
  /** Codes the pieces; undefined if they are sent without a coding. */
  readonly encoder?: StreamEncoder | undefined
}

/**
 * Returns a response in pieces as a stream. It makes a piece only after the client has taken the previous one. If a
 * piece cannot be made, it resets the connection: no client, in any version of HTTP, then mistakes the part for the
 * whole.
 *
 * @throws service_unavailable, if too many such responses are already in progress
 */
export function createResponseStream(pieces: Pieces, response: ServerResponse, sending: StreamOptions): Readable {
  const { streams, client, onPiece, report, encoder } = sending
  // Uses the socket of the request: a response that waits for another on its connection has no socket yet.
  const { socket } = response.req
  const giveUp = () => {
    socket.resetAndDestroy()
    stream.destroy()
  }
  const iterator = pieces[Symbol.asyncIterator]()
  const place = slotOr(
    () => {
      encoder?.close()
      void iterator.return?.()
    },
    () => streams.take({ client, yieldSlot: giveUp }),
  )
  const hand = (octets: Buffer) => {
    onPiece(octets.length)
    place.chunkSent()
    stream.push(octets)
  }
  const makeNext = async (): Promise<void> => {
    if (!place.chunkTaken()) return giveUp()
    // Even if the client takes everything at once, the service answers others in between.
    await streams.nextTurn()
    const { done, value } = await iterator.next()
    if (stream.destroyed) return
    const piece = done ? undefined : bufferOf(value)
    const octets = encoder ? await (piece ? encoder.code(piece) : encoder.end()) : piece
    if (stream.destroyed) return
    if (octets && octets.length > 0) hand(octets)
    // A coding may need more input before it has output.
    else if (piece) return makeNext()
    if (!piece) stream.push(null)
  }
  const stream: Readable = new Readable({
    // Makes nothing before it is requested.
    highWaterMark: 0,
    read: () => {
      makeNext().catch((error) => {
        // An error after that is expected: destroying the stream ends the coding.
        if (stream.destroyed) return
        report(error)
        giveUp()
      })
    },
    destroy: (error, done) => {
      place.leave()
      encoder?.close()
      // Also frees the resources that the iterator still holds.
      iterator.return?.().catch(report)
      done(error)
    },
  })
  return stream
}

function bufferOf(piece: string | Uint8Array): Buffer {
  return typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
}

/** Returns the result of `take`. If `take` throws, calls `otherwise` first. */
function slotOr<T>(otherwise: () => void, take: () => T): T {
  try {
    return take()
  } catch (error) {
    otherwise()
    throw error
  }
}
