import { parseBasic } from '../auth/credentials.ts'
import { authenticate, type Caller } from '../auth/user.service.ts'
import type { Deps } from '../deps.ts'
import type { HeaderPairs } from '../limits/limits.ts'
import { Problem } from '../problems.ts'

/** Who is asking, and what the answer says of how they were counted. */
export interface CountedCaller extends Caller {
  readonly limitHeaders: HeaderPairs
}

/**
 * Who the credentials of a request belong to. Wrong ones are counted for the client and for the login, and after too many
 * even right ones are refused: else their acceptance would tell that they are right.
 *
 * @param client What the client is counted by; undefined where it is not.
 * @throws incorrect_password, rest_too_many_requests
 */
export async function callerOf(
  deps: Deps,
  client: string | undefined,
  authorization: string | undefined,
): Promise<CountedCaller> {
  const credentials = parseBasic(authorization)
  if (credentials) deps.limits.credentials.assertAllowed(client, credentials.login)
  try {
    const caller = await authenticate(deps, credentials)
    const { actor } = caller
    return { ...caller, limitHeaders: actor.kind === 'user' ? deps.limits.headersForUser(client, actor.id) : {} }
  } catch (error) {
    const isWrong = error instanceof Problem && error.code === 'incorrect_password'
    if (isWrong && credentials) deps.limits.credentials.countWrong(client, credentials.login)
    throw error
  }
}
