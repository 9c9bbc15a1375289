import { authenticate, type Caller, credentialFailures } from '../auth/authentication.ts'
import type { Credentials } from '../auth/credentials.ts'
import type { Deps } from '../deps.ts'
import type { HeaderPairs } from '../limits/limits.ts'
import { note } from '../monitoring/seen.ts'
import { Problem } from '../problems.ts'

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
    ? await guessed(deps, client, targetOf(credentials), () => authenticate(deps, credentials))
    : await authenticate(deps, undefined)
  const { actor } = caller
  if (actor.kind === 'user') note({ userId: actor.id })
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
  client: string | undefined,
  target: string | undefined,
  work: () => Promise<T>,
): Promise<T> {
  limits.credentials.assertAllowed(client, target)
  try {
    return await work()
  } catch (error) {
    if (error instanceof Problem && credentialFailures.has(error.code)) limits.credentials.countWrong(client, target)
    throw error
  }
}
