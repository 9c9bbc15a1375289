import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { startPeriodic } from '../../base/concurrency/periodic.ts'
import type { Config } from '../../base/config/config.ts'
import { splitLanguagePath, type TextLanguage } from '../../base/languages/language.ts'
import type { AcceptedRequests, Connections } from '../../base/limits/connections.ts'
import { Problem, type ProblemCode } from '../../base/problems.ts'
import { isPaced } from '../http/answers/paced.body.ts'
import { presentProblem } from '../http/answers/problem.present.ts'
import { maxAddressBytes } from './admission.ts'
import { octetsFlushed } from './flushed.octets.ts'

/** Slower than any connection that people use. */
const minBytesPerSecond = 500
/** The number of checks in a row that must find a connection too slow: a connection may stall for a moment. */
const maxSlowLooks = 6

/** The result of the last check of a connection. */
export interface ReadProgress {
  readonly taken: number
  readonly slowLooks: number
}

export const noProgress: ReadProgress = { taken: 0, slowLooks: 0 }

/**
 * Resets connections whose client takes almost nothing of the waiting response. Otherwise one byte a minute would keep
 * a connection, and the memory that it holds, for ever.
 */
function dropSlowReaders(server: Server, checkMs: number): void {
  const sockets = new Map<Socket, ReadProgress>()
  server.on('connection', (socket) => {
    sockets.set(socket, noProgress)
    socket.once('close', () => sockets.delete(socket))
  })
  const look = () => {
    for (const [socket, progress] of sockets) {
      const now = nextProgress(
        progress,
        { taken: octetsFlushed(socket), isWaiting: socket.writableLength > 0 },
        checkMs,
      )
      if (now) sockets.set(socket, now)
      // A reset, because a client that does not count bytes would take a normal close for the end of the response.
      else socket.resetAndDestroy()
    }
  }
  const looking = startPeriodic(look, { intervalMs: checkMs })
  server.once('close', () => void looking.stop())
}

/**
 * Checks a connection again, this long after the last check.
 *
 * @returns undefined if it was too slow for too long.
 */
export function nextProgress(
  progress: ReadProgress,
  { taken, isWaiting }: { readonly taken: number; readonly isWaiting: boolean },
  afterMs: number,
): ReadProgress | undefined {
  const isSlow = isWaiting && taken - progress.taken < (minBytesPerSecond * afterMs) / 1000
  const slowLooks = isSlow ? progress.slowLooks + 1 : 0
  return slowLooks >= maxSlowLooks ? undefined : { taken, slowLooks }
}

export interface ServerTimeouts {
  readonly headersMs: number
  /** For a whole request: an upload of 15 MB at 2 Mbit/s. */
  readonly requestMs: number
  /** For the time without traffic while the service works on a request. */
  readonly silenceMs: number
  /**
   * Longer than the keep-alive timeout of proxies, so that no proxy sends a request on a connection that is being
   * closed.
   */
  readonly keepAliveMs: number
  /** For the rest of a request that was answered before it was complete, if the connection closes after the response. */
  readonly restMs: number
  /** The interval between two checks of these timeouts. */
  readonly checkMs: number
}

const serverTimeouts: ServerTimeouts = {
  headersMs: 10_000,
  requestMs: 60_000,
  silenceMs: 120_000,
  keepAliveMs: 72_000,
  restMs: 5_000,
  checkMs: 5_000,
}

/**
 * Twice the longest address, so that the service can distinguish an address that is too long from headers that are too
 * long.
 */
const maxHeaderBytes = 2 * maxAddressBytes

/** Answers a request that arrived on a connection that allows these requests. */
export type CountedRequestListener = (
  request: IncomingMessage,
  response: ServerResponse,
  allowed: AcceptedRequests,
) => void

