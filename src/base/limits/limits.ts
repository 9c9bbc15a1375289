import { hash } from 'node:crypto'
import type { LimitSettings, Rate } from '../config/limits.ts'
import { fail } from '../problems.ts'
import { type FeedLimits, feedLimits } from './feed.limits.ts'
import { type Allowance, createQuota, type Quota } from './quota.ts'
import { createRequestQueue, type RequestQueue } from './request.queue.ts'
import { createStreams, type Streams } from './stream.slots.ts'

/** Pairs of a header's name and value. */
export type HeaderPairs = Readonly<Record<string, string>>

/** Something secret that clients may try to guess. */
interface GuessLimiter {
  /**
   * @param client Undefined where it is not counted.
   * @param target What the secret opens; undefined where it does not say.
   * @throws rest_too_many_requests, where too many guesses were wrong.
   */
  assertAllowed(client: string | undefined, target: string | undefined): void
  /** Counts a wrong guess. Those that came at the same time are allowed once, and are waited for the longer. */
  countWrongGuess(client: string | undefined, target: string | undefined): void
}

/** What a process counts of its clients. All is in memory, bounded, and forgotten when it ends. */
export interface Limits {
  /** Counts a request of this client; undefined where there is no limit. */
  countForAddress(client: string): RateLimitResult | undefined
  /**
   * Counts a request of this user, who has come from this client.
   *
   * @throws rest_too_many_requests
   */
  headersForUser(client: string | undefined, userId: number): HeaderPairs
  readonly credentials: GuessLimiter
  readonly eventPasswords: GuessLimiter
  /** What is being worked on. */
  readonly inFlight: RequestQueue
  /** Large answers that are being made. */
  readonly streams: Streams
  /** How much of a feed is read and held at a time. */
  readonly feedLimits: FeedLimits
}

/** How a request was counted, and what its answer says of that: names and values of headers in turns. */
export interface RateLimitResult extends Pick<Allowance, 'isAllowed' | 'waitSeconds'> {
  readonly headers: readonly string[]
}

const maxTrackedClients = 50_000
const maxTrackedGuesses = 10_000
/** A login or an event is everybody's: what one client may guess must not shut out the others. */
const targetFactor = 10

export function createLimits(
  { rateLimit, failureLimit, maxInFlight }: Pick<LimitSettings, 'rateLimit' | 'failureLimit' | 'maxInFlight'>,
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
  return {
    countForAddress: (client) => {
      if (!addresses || addressPolicy === undefined) return undefined
      const allowance = addresses.take(client)
      const { isAllowed, waitSeconds } = allowance
      const headers = ['RateLimit-Policy', addressPolicy, 'RateLimit', rateLimitOf('address', allowance)]
      return { isAllowed, waitSeconds, headers }
    },
    headersForUser: (client, userId) => {
      if (client === undefined || !addresses || !users || !rateLimit) return {}
      const user = users.take(String(userId))
      const headers = {
        'RateLimit-Policy': `${addressPolicy}, ${policyOf('credential', rateLimit)}`,
        RateLimit: `${rateLimitOf('address', addresses.peek(client))}, ${rateLimitOf('credential', user)}`,
      }
      return user.isAllowed ? headers : fail('rest_too_many_requests', { headers: { ...headers, ...retryAfter(user) } })
    },
    credentials: guessing(),
    eventPasswords: guessing(),
    inFlight: createRequestQueue(maxInFlight),
    streams: createStreams(),
    feedLimits,
  }
}

export function retryAfter({ waitSeconds }: Pick<Allowance, 'waitSeconds'>): HeaderPairs {
  return { 'Retry-After': String(waitSeconds) }
}

/** What clients are told of a share, and of what is left of it (draft-ietf-httpapi-ratelimit-headers-10). */
function policyOf(name: string, { most, seconds }: Rate): string {
  return `"${name}";q=${most};w=${seconds}`
}

function rateLimitOf(name: string, { remaining, resetSeconds }: Allowance): string {
  return `"${name}";r=${remaining};t=${resetSeconds}`
}

function createGuessLimiter(clients: Quota | undefined, targets: Quota | undefined): GuessLimiter {
  // Whatever a client sends as a name takes no more than this. A part of a text would keep all of it in memory.
  const keyOf = (target: string) => hash('sha256', target.toLowerCase(), 'base64')
  return {
    assertAllowed: (client, target) => {
      const looked = [
        client === undefined ? undefined : clients?.peek(client),
        target === undefined ? undefined : targets?.peek(keyOf(target)),
      ]
      const waitSeconds = Math.max(...looked.map((allowance) => allowance?.waitSeconds ?? 0))
      if (waitSeconds > 0) fail('rest_too_many_requests', { headers: retryAfter({ waitSeconds }) })
    },
    countWrongGuess: (client, target) => {
      if (client !== undefined) clients?.charge(client)
      if (target !== undefined) targets?.charge(keyOf(target))
    },
  }
}
