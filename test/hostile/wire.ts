import { connect, type Socket } from 'node:net'
import type { Role } from '../../src/access/auth/actor.ts'

/** A request as sent on the wire. Each character of its texts is one byte, so that they can contain any bytes. */
export interface WireRequest {
  /** The role whose credentials are sent; undefined for a visitor. */
  readonly as?: Role
  readonly method: string
  readonly target: string
  /** Sent unchanged, even if repeated. Required fields that are missing are added: `Host`, `Content-Length`. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: string
  /** True if the client reads nothing of the response until another client has been answered. */
  readonly isReadLate?: true
}

export interface WireAnswer {
  /** 0 if the connection was closed without a response, or if none arrived in time. */
  readonly status: number
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  /** True if the body is as long as the header section declares. */
  readonly isWhole: boolean
  /**
   * True if the header section declares where the body ends. Otherwise only the close of the connection does, which
   * looks like an interruption.
   */
  readonly isFramed: boolean
  readonly tookMs: number
}

/** With what a user is known: the value of `Authorization`, and at the desk what a browser sends. */
export interface Credentials {
  readonly authorization: string
  readonly cookie: string
  /** The token of the forms of the desk. */
  readonly csrf: string
}

type CredentialsByRole = ReadonlyMap<Role, Credentials>

/** Stands for the token in forms of the desk. */
export const csrfPlaceholder = 'CSRF-TOKEN'

const patienceMs = 10_000
const blankLine = '\r\n\r\n'
/** The end of a chunked body without trailer fields (RFC 9112, 7.1). */
const lastChunk = Buffer.from(`0${blankLine}`)

/**
 * Sends a request over a raw connection of its own, because no client library would send all of these.
 *
 * @param credentials Those of each role.
 */
export function sendRaw(port: number, request: WireRequest, credentials: CredentialsByRole): Promise<WireAnswer> {
  return new Promise((resolve) => {
    const beganAtMs = performance.now()
    const chunks: Buffer[] = []
    let received = 0
    let needed = 0
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const read = () => readAnswer(Buffer.concat(chunks), request.method)
    const finish = () => {
      clearTimeout(timer)
      socket.destroy()
      const { missing: _, ...answer } = read()
      resolve({ ...answer, tookMs: performance.now() - beganAtMs })
    }
    const timer = setTimeout(finish, patienceMs)
    socket.on('data', (chunk) => {
      chunks.push(Buffer.from(chunk))
      received += chunk.length
      // Reading copies everything, and the processor time of this process counts for the request.
      if (received < needed && !Buffer.concat(chunks.slice(-2)).subarray(-lastChunk.length).equals(lastChunk)) return
      const { isWhole, missing } = read()
      // Some requests ask for keep-alive.
      if (isWhole) finish()
      needed = received + missing
    })
    // A server that has refused a body may close while the client still sends the rest.
    socket.on('error', finish)
    socket.on('end', finish)
    socket.write(messageOf(request, credentials))
    if (request.isReadLate) void readLate(socket, port)
    // A client that closes its sending side is taken to have left. So only requests for which the server may wait do
    // so.
    if (isFramedByHand(request)) socket.end()
  })
}

async function readLate(socket: Socket, port: number): Promise<void> {
  socket.pause()
  await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => {})
  socket.resume()
}

/** Returns true if the request itself declares the length of its body, correctly or not. */
export function isFramedByHand({ headers }: Pick<WireRequest, 'headers'>): boolean {
  return headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name))
}

/** Whether a page of the desk is asked, which knows its user by a cookie. */
export function isAtDesk({ target }: Pick<WireRequest, 'target'>): boolean {
  return /^(?:\/fr)?\/admin(?:\/|$)/.test(target)
}

/** Returns all bytes of a request. */
function messageOf({ as, method, target, headers, body: sent }: WireRequest, credentials: CredentialsByRole): Buffer {
  const own = as && credentials.get(as)
  const browser = isAtDesk({ target }) ? own : undefined
  const body = browser ? sent.replaceAll(csrfPlaceholder, browser.csrf) : sent
  const has = (name: string) => headers.some(([known]) => known.toLowerCase() === name)
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(has('host') ? [] : ['Host: calendar.test']),
    ...(has('connection') ? [] : ['Connection: close']),
    ...(own && !browser ? [`Authorization: ${own.authorization}`] : []),
    ...(browser ? [`Cookie: ${browser.cookie}`, 'Sec-Fetch-Site: same-origin'] : []),
    ...(isFramedByHand({ headers }) || body === '' ? [] : [`Content-Length: ${body.length}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.from(`${lines.join('\r\n')}${blankLine}${body}`, 'latin1')
}

interface ReadAnswer extends Omit<WireAnswer, 'tookMs'> {
  /** The bytes that are missing at least; infinite if the last bytes tell that it is whole. */
  readonly missing: number
}

const noBody = { body: Buffer.alloc(0), isWhole: true, isFramed: true, missing: 0 }

/** Returns the first final response in these bytes, without interim responses. */
function readAnswer(bytes: Buffer, method: string): ReadAnswer {
  const headEnd = bytes.indexOf(blankLine)
  if (headEnd < 0) return { status: 0, headers: {}, ...noBody, isWhole: false, isFramed: false, missing: 1 }
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const rest = bytes.subarray(headEnd + blankLine.length)
  if (status < 200) return readAnswer(rest, method)
  const headers = Object.fromEntries(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]))
  if (method === 'HEAD' || status === 204 || status === 304) return { status, headers, ...noBody }
  const toTheEnd = Number.POSITIVE_INFINITY
  if (headers['transfer-encoding'] === 'chunked')
    return { status, headers, ...joinChunks(rest), isFramed: true, missing: toTheEnd }
  const lengths = lines.filter((line) => nameOf(line) === 'content-length')
  const length = Number(headers['content-length'])
  if (lengths.length !== 1 || !(length >= 0))
    return { status, headers, body: rest, isWhole: false, isFramed: false, missing: toTheEnd }
  const missing = Math.max(0, length - rest.length)
  return { status, headers, body: rest.subarray(0, length), isWhole: missing === 0, isFramed: true, missing }
}

const nameOf = (line: string): string => line.slice(0, line.indexOf(':')).toLowerCase()

/** Decodes a chunked body (RFC 9112, 7.1). */
function joinChunks(bytes: Buffer): Pick<WireAnswer, 'body' | 'isWhole'> {
  const parts: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = lineEnd < 0 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size > 0)) return { body: Buffer.concat(parts), isWhole: size === 0 }
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
}