/** Creates an HTTP server without TLS. It counts its connections and drops those whose client is too slow. */
export function createHttpServer(
  connections: Connections,
  answer: CountedRequestListener,
  { headersMs, requestMs, silenceMs, keepAliveMs, restMs, checkMs }: ServerTimeouts = serverTimeouts,
): Server {
  const server = createServer(
    {
      maxHeaderSize: maxHeaderBytes,
      headersTimeout: headersMs,
      requestTimeout: requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: checkMs,
    },
    (request, response) => {
      if (staged.begin(request)) answer(request, response, connections.ask(request, response))
    },
  )
  const staged = closeInStages(server, restMs)
  server.timeout = silenceMs
  // Runs before anything is allocated for a connection or read from it.
  server.prependListener('connection', connections.accept)
  dropSlowReaders(server, checkMs)
  return server
}

/** Answers input that is not a readable request, and closes the connection. */
export function answerUnreadable(
  config: Pick<Config, 'restPrefix'>,
  error: Error & { readonly code?: string; readonly rawPacket?: unknown },
  socket: Socket,
): void {
  // The server reports the time limit of a request once, and leaves the connection to this function.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isPaced(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const start = Buffer.isBuffer(error.rawPacket) ? error.rawPacket.toString('latin1') : ''
  const { status, body } = presentProblem(new Problem(codeOf(error.code, start)), languageOf(config, start))
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=UTF-8',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}

function codeOf(error: string | undefined, start: string): ProblemCode {
  if (error === 'ERR_HTTP_REQUEST_TIMEOUT') return 'rest_request_timeout'
  if (error === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 'rest_request_too_large'
  if (error !== 'HPE_HEADER_OVERFLOW') return 'rest_bad_request'
  const firstLine = start.split('\r\n', 1)[0] ?? ''
  return firstLine.length > maxAddressBytes ? 'rest_uri_too_long' : 'rest_headers_too_large'
}

/** Returns the language of the address, from the part of the address that was read. */
function languageOf({ restPrefix }: Pick<Config, 'restPrefix'>, start: string): TextLanguage {
  const [, path = ''] = /^[A-Z]+ (\/\S*)/.exec(start) ?? []
  const below = path.toLowerCase()
  return splitLanguagePath(below.startsWith(`${restPrefix}/`) ? below.slice(restPrefix.length) : '').textLanguage
}

/** Closes connections in stages. */
interface StagedClose {
  /** Records a request. Returns false if its connection is being closed: the request must not be processed. */
  begin(request: IncomingMessage): boolean
}

/**
 * Closes connections in stages if their client still sends (RFC 9112, 9.6). Node closes both sides as soon as the
 * response is written. If bytes of the request arrive after that, or were not read, the system resets the connection,
 * and the client loses what it had not read of the response. So the service closes its sending side only, and drops the
 * rest of the request until it is complete.
 *
 * @param maxMs The time after which the connection is closed although the client still sends.
 */
export function closeInStages(server: Server, maxMs: number): StagedClose {
  const requests = new WeakMap<Socket, IncomingMessage>()
  const closing = new WeakSet<Socket>()
  const remember = (request: IncomingMessage) => {
    const { socket } = request
    requests.set(socket, request)
    // An idle connection must not keep the headers of its last request.
    request.once('close', () => {
      if (requests.get(socket) === request) requests.delete(socket)
    })
  }
  server.on('connection', (socket) => {
    const close = socket.destroySoon.bind(socket)
    // Node calls it after the last response on a connection.
    socket.destroySoon = () => {
      const request = requests.get(socket)
      if (!request || request.complete || closing.has(socket)) return close()
      closing.add(socket)
      socket.end()
      const timer = setTimeout(() => socket.destroy(), maxMs)
      socket.once('close', () => clearTimeout(timer))
      request.once('end', close).resume()
    }
  })
  return {
    begin: (request) => {
      if (closing.has(request.socket)) return false
      if (hasBody(request)) remember(request)
      return true
    },
  }
}

/** Whether more than the headers may arrive (RFC 9112, 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}
