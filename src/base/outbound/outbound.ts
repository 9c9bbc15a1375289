import { type LookupAddress, promises } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, Dispatcher } from 'undici'
import { isPublicAddress } from './outbound.address.ts'

/** The lookup of each address family takes at most twice this time, then fails. */
const resolverTimeoutMs = 2000
const tries = 2

/** Names of this machine, which need no name server (RFC 6761, 6.3). */
const ownName = /^(?:.+\.)?localhost\.?$/i
const ownAddresses: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/**
 * Looks a name up at the name servers of this machine, without its hosts file, since only public names are fetched. The
 * system lookup would block one of the few threads that read files and fetch pictures, for as long as a hostile name
 * server wants.
 *
 * @param servers Name servers to use instead, as `address:port`.
 */
export const createLookup =
  (servers?: readonly string[]): LookupFunction =>
  (name, _options, done) => {
    if (ownName.test(name)) return done(null, [...ownAddresses])
    const resolver = new promises.Resolver({ timeout: resolverTimeoutMs, tries })
    if (servers) resolver.setServers(servers)
    const asked = [
      resolver.resolve4(name).then((found) => found.map((address) => ({ address, family: 4 }))),
      resolver.resolve6(name).then((found) => found.map((address) => ({ address, family: 6 }))),
    ]
    void Promise.allSettled(asked).then((outcomes) => {
      const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
      const failed = outcomes.find((outcome) => outcome.status === 'rejected')
      if (found.length === 0 && failed) done(failed.reason as Error, '')
      else done(null, found)
    })
  }

/** The reason why a fetch failed. */
export type OutboundReason =
  | 'address' // Not http(s), with credentials, another port, or an IP address that is not public.
  | 'redirects'
  | 'too-large'
  | 'too-slow'
  | 'answer' // The status is not 200, or the body is encoded or in tiny chunks.
  | 'unreachable' // Also a name that has no public address.

/** An address named by a user could not be fetched, or is not allowed. */
export class OutboundError extends Error {
  readonly reason: OutboundReason

  constructor(reason: OutboundReason, options?: ErrorOptions) {
    super(`Not fetched: ${reason}`, options)
    this.reason = reason
  }
}

export interface OutboundOptions {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly maxRedirects: number
  /** Returns whether an address may be connected to; by default any on the public Internet. */
  readonly isAllowedAddress?: (address: string) => boolean
  /**
   * Returns whether a port is allowed; by default the web ports, since requests to other services may have side
   * effects.
   */
  readonly isAllowedPort?: (port: number) => boolean
  /** Looks up host names. */
  readonly lookup?: LookupFunction
  /** Returns whether a redirect may lead there; by default anywhere that is allowed. */
  readonly mayLeadTo?: (target: URL) => boolean
}

/** Fetches an address that a user names, within these limits. */
export type FetchOutbound = (url: string, options: OutboundOptions) => Promise<Buffer>

/** Up to this number, chunks may have any size. Above it, the mean size is limited, since each chunk takes time. */
const maxSmallChunks = 4096
const minMeanChunkBytes = 64

const isWebPort = (port: number) => port === 80 || port === 443

/**
 * Fetches a file that a user named. No internal address can be reached: the check applies to the address of the
 * connection, after the name lookup, and again on every redirect.
 *
 * @throws OutboundError
 */
export const fetchOutbound: FetchOutbound = (url, options) => {
  const headers = { accept: 'image/*', 'accept-encoding': 'identity' }
  return readAnswer(url, { ...options, method: 'GET', headers }, async ({ statusCode, headers: sent, body }) => {
    const encoding = sent['content-encoding'] ?? 'identity'
    if (statusCode !== 200 || encoding !== 'identity') throw new OutboundError('answer')
    if (Number(sent['content-length']) > options.maxBytes) throw new OutboundError('too-large')
    return readLimitedBody(body, options.maxBytes)
  })
}

