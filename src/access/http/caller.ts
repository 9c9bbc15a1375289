import type { HeaderPairs } from '../../base/limits/limits.ts'
import { currentRequestTrace, updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import { authenticate, type Caller, credentialFailures } from '../auth/authentication.ts'
import type { Credentials } from '../auth/credentials.ts'
import { assertStanding } from '../auth/standing.ts'
import type { Deps } from '../deps.ts'

/** Who is asking, and what the answer says of how they were counted. */
export interface CountedCaller extends Caller {
  readonly limitHeaders: HeaderPairs
}

/**
 * Who the credentials of a request belong to.
 *
 * @param client What the client is counted by; undefined where it is not.
 * @throws incorrect_password, rest_too_many_requests
 */
export async function callerOf(
  deps: Deps,
  client: string | undefined,
  credentials: Credentials | undefined,
): Promise<CountedCaller> {
  const caller = credentials
    ? await guessed(deps, { client, target: targetOf(credentials) }, () => authenticate(deps, credentials))
    : await authenticate(deps, undefined)
  const { actor } = caller
  if (actor.kind === 'user') updateRequestTrace({ userId: actor.id })
  return { ...caller, limitHeaders: actor.kind === 'user' ? deps.limits.headersForUser(client, actor.id) : {} }
}

/** A token alone names nobody: it is counted for its client only. */
function targetOf(credentials: Credentials): string | undefined {
  return credentials.kind === 'basic' ? credentials.login : undefined
}

/**
 * Does what takes credentials. Wrong ones are counted for the client and for what they are to open, and after too many
 * even right ones are refused: else their acceptance would tell that they are right.
 *
 * @throws rest_too_many_requests, and what `work` throws
 */
export async function guessed<T>(
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

/** A request as far as its writes tell of it. */
export interface Asked {
  /** Whether it is content with what a replica has. */
  readonly isReading: boolean
  /** Address of the client; forwarded headers count only from a trusted proxy. */
  readonly address: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The same with the storage as this request uses it. What a write reads, before and after, is read where it writes. */
export function depsFor(deps: Deps, caller: Caller, { isReading, address, headers }: Asked): Deps {
  const { actor, lastRevision } = caller
  const userId = actor.kind === 'user' ? actor.id : undefined
  // What did not come over a connection has none of ours.
  const requestId = currentRequestTrace()?.id ?? requestIdIn(headers['x-request-id'])
  const origin = { via: 'http', userId, address, requestId } as const
  const storage = deps.storage.forRequest({
    ...{ origin, lastRevision, isReading },
    beforeWrite: (tx) => assertStanding(tx, caller, deps.now()),
  })
  return { ...deps, storage }
}

/** The name that a proxy or client gave the request, where it is one that can be looked for in their logs. */
function requestIdIn(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}
