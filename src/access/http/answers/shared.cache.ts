import type { IncomingMessage } from 'node:http'
import type { Config } from '../../../base/config/config.ts'
import { type Headers, joinHeaders } from './headers.ts'
import type { CachedResponse } from './response.store.ts'

/** The surrogate key of all answers that shared caches may store. Each write may change any of them. */
export const surrogateKey = 'calendar'

/** How long a shared cache may answer while it asks for the new answer, and while the service fails. */
const whileStale = 'stale-while-revalidate=10, stale-if-error=600'

/** A cache that does not know these fields would give users what visitors see. */
const sharingHeaders: Headers = { 'Cache-Tag': surrogateKey, xkey: surrogateKey, Vary: 'Authorization, Cookie' }

const unshared: Headers = { 'Cache-Control': 'private, no-cache' }

/** Returns the header fields of a response to one client: some shared caches would store it, also with “no-cache”. */
export function unsharedHeaders({ sharedCacheSeconds }: Config, headers: Headers): Headers {
  const own = headers['Cache-Control'] ?? 'no-cache'
  return sharedCacheSeconds === 0 || own !== 'no-cache' ? headers : { ...headers, ...unshared }
}

/** Returns the header fields of a response that shared caches may store, except for the time. */
export function withSharing({ 'Cache-Control': _own, ...headers }: Headers): Headers {
  return joinHeaders(headers, sharingHeaders)
}

/** Returns the header fields that say how long a shared cache may store a response, as alternating names and values. */
export type TellSharing = (
  response: Pick<CachedResponse, 'freshUntil'>,
  request: Pick<IncomingMessage, 'headers'>,
) => readonly string[]

/** Only the response cache decides what may be stored (`cache.key.ts`), so only its responses are passed. */
export function createSharing({ sharedCacheSeconds }: Config, now: () => number): TellSharing {
  if (sharedCacheSeconds === 0) return () => []
  const ofOne = Object.entries(unshared).flat()
  return ({ freshUntil }, { headers }) => {
    if (headers.cookie !== undefined) return ofOne
    const seconds = Math.max(0, Math.min(sharedCacheSeconds, freshUntil - now()))
    return ['Cache-Control', `public, max-age=0, s-maxage=${seconds}, ${whileStale}`]
  }
}
