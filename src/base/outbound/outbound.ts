import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from './outbound.address.ts'
import { createLookup } from './outbound.lookup.ts'

/** Why something outside was not fetched. */
export type OutboundReason =
  | 'address' // Not http(s), with credentials, another port, or not on the public Internet.
  | 'redirects'
  | 'too-large'
  | 'too-slow'
  | 'answer' // Another status than 200, or a body that is encoded or in crumbs.
  | 'unreachable'

/** An address that a user named could not be fetched, or may not be. */
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
  /** Which addresses may be connected to; by default those of the public Internet. */
  readonly isAllowedAddress?: (address: string) => boolean
  /** At which ports; by default those of the web, since other services answer nonsense with side effects. */
  readonly isAllowedPort?: (port: number) => boolean
  /** How names are looked up. */
  readonly lookup?: LookupFunction
}

/** Fetches what a user names, within these limits. */
export type FetchOutbound = (url: string, options: OutboundOptions) => Promise<Buffer>

/** So many pieces may be of any size; of more than these the mean size counts, since each takes its time. */
const maxSmallChunks = 4096
const minMeanChunkBytes = 64

const isWebPort = (port: number) => port === 80 || port === 443

/**
 * Fetches a file that a user named, so that no address inside can be reached by it: the address that is connected to is
 * the one that was judged, after the name was looked up, and again on every redirect.
 *
 * @throws OutboundError
 */
export const fetchOutbound: FetchOutbound = async (url, options) => {
  const isAllowedPort = options.isAllowedPort ?? isWebPort
  const signal = AbortSignal.timeout(options.timeoutMs)
  // Loaded only here: it takes a tenth of a second that no start should wait for.
  const { Agent, buildConnector, request } = await import('undici')
  const agent = guardedAgent({ Agent, buildConnector }, options, signal)
  try {
    let target = targetOf(url, undefined, isAllowedPort)
    for (let redirects = 0; ; redirects += 1) {
      if (redirects > options.maxRedirects) throw new OutboundError('redirects')
      const answer = await request(target, {
        dispatcher: agent,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'cal-events' },
      })
      const { location } = answer.headers
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        answer.body.destroy()
        answer.body.on('error', () => {})
        target = targetOf(location, target, isAllowedPort)
        continue
      }
      const encoding = answer.headers['content-encoding'] ?? 'identity'
      if (answer.statusCode !== 200 || encoding !== 'identity') throw new OutboundError('answer')
      if (Number(answer.headers['content-length']) > options.maxBytes) throw new OutboundError('too-large')
      return await readLimitedBody(answer.body, options.maxBytes)
    }
  } catch (error) {
    throw outboundError(error)
  } finally {
    void agent.destroy()
  }
}

/** The address to ask, which a redirect may give relative to the one before. */
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

/** Makes connections, none of which outlives `signal`, and none to an address that is not allowed. */
function guardedAgent(
  { Agent, buildConnector }: Pick<typeof import('undici'), 'Agent' | 'buildConnector'>,
  { isAllowedAddress = isPublicAddress, lookup = createLookup() }: OutboundOptions,
  signal: AbortSignal,
): Agent {
  const connect = buildConnector({
    lookup: filteredLookup(lookup, isAllowedAddress),
    // Given to the socket and not to the request, which would heed it only once it is connected.
    signal,
    timeout: 0,
    // The bounds on headers are those of HTTP/1.
    allowH2: false,
    // Whatever the environment says.
    rejectUnauthorized: true,
  })
  return new Agent({
    // One request per connection: nothing is kept that was judged for another.
    pipelining: 0,
    maxHeaderSize: 16 * 1024,
    connect: (options, done) => {
      const host = options.hostname.replace(/^\[|\]$/g, '')
      // An address needs no looking up, so nobody else would judge it.
      if (isIP(host) !== 0 && !isAllowedAddress(host)) return done(new OutboundError('address'), null)
      return connect(options, done)
    },
  })
}

/** Looks a name up once and hands on only those of its addresses that are allowed: the connection is made to one of them. */
function filteredLookup(lookup: LookupFunction, isAllowedAddress: (address: string) => boolean): LookupFunction {
  return (name, options, done) =>
    lookup(name, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '', 0)
      const allowed = Array.isArray(found) ? found.filter(({ address }) => isAllowedAddress(address)) : []
      const [first] = allowed
      if (first === undefined) return done(new OutboundError('address'), '', 0)
      return options.all ? done(null, allowed) : done(null, first.address, first.family)
    })
}

/** The whole body, copied into one buffer that grows: a list of millions of tiny chunks takes a hundred times their size. */
async function readLimitedBody(body: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer> {
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
