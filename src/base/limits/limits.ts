import { hash } from 'node:crypto'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../concurrency/concurrency.limit.ts'
import type { Config } from '../config/config.ts'
import type { Rate } from '../config/limits.ts'
import { fail } from '../problems.ts'
import { type FeedLimits, feedLimits } from './feed.limits.ts'
import { type Allowance, createQuota, type Quota } from './quota.ts'
import { createReceivedBodies, type ReceivedBodies } from './received.bodies.ts'
import { createRequestQueue, overloadedProblem, type RequestQueue } from './request.queue.ts'
import { createStreams, type Streams } from './stream.slots.ts'

/** Pairs of header name and value. */
export type HeaderPairs = Readonly<Record<string, string>>

/** Limits guesses of a secret by clients. */
interface GuessLimiter {
  /**
   * @param client Undefined if the client is not counted.
   * @param target What the secret opens. Undefined if the request does not name it.
   * @throws rest_too_many_requests, if there were too many wrong guesses.
   */
  assertAllowed(client: string | undefined, target: string | undefined): void
  /** Returns the seconds for which `assertAllowed` would refuse; 0 if it would not. */
  waitSeconds(client: string | undefined, target: string | undefined): number
  /** Counts a wrong guess. Guesses made at the same time are allowed once, and lengthen the wait. */
  countWrongGuess(client: string | undefined, target: string | undefined): void
}

/** The per-client counters of a process. They are in memory, bounded, and lost when the process ends. */
export interface Limits {
  /** Counts a request of this client. Returns undefined if there is no limit. */
  countForAddress(client: string): RateLimitResult | undefined
  /**
   * Counts a request of this user from this client.
   *
   * @throws rest_too_many_requests
   */
  headersForUser(client: string | undefined, userId: number): HeaderPairs
  /** Counts further work that one request of this user does. Requests are refused until it would have been allowed. */
  chargeUser(client: string | undefined, userId: number, count: number): HeaderPairs
  readonly credentials: GuessLimiter
  readonly eventPasswords: GuessLimiter
  readonly inFlight: RequestQueue
  readonly imports: Pick<ConcurrencyLimit, 'tryAcquire'>
  /** The bodies that arrive in memory. */
  readonly bodies: ReceivedBodies
  /** The bodies that arrive in files. */
  readonly uploads: ReceivedBodies
  /** The large responses in progress. */
  readonly streams: Streams
  /** How much of a feed is read and buffered at a time. */
  readonly feedLimits: FeedLimits
}

/** The result of counting a request, with its response headers as alternating names and values. */
export interface RateLimitResult extends Pick<Allowance, 'isAllowed' | 'waitSeconds'> {
  readonly headers: readonly string[]
}

/** The target of guesses in a list: all its protected events together, because it tries a password on each of them. */
export const listTarget = 'list'

/** As many whole bodies as a process handles in a moment. */
const maxBodyBytesInMemory = 32 * 1024 * 1024
/** Some 64 of the largest pictures. */
const maxUploadBytesInFiles = 1024 * 1024 * 1024
/** Each may hold a few megabytes. */
const maxImports = 4
const maxTrackedClients = 50_000
const maxTrackedGuesses = 10_000
/** A login or an event is shared by all: the guesses of one client must not lock out the others. */
const targetFactor = 10

export function createLimits(
  { rateLimit, failureLimit, maxInFlight }: Pick<Config, 'rateLimit' | 'failureLimit' | 'maxInFlight'>,
  now?: () => number,
): Limits {
  const quota = (rate: Rate | undefined, maxKeys: number) =>
    rate && createQuota({ ...rate, maxKeys, ...(now ? { now } : {}) })
  const guessing = () =>
    createGuessLimiter(
      quota(failureLimit, maxTrackedGuesses),
      quota(failureLimit && { ...failureLimit, most: failureLimit.most * targetFactor }, maxTrackedGuesses),
    )
  const addresses = quota(rateLimit, maxTrackedClients)
  const users = quota(rateLimit, maxTrackedGuesses)
  const addressPolicy = rateLimit && policyOf('address', rateLimit)
  const limitHeaders = (client: string, user: Allowance): HeaderPairs =>
    addresses && rateLimit
      ? {
          'RateLimit-Policy': `${addressPolicy}, ${policyOf('credential', rateLimit)}`,
          RateLimit: `${rateLimitOf('address', addresses.peek(client))}, ${rateLimitOf('credential', user)}`,
        }
      : {}
  return {
    countForAddress: (client) => {
      if (!addresses || addressPolicy === undefined) return undefined
      const allowance = addresses.take(client)
      const { isAllowed, waitSeconds } = allowance
      const headers = ['RateLimit-Policy', addressPolicy, 'RateLimit', rateLimitOf('address', allowance)]
      return { isAllowed, waitSeconds, headers }
    },
    headersForUser: (client, userId) => {
      if (client === undefined || !users) return {}
      const user = users.take(String(userId))
      const headers = limitHeaders(client, user)
      return user.isAllowed ? headers : fail('rest_too_many_requests', { headers: { ...headers, ...retryAfter(user) } })
    },
    chargeUser: (client, userId, count) => {
      if (client === undefined || !addresses || !users) return {}
      for (let done = 0; done < count; done += 1) {
        addresses.charge(client)
        users.charge(String(userId))
      }
      return limitHeaders(client, users.peek(String(userId)))
    },
    credentials: guessing(),
    eventPasswords: guessing(),
    inFlight: createRequestQueue(maxInFlight),
    imports: createConcurrencyLimit({ maxConcurrent: maxImports, maxWaiting: 0, onFull: overloadedProblem }),
    bodies: createReceivedBodies(maxBodyBytesInMemory),
    uploads: createReceivedBodies(maxUploadBytesInFiles),
    streams: createStreams(),
    feedLimits,
  }
}

export function retryAfter({ waitSeconds }: Pick<Allowance, 'waitSeconds'>): HeaderPairs {
  return { 'Retry-After': String(waitSeconds) }
}

/** @throws rest_too_many_requests, unless there is nothing to wait for */
export function assertNoWait(waitSeconds: number): void {
  if (waitSeconds > 0) fail('rest_too_many_requests', { headers: retryAfter({ waitSeconds }) })
}

/** Returns the policy of a quota for a header. Both formats follow draft-ietf-httpapi-ratelimit-headers-10. */
function policyOf(name: string, { most, seconds }: Rate): string {
  return `"${name}";q=${most};w=${seconds}`
}

function rateLimitOf(name: string, { remaining, resetSeconds }: Allowance): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`
}

function createGuessLimiter(clients: Quota | undefined, targets: Quota | undefined): GuessLimiter {
  // A hash bounds the memory per target, however long its name is. A substring would keep the whole text in memory.
  const keyOf = (target: string) => hash('sha256', target.toLowerCase(), 'base64')
  const waitSeconds: GuessLimiter['waitSeconds'] = (client, target) => {
    const looked = [
      client === undefined ? undefined : clients?.peek(client),
      target === undefined ? undefined : targets?.peek(keyOf(target)),
    ]
    return Math.max(...looked.map((allowance) => allowance?.waitSeconds ?? 0))
  }
  return {
    waitSeconds,
    assertAllowed: (client, target) => assertNoWait(waitSeconds(client, target)),
    countWrongGuess: (client, target) => {
      if (client !== undefined) clients?.charge(client)
      if (target !== undefined) targets?.charge(keyOf(target))
    },
  }
}
