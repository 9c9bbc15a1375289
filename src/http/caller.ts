import type { Caller } from '../auth/user.service.ts'
import type { Deps } from '../deps.ts'

/** A request as far as its writes tell of it. */
export interface Asked {
  readonly method: string
  /** Address of the client; forwarded headers count only from a trusted proxy. */
  readonly address: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The same with the storage as this request uses it. What a write reads, before and after, is read where it writes. */
export function depsFor(deps: Deps, { actor, lastRevision }: Caller, { method, address, headers }: Asked): Deps {
  const userId = actor.kind === 'user' ? actor.id : undefined
  const origin = { via: 'http', userId, address, requestId: requestIdIn(headers['x-request-id']) } as const
  const isReading = method === 'GET' || method === 'OPTIONS'
  return { ...deps, storage: deps.storage.forRequest({ origin, lastRevision, isReading }) }
}

/** The name that a proxy or client gave the request, where it is one that can be looked for in their logs. */
function requestIdIn(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' && /^[\x21-\x7e]{1,128}$/.test(header) ? header : undefined
}
