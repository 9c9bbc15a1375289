import type { IncomingMessage } from 'node:http'
import { unmatchedRoute } from '../../base/monitoring/request.trace.ts'
import { isText, isWithoutSecret, withVaryByEncoding } from '../http/answers/content.coding.ts'
import { type CachedResponse, cachedResponse, isFresh, type ResponseStore } from '../http/answers/response.store.ts'
import { withSharing } from '../http/answers/shared.cache.ts'
import type { WireResponse } from '../http/wire.ts'

/** A response that may be reused, or a response to this request only. */
type MadeResponse =
  | { readonly cached: CachedResponse; readonly response?: undefined }
  | { readonly cached?: undefined; readonly response: WireResponse }

/** A request without a cached response. */
interface MissedRequest {
  readonly key: string | undefined
  readonly revision: number | undefined
  readonly request: IncomingMessage
}

/**
 * Makes the response to a request that is not cached, and stores it if that is allowed. Of concurrent requests for the
 * same response one makes it, and the others wait. Otherwise all of them would make it at once after a write.
 *
 * @param make Makes the response for this request alone.
 */
export type Coalesce = (missed: MissedRequest, make: () => Promise<WireResponse>) => Promise<MadeResponse>

/** The store of the responses and the conditions for storing. */
interface CoalescingParts {
  readonly store: Pick<ResponseStore, 'save'>
  readonly now: () => number
  /** True if responses are also sent in codings. */
  readonly isCoding: boolean
  /** True if shared caches may store responses too. */
  readonly isSharing: boolean
}

export function coalesceRequests(parts: CoalescingParts): Coalesce {
  /** Responses that are being made now, by key. */
  const making = new Map<string, { readonly revision: number; readonly made: Promise<MadeResponse> }>()
  return async ({ key, revision, request }, make) => {
    if (key === undefined || revision === undefined) return { response: await make() }
    const other = making.get(key)
    // A response that is being made from the same revision can be shared, if it is still fresh when it is ready.
    if (other?.revision === revision) {
      const cached = await other.made.then(
        (made) => made.cached,
        () => undefined,
      )
      if (cached && isFresh(cached, revision, parts.now())) return { cached }
      return { response: await make() }
    }
    const entry = { revision, made: makeAndStore(parts, { key, request }, make) }
    making.set(key, entry)
    try {
      return await entry.made
    } finally {
      if (making.get(key) === entry) making.delete(key)
    }
  }
}

async function makeAndStore(
  { store, now, isCoding, isSharing }: CoalescingParts,
  { key, request }: { readonly key: string; readonly request: IncomingMessage },
  make: () => Promise<WireResponse>,
): Promise<MadeResponse> {
  const madeAt = now()
  const response = await make()
  const { cacheable, headers, version, route = unmatchedRoute } = response
  if (!cacheable) return { response }
  // A response that no later second changes does not depend on the time at all.
  const freshFrom = cacheable.freshUntil === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : madeAt
  const isCodable = isCoding && isText(headers['Content-Type'], headers['Cache-Control']) && isWithoutSecret(request)
  const shared = isSharing ? withSharing(headers) : headers
  const content = {
    headers: isCodable ? withVaryByEncoding(shared) : shared,
    body: typeof response.body === 'string' ? Buffer.from(response.body) : response.body,
    ...{ version, isCodable },
  }
  const cached = cachedResponse(content, { ...cacheable, route, freshFrom })
  store.save(key, cached)
  return { cached }
}
