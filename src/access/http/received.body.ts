import { type Readable, Transform } from 'node:stream'
import type { ReceivedBodies } from '../../base/limits/received.bodies.ts'
import { fail, Problem } from '../../base/problems.ts'

export interface BodyLimits {
  /** The client for which it is counted, like `clientNetworkOf`. */
  readonly client: string
  readonly received: ReceivedBodies
  readonly maxBytes: number
  /** `Content-Length` of the request. */
  readonly announced?: string | undefined
  /** Looks at each piece before it is kept. Throws to refuse the body. */
  readonly look?: (piece: Buffer) => void
}

/** Clients send bodies in pieces of a packet or more. Each piece costs time, however short it is. */
const [shortPieceBytes, maxShortPieces] = [64, 4096]
/** What a piece takes besides its bytes. */
const pieceOverheadBytes = 256

/**
 * Reads a body into memory. All bodies that arrive share the room for them.
 *
 * @throws rest_request_too_large; service_unavailable; rest_bad_request, if the client ends it early
 */
export async function readBody(body: Readable, limits: BodyLimits): Promise<Buffer> {
  const { client, received, maxBytes, announced, look } = limits
  if (Number(announced ?? 0) > maxBytes) fail('rest_request_too_large')
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let [size, shortPieces] = [0, 0]
    const stop = (settle: () => void) => {
      arriving.end()
      body.off('data', take).off('end', finish).off('error', breakOff).off('close', breakOff)
      // What still arrives is dropped.
      body.on('error', () => {}).resume()
      settle()
    }
    const arriving = received.begin(client, (problem) => stop(() => reject(problem)))
    const keep = (piece: Buffer) => {
      look?.(piece)
      const needed = size + piece.length
      if (piece.length < shortPieceBytes) shortPieces += 1
      if (needed > maxBytes || shortPieces > maxShortPieces) throw new Problem('rest_request_too_large')
      arriving.add(piece.length + pieceOverheadBytes)
      pieces.push(piece)
      size = needed
    }
    const take = (piece: Buffer) => {
      try {
        keep(piece)
      } catch (error) {
        stop(() => reject(error))
      }
    }
    const finish = () => stop(() => resolve(Buffer.concat(pieces, size)))
    const breakOff = () => stop(() => reject(new Problem('rest_bad_request')))
    body.on('data', take).on('end', finish).on('error', breakOff).on('close', breakOff)
  })
}

/** Returns a body that is written to a file while it arrives. All such bodies share the room for them. */
export function countedBody(body: Readable, { client, received }: Pick<BodyLimits, 'client' | 'received'>): Readable {
  const counted = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      arriving.add(piece.length)
      done(null, piece)
    },
  })
  const arriving = received.begin(client, (problem) => counted.destroy(problem))
  // Its reader learns of an error too. Without this listener, an error before it is read would end the process.
  counted.on('error', () => {})
  counted.once('close', arriving.end)
  body.once('error', (error) => counted.destroy(error))
  body.once('close', () => body.readableEnded || counted.destroy(new Problem('rest_bad_request')))
  return body.pipe(counted)
}