/** A document, or the status for which there is none. */
export interface FetchedDocument {
  readonly status: number
  /** Empty if the status is not 200. */
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** Fetches a document that may be one that is known, by what `headers` say (RFC 9110, 13.1). */
export type FetchDocument = (
  url: string,
  options: OutboundOptions & { readonly headers: Readonly<Record<string, string>> },
) => Promise<FetchedDocument>

/** Returns the address at which a calendar is fetched, of one that names a program for calendars. */
export const webAddressOf = (url: string) => url.replace(/^webcals?:/i, 'https:')

/** @throws OutboundError */
export const fetchDocument: FetchDocument = (url, { headers, maxBytes, ...options }) =>
  readAnswer(
    webAddressOf(url),
    { ...options, method: 'GET', headers: { 'accept-encoding': 'identity', ...headers } },
    async ({ statusCode: status, headers: sent, body }) => {
      if (status !== 200) {
        body.destroy()
        body.on('error', () => {})
        return { status, body: Buffer.alloc(0), headers: sent }
      }
      if ((sent['content-encoding'] ?? 'identity') !== 'identity') throw new OutboundError('answer')
      if (Number(sent['content-length']) > maxBytes) throw new OutboundError('too-large')
      return { status, body: await readLimitedBody(body, maxBytes), headers: sent }
    },
  )

/** A request without its limit of bytes, which its reader knows. */
export interface OutboundRequest extends Omit<OutboundOptions, 'maxBytes'> {
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Sends a request to an address that a user named, follows its redirects, and reads the last answer. What the reader
 * leaves of it is not received.
 *
 * @throws OutboundError
 */
export async function readAnswer<T>(
  url: string,
  options: OutboundRequest,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const isAllowedPort = options.isAllowedPort ?? isWebPort
  // `AbortSignal.timeout` would keep the connection in memory until the time is over.
  const ending = new AbortController()
  const timer = setTimeout(() => ending.abort(new DOMException('too slow', 'TimeoutError')), options.timeoutMs)
  // Loaded only here: it takes a tenth of a second, which would delay startup.
  const { Agent, buildConnector, request } = await import('undici')
  const agent = guardedAgent({ Agent, buildConnector }, options, ending.signal)
  try {
    let target = targetOf(url, undefined, isAllowedPort)
    for (let redirects = 0; ; redirects += 1) {
      if (redirects > options.maxRedirects) throw new OutboundError('redirects')
      const answer = await request(target, {
        ...{ dispatcher: agent, method: options.method },
        headers: { ...options.headers, 'user-agent': 'cal-events' },
      })
      const { location } = answer.headers
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        answer.body.destroy()
        answer.body.on('error', () => {})
        target = targetOf(location, target, isAllowedPort)
        if (options.mayLeadTo?.(target) === false) throw new OutboundError('redirects')
        continue
      }
      return await read(answer)
    }
  } catch (error) {
    throw outboundError(error)
  } finally {
    clearTimeout(timer)
    void agent.destroy()
  }
}

/** Returns the address to request. A redirect may give one relative to the previous address. */
function targetOf(url: string, base: URL | undefined, isAllowedPort: (port: number) => boolean): URL {
  if (!URL.canParse(url, base)) throw new OutboundError('address')
  const target = new URL(url, base)
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  const usualPort = target.protocol === 'https:' ? 443 : 80
  const port = target.port === '' ? usualPort : Number(target.port)
  if (!isWeb || target.username !== '' || target.password !== '' || !isAllowedPort(port)) {
    throw new OutboundError('address')
  }
  return target
}

/** Creates connections that end with `signal`, and none to an address that is not allowed. */
function guardedAgent(
  { Agent, buildConnector }: Pick<typeof import('undici'), 'Agent' | 'buildConnector'>,
  { isAllowedAddress = isPublicAddress, lookup = createLookup() }: Pick<OutboundOptions, 'isAllowedAddress' | 'lookup'>,
  signal: AbortSignal,
): Agent {
  const connect = buildConnector({
    lookup: filteredLookup(lookup, isAllowedAddress),
    // Set on the socket: on the request, it would take effect only after the connection is made.
    signal,
    timeout: 0,
    // The limits on headers apply to HTTP/1.
    allowH2: false,
    // Overrides the environment.
    rejectUnauthorized: true,
  })
  return new Agent({
    // One request per connection: a connection is not reused for another address.
    pipelining: 0,
    maxHeaderSize: 16 * 1024,
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      // An IP address needs no lookup, so the lookup does not check it.
      if (isIP(host) !== 0 && !isAllowedAddress(host)) return done(new OutboundError('address'), null)
      return connect(options, done)
    },
  })
}

/**
 * Looks a name up once and returns only its allowed addresses. The connection uses one of these. A name with others only
 * is as one that does not exist: a user must not learn which names there are inside.
 */
function filteredLookup(lookup: LookupFunction, isAllowedAddress: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = Array.isArray(found) ? found.filter(({ address }) => isAllowedAddress(address)) : []
      const [first] = allowed
      if (first === undefined) return done(new OutboundError('unreachable'), '', 0)
      return options.all ? done(null, allowed) : done(null, first.address, first.family)
    })
}

/**
 * Reads the body into one growing buffer: a list of millions of tiny chunks takes a hundred times their size.
 *
 * @throws OutboundError
 */
export async function readLimitedBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
  let received = Buffer.alloc(0)
  let size = 0
  let pieces = 0
  for await (const chunk of body) {
    const nextSize = size + chunk.length
    pieces += 1
    if (nextSize > maxBytes) throw new OutboundError('too-large')
    if (pieces > maxSmallChunks && nextSize / pieces < minMeanChunkBytes) throw new OutboundError('answer')
    if (nextSize > received.length) {
      const larger = Buffer.alloc(Math.min(2 * nextSize, maxBytes))
      received.copy(larger, 0, 0, size)
      received = larger
    }
    chunk.copy(received, size)
    size = nextSize
  }
  return received.subarray(0, size)
}

function outboundError(error: unknown): OutboundError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
    if (cause.name === 'TimeoutError') return new OutboundError('too-slow', { cause: error })
  }
  return new OutboundError('unreachable', { cause: error })
}
