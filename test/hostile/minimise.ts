import type { WireRequest } from './wire.ts'

/** The maximum of tries for one finding. */
export interface TryBudget {
  tries: number
}

/**
 * Returns the smallest request that still fails: leaves out headers, credentials, and pieces of its body and its target
 * while the request fails.
 */
export async function minimise(
  request: WireRequest,
  fails: (request: WireRequest) => Promise<boolean>,
  patience: TryBudget,
): Promise<WireRequest> {
  let least = request
  const attempt = async (candidate: WireRequest): Promise<boolean> => {
    if (patience.tries-- <= 0 || !(await fails(candidate))) return false
    least = candidate
    return true
  }
  for (const header of request.headers) {
    await attempt({ ...least, headers: least.headers.filter((other) => other !== header) })
  }
  const { as: _nobody, ...asVisitor } = least
  if (least.as) await attempt(asVisitor)
  const { isReadLate, ...isReadAtOnce } = least
  if (isReadLate) await attempt(isReadAtOnce)
  for (const part of ['body', 'target'] as const) {
    const shortened = await leastOf(
      [...least[part]],
      async (characters) => attempt({ ...least, [part]: characters.join('') }),
      patience,
    )
    least = { ...least, [part]: shortened.join('') }
  }
  return least
}

/** Returns the smallest list that still fails: leaves out halves first, then ever smaller pieces. */
export async function leastOf<T>(
  list: readonly T[],
  fails: (shorter: readonly T[]) => Promise<boolean>,
  patience: TryBudget,
): Promise<readonly T[]> {
  let least = list
  for (let size = Math.ceil(list.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < least.length; ) {
      if (patience.tries <= 0) return least
      const shorter = [...least.slice(0, at), ...least.slice(at + size)]
      if (await fails(shorter)) least = shorter
      else at += size
    }
  }
  return least
}
