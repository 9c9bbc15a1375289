import { lookup as systemLookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent } from 'undici'
import { isPublicAddress } from './outbound.address.ts'

/** Why something outside was not fetched. */
export type OutboundReason =
  | 'address' // Not http(s), with credentials, another port, or not on the public Internet.
  | 'redirects'
  | 'too-large'
  | 'too-slow'
  | 'answer' // Another status than 200, or an encoded body.
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
  readonly mostBytes: number
  readonly timeoutMs: number
  readonly mostRedirects: number
  /** Which addresses may be connected to; by default those of the public Internet, at the usual ports. */
  readonly isAllowed?: (address: string, port: number) => boolean
  /** How names are looked up. */
  readonly lookup?: LookupFunction
}

/** Fetches what a user names, within these limits. */
export type FetchOutside = (url: string, options: OutboundOptions) => Promise<Buffer>

const usualPorts = new Set([80, 443])
const isPublic = (address: string, port: number) => usualPorts.has(port) && isPublicAddress(address)

/**
 * Fetches a file that a user named, so that no address inside can be reached by it: the address that is connected to is
 * the one that was judged, after the name was looked up, and again on every redirect.
 *
 * @throws OutboundError
 */
export const fetchOutside: FetchOutside = async (url, options) => {
  const isAllowed = options.isAllowed ?? isPublic
  const signal = AbortSignal.timeout(options.timeoutMs)
  // Loaded only here: it takes a tenth of a second that no start should wait for.
  const { Agent, buildConnector, request } = await import('undici')
  const agent = guardedAgent({ Agent, buildConnector }, isAllowed, options.lookup ?? systemLookup)
  try {
    let target = targetOf(url, undefined)
    for (let redirects = 0; ; redirects += 1) {
      if (redirects > options.mostRedirects) throw new OutboundError('redirects')
      const answer = await request(target, {
        dispatcher: agent,
        signal,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'cal-events' },
      })
      const { location } = answer.headers
      if (answer.statusCode >= 300 && answer.statusCode < 400 && typeof location === 'string') {
        answer.body.destroy()
        answer.body.on('error', () => {})
        target = targetOf(location, target)
        continue
      }
      const encoding = answer.headers['content-encoding'] ?? 'identity'
      if (answer.statusCode !== 200 || encoding !== 'identity') throw new OutboundError('answer')
      return await bounded(answer.body, options.mostBytes)
    }
  } catch (error) {
    throw outboundError(error)
  } finally {
    void agent.destroy()
  }
}

/** The address to ask, which a redirect may give relative to the one before. */
function targetOf(url: string, base: URL | undefined): URL {
  if (!URL.canParse(url, base)) throw new OutboundError('address')
  const target = new URL(url, base)
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:'
  if (!isWeb || target.username !== '' || target.password !== '') throw new OutboundError('address')
  return target
}

function guardedAgent(
  { Agent, buildConnector }: Pick<typeof import('undici'), 'Agent' | 'buildConnector'>,
  isAllowed: (address: string, port: number) => boolean,
  lookup: LookupFunction,
): Agent {
  const connect = (port: number) =>
    buildConnector({
      lookup: (name, options, done) =>
        lookup(name, { ...options, all: false }, (error, address, family) => {
          if (error) return done(error, '', 0)
          const [first] = Array.isArray(address) ? address.map((found) => found.address) : [address]
          if (first === undefined || !isAllowed(first, port)) return done(new OutboundError('address'), '', 0)
          return options.all ? done(null, [{ address: first, family: isIP(first) }]) : done(null, first, family)
        }),
    })
  return new Agent({
    // One request per connection: nothing is kept that was judged for another.
    pipelining: 0,
    maxHeaderSize: 16 * 1024,
    connect: (options, done) => {
      const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80)
      const host = options.hostname.replace(/^\[|\]$/g, '')
      // An address needs no looking up, so nobody else would judge it.
      if (isIP(host) !== 0 && !isAllowed(host, port)) return done(new OutboundError('address'), null)
      return connect(port)(options, done)
    },
  })
}

async function bounded(body: AsyncIterable<Buffer>, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > mostBytes) throw new OutboundError('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function outboundError(error: unknown): OutboundError {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
    if (cause.name === 'TimeoutError') return new OutboundError('too-slow', { cause: error })
  }
  return new OutboundError('unreachable', { cause: error })
}
