import type { HeaderPairs } from '../../base/limits/limits.ts'
import { currentRequestTrace, updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { withWrites } from '../../storage/database/writes/before.write.ts'
import { rehearse } from '../../storage/database/writes/held.write.ts'
import { authenticate, type Caller, credentialFailures } from '../auth/authentication.ts'
import type { Credentials } from '../auth/credentials.ts'
import { assertMayWrite, onlyPlans } from '../auth/key.limits.ts'
import { assertStillAuthorized } from '../auth/write.authorization.ts'
import type { Deps } from '../deps.ts'

/** The caller, and the headers of the response about the rate limit. */
export interface RateLimitedCaller extends Caller {
  readonly limitHeaders: HeaderPairs
}

/**
 * Returns the owner of the credentials of a request.
 *
 * @param client The client for which the request is counted; undefined if it is not counted.
 * @throws incorrect_password, rest_too_many_requests
 */
export async function callerOf(
  deps: Deps,
  client: string | undefined,
  credentials: Credentials | undefined,
): Promise<RateLimitedCaller> {
  const caller = credentials
    ? await limitGuesses(deps, { client, target: targetOf(credentials) }, () => authenticate(deps, credentials))
    : await authenticate(deps, undefined)
  const { actor } = caller
  if (actor.kind === 'user') updateRequestTrace({ userId: actor.id })
  return { ...caller, limitHeaders: actor.kind === 'user' ? deps.limits.headersForUser(client, actor.id) : {} }
}

/** A token alone names no user, so failed attempts count for its client only. */
function targetOf(credentials: Credentials): string | undefined {
  return credentials.kind === 'basic' ? credentials.login : undefined
}

/**
 * Does work that checks credentials. Wrong credentials count for the client and for their target. After too many
 * failures even correct credentials are refused; otherwise a success would reveal that they are correct.
 *
 * @throws rest_too_many_requests, and the errors of `work`
 */
export async function limitGuesses<T>(
  { limits }: Deps,
  { client, target }: { readonly client: string | undefined; readonly target: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  limits.credentials.assertAllowed(client, target)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && credentialFailures.has(error.code))
      limits.credentials.countWrongGuess(client, target)
    throw error
  }
}

/** The properties of a request that its writes record. */
export interface CallerRequest {
  /** True if the request may read from a replica. */
  readonly isReading: boolean
  /** See `StorageRequest`. */
  readonly isUrgent?: boolean | undefined
  /** Address of the client; forwarded header fields count only from a trusted proxy. */
  readonly address: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/**
 * Returns the dependencies with the storage as this request uses it. A write, and the reads before and after it, use
 * the primary database.
 */
export function depsForRequest(
  deps: Deps,
  caller: Caller,
  { isReading, isUrgent, address, headers }: CallerRequest,
): Deps {
  const { actor, lastRevision } = caller
  const userId = actor.kind === 'user' ? actor.id : undefined
  // A request that did not arrive over a connection has no request id of ours.
  const requestId = currentRequestTrace()?.id ?? requestIdIn(headers['x-request-id'])
  const origin = { via: 'http', userId, address, requestId } as const
  const storage = deps.storage.forRequest({
    ...{ origin, lastRevision, isReading, isUrgent },
    beforeWrite: (tx) => assertStillAuthorized(tx, caller, deps.now()),
  })
  return { ...deps, storage: withinScope(storage, caller) }
}

/**
 * Returns the storage with writes that do what the key of the caller allows. Endpoints say so first; this holds if one
 * forgets.
 */
function withinScope(storage: Storage, { key }: Caller): Storage {
  if (key?.scope === 'read') return withWrites(storage, () => async () => assertMayWrite(key) as never)
  if (!onlyPlans(key)) return storage
  return withWrites(storage, () => (work) => rehearse(storage, (held) => held.write(work)))
}

/** Returns the request id that a proxy or client set, if it can be searched for in their logs. */
function requestIdIn(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}
