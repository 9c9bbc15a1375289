import { LRUCache } from 'lru-cache'
import { createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import { Problem } from '../problems.ts'
import { OutboundError, type OutboundOptions, readAnswer } from './outbound.ts'

/**
 * What is at an address: something that answers, a page that no longer exists (404, 410), no answer or a failing server, or an
 * address that the service does not connect to.
 */
export const LINK_STATES = ['ok', 'gone', 'error', 'refused'] as const
type LinkState = (typeof LINK_STATES)[number]

/** Returns the status of the answer of an address. */
export type ProbeOutbound = (url: string) => Promise<number>

export interface LinkChecker {
  /**
   * @param client Who asks. Clients take turns.
   * @throws the problem `service_unavailable` if too many addresses wait.
   */
  check(url: string, client: string): Promise<LinkState>
  /** Whether the state is known, so that a check sends no request. */
  isKnown(url: string): boolean
}

const timeoutMs = 5000
/** Some servers never answer HEAD. */
const headTimeoutMs = 3000
const maxRedirects = 5
const maxConcurrent = 4
const maxWaiting = 100
const retryAfterSeconds = 10
const maxKnown = 5000
const longestUrl = 2048
/** How long the state of an address is kept. A server without an answer may answer soon. */
const keptMs = { ok: 3_600_000, gone: 3_600_000, refused: 3_600_000, error: 60_000 } as const satisfies Record<
  LinkState,
  number
>

const methodNotAllowed = 400
const gone: ReadonlySet<number> = new Set([404, 410])

/**
 * Asks an address for its headers, and if it refuses that, for its page, of which only the beginning is received.
 *
 * @throws OutboundError
 */
export async function probeOutbound(
  url: string,
  options: Pick<OutboundOptions, 'isAllowedAddress' | 'isAllowedPort' | 'lookup'> = {},
): Promise<number> {
  const beganAt = performance.now()
  const ask = (method: 'GET' | 'HEAD', limitMs: number) =>
    readAnswer(
      url,
      { ...options, maxRedirects, method, timeoutMs: limitMs, headers: { accept: 'text/html, */*;q=0.8' } },
      async ({ statusCode }) => statusCode,
    )
  try {
    const status = await ask('HEAD', headTimeoutMs)
    if (status < methodNotAllowed) return status
  } catch (error) {
    if (error instanceof OutboundError && error.reason === 'address') throw error
  }
  return ask('GET', Math.max(1, Math.round(timeoutMs - (performance.now() - beganAt))))
}

/**
 * Checks addresses, a few at a time, and keeps their states.
 *
 * @param now Milliseconds of a monotonic clock.
 */
export function createLinkChecker(probe: ProbeOutbound = probeOutbound, now = () => performance.now()): LinkChecker {
  const known = new LRUCache<string, LinkState>({ max: maxKnown, ttl: 1, perf: { now }, ttlResolution: 0 })
  const asked = new Map<string, Promise<LinkState>>()
  const limit = createConcurrencyLimit({
    ...{ maxConcurrent, maxWaiting },
    onFull: () => new Problem('service_unavailable', { headers: { 'Retry-After': String(retryAfterSeconds) } }),
  })
  const ask = async (url: string, client: string): Promise<LinkState> => {
    const state = await limit.run(() => stateOf(probe, url), { client })
    known.set(url, state, { ttl: keptMs[state] })
    return state
  }
  const keyOf = (url: string) => (URL.canParse(url) && url.length <= longestUrl ? withoutFragment(url) : undefined)
  return {
    isKnown: (url) => {
      const key = keyOf(url)
      return key === undefined || known.has(key)
    },
    check: (url, client) => {
      const key = keyOf(url)
      if (key === undefined) return Promise.resolve('refused')
      const state = known.get(key)
      if (state !== undefined) return Promise.resolve(state)
      const pending = asked.get(key) ?? ask(key, client).finally(() => asked.delete(key))
      asked.set(key, pending)
      return pending
    },
  }
}

function withoutFragment(url: string): string {
  const read = new URL(url)
  read.hash = ''
  return read.href
}

async function stateOf(probe: ProbeOutbound, url: string): Promise<LinkState> {
  try {
    const status = await probe(url)
    if (gone.has(status)) return 'gone'
    // Pages that ask who is there, or refuse programs, exist.
    return status >= 500 ? 'error' : 'ok'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.reason === 'address' ? 'refused' : 'error'
  }
}
