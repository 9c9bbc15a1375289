import type { IncomingMessage } from 'node:http'
import { unmatchedRoute } from '../../base/monitoring/request.trace.ts'
import { isText, isWithoutSecret, varyingByCoding } from '../http/coding.ts'
import { type CachedResponse, cachedResponse, isFresh, type ResponseStore } from '../http/response.store.ts'
import type { WireResponse } from '../http/wire.ts'

/** A response that may be given again, or one to this request only. */
type MadeResponse =
  | { readonly cached: CachedResponse; readonly response?: undefined }
  | { readonly cached?: undefined; readonly response: WireResponse }

/** A request for which nothing is cached. */
interface MissedRequest {
  readonly key: string | undefined
  readonly revision: number | undefined
  readonly request: IncomingMessage
}

/**
 * Makes the response to a request for which nothing is cached, and stores it where it may be. Of many requests that ask the
 * same at the same time one has it made, and the others wait: after a write they would all make it at once.
 *
 * @param make Makes it for this request alone.
 */
export type Coalesce = (missed: MissedRequest, make: () => Promise<WireResponse>) => Promise<MadeResponse>

/** What responses are stored in, and when. */
interface CoalescingParts {
  readonly store: Pick<ResponseStore, 'save'>
  readonly now: () => number
  /** Whether responses are also sent in codings. */
  readonly isCoding: boolean
}

export function coalesceRequests(parts: CoalescingParts): Coalesce {
  /** What is being made now, by key. */
  const making = new Map<string, { readonly revision: number; readonly made: Promise<MadeResponse> }>()
  return async ({ key, revision, request }, make) => {
    if (key === undefined || revision === undefined) return { response: await make() }
    const other = making.get(key)
    // It is made from a state that is no older than the one this request has seen, and by a clock that shows the same.
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
  { store, now, isCoding }: CoalescingParts,
  { key, request }: { readonly key: string; readonly request: IncomingMessage },
  make: () => Promise<WireResponse>,
): Promise<MadeResponse> {
  const madeAt = now()
  const response = await make()
  const { kept, headers, route = unmatchedRoute } = response
  if (!kept) return { response }
  // What no later second changes none changes at all.
  const freshFrom = kept.freshUntil === Number.POSITIVE_INFINITY ? Number.NEGATIVE_INFINITY : madeAt
  const isCodable = isCoding && isText(headers['Content-Type'], headers['Cache-Control']) && isWithoutSecret(request)
  const content = {
    headers: isCodable ? varyingByCoding(headers) : headers,
    body: Buffer.from(response.body),
    isCodable,
  }
  const cached = cachedResponse(content, { ...kept, route, freshFrom })
  store.save(key, cached)
  return { cached }
}
