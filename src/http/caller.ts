import { authenticate, type Caller, credentialFailures } from '../auth/authentication.ts'
import type { Credentials } from '../auth/credentials.ts'
import type { Deps } from '../deps.ts'
import type { HeaderPairs } from '../limits/limits.ts'
import { Problem } from '../problems.ts'

/** Who is asking, and what the answer says of how they were counted. */
export interface CountedCaller extends Caller {
  readonly limitHeaders: HeaderPairs
}

/**
 * Who the credentials of a request belong to, counted.
 *
 * @param client What the client is counted by; undefined where it is not.
 * @throws incorrect_password, rest_too_many_requests
 */
export async function callerOf(
  deps: Deps,
  client: string | undefined,
  credentials: Credentials | undefined,
): Promise<CountedCaller> {
  if (!credentials) return { ...(await authenticate(deps, credentials)), limitHeaders: {} }
  const login = credentials.kind === 'basic' ? credentials.login : undefined
  const caller = await guessed({ deps, client }, login, () => authenticate(deps, credentials))
  const { actor } = caller
  return { ...caller, limitHeaders: actor.kind === 'user' ? deps.limits.headersForUser(client, actor.id) : {} }
}

/**
 * Tries credentials. Wrong ones are counted for the client and for the login, and after too many even right ones are
 * refused: else their acceptance would tell that they are right.
 *
 * @param login Undefined where they name none.
 * @throws rest_too_many_requests, and what `attempt` throws.
 */
export async function guessed<T>(
  { deps, client }: { readonly deps: Deps; readonly client: string | undefined },
  login: string | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  const { credentials } = deps.limits
  credentials.assertAllowed(client, login)
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Problem && credentialFailures.has(error.code)) credentials.countWrong(client, login)
    throw error
  }
}
