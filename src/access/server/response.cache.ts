import type { IncomingMessage, ServerResponse } from 'node:http'
import { cacheBudgets } from '../../base/config/config.ts'
import type { Exchange } from '../../base/monitoring/request.trace.ts'
import { isUnavailable } from '../../storage/database/unavailable.ts'
import type { Deps } from '../deps.ts'
import { createCacheKey } from '../http/answers/cache.key.ts'
import type { ContentEncoder } from '../http/answers/content.encoder.ts'
import {
  type CachedForm,
  type CachedResponse,
  createResponseStore,
  isFresh,
  type ResponseStore,
} from '../http/answers/response.store.ts'
import { createSharing, type TellSharing } from '../http/answers/shared.cache.ts'
import type { FindSite } from '../http/site.ts'
import { type Coalesce, coalesceRequests } from './request.coalescing.ts'
import { serverTiming } from './request.tracing.ts'
import { createFormSelector, type SelectForm, type SentForm, type StoredResponse } from './response.forms.ts'
import type { UnreadLimit } from './unread.limit.ts'

export interface CacheLookup {
  /** The cache key of the request; undefined if its response is not cached. */
  readonly key: string | undefined
  /** The revision of the content at the time of the lookup. */
  readonly revision: number | undefined
  /** The cached response, if there is a fresh one. */
  readonly response: CachedResponse | undefined
}

interface CacheableRequest extends Exchange {
  /** Headers for this client only, as alternating names and values. */
  readonly headers: readonly string[]
}

export interface ResponseCacheParts {
  readonly findSite: FindSite
  readonly unread: UnreadLimit
  readonly coder?: ContentEncoder | undefined
}

/**
 * The cached responses to visitors. A response is fresh while the content has the revision that it was made from, and
 * until the time that it depends on. So no response is older than the last acknowledged write of any process.
 */
export interface ResponseCache extends Pick<ResponseStore, 'size'> {
  /** Looks up the cached response to a request. Returns synchronously if the response to it is never cached. */
  lookup(request: IncomingMessage): CacheLookup | Promise<CacheLookup>
  /**
   * Answers from the cache, before anything else examines the request.
   *
   * @returns false if the cache cannot answer.
   */
  answer(asked: CacheableRequest): boolean | Promise<boolean>
  readonly selectForm: SelectForm
  readonly tellSharing: TellSharing
  readonly coalesce: Coalesce
}

export function createResponseCache(deps: Deps, { findSite, unread, coder }: ResponseCacheParts): ResponseCache {
  const { config, now } = deps
  const store = createResponseStore(cacheBudgets(config).answers)
  const selectForm = createFormSelector(store, coder)
  const misses = new WeakMap<IncomingMessage, CacheLookup>()
  const find = createFinder(deps, findSite, store)
  const lookup = (request: IncomingMessage) => misses.get(request) ?? find(request)
  const tellSharing = createSharing(config, now)
  const send = createSender({ selectForm, tellSharing, unread, hasTiming: config.sendsServerTiming })
  const answer = ({ key, revision, response }: CacheLookup, asked: CacheableRequest): boolean | Promise<boolean> => {
    if (response) return send({ key, response }, asked)
    if (key !== undefined) {
      asked.trace.memory = 'miss'
      misses.set(asked.request, { key, revision, response })
    }
    return false
  }
  return {
    lookup,
    answer: (asked) => {
      const found = lookup(asked.request)
      if (!(found instanceof Promise)) return answer(found, asked)
      return found.then(
        (known) => answer(known, asked),
        () => false,
      )
    },
    ...{ selectForm, tellSharing },
    coalesce: coalesceRequests({
      ...{ store, now, isCoding: coder !== undefined },
      isSharing: config.sharedCacheSeconds > 0,
    }),
    size: store.size,
  }
}

/** While the primary is away, a replica may answer. */
const uncachedWhileAway = (error: unknown): CacheLookup => {
  if (isUnavailable(error)) return uncached
  throw error
}

const uncached: CacheLookup = { key: undefined, revision: undefined, response: undefined }

/** Returns a function that finds the stored response to a request, if it is still fresh. */
function createFinder({ config, storage, now }: Deps, findSite: FindSite, store: ResponseStore) {
  const keyOf = config.cacheMegabytes === 0 ? () => undefined : createCacheKey(config, findSite)
  const find = (key: string, revision: number): CacheLookup => {
    const response = store.find(key)
    if (response && isFresh(response, revision, now())) return { key, revision, response }
    if (response) store.remove(key)
    return { key, revision, response: undefined }
  }
  return (request: IncomingMessage): CacheLookup | Promise<CacheLookup> => {
    const key = keyOf(request)
    return key === undefined ? uncached : storage.revision().then((revision) => find(key, revision), uncachedWhileAway)
  }
}

interface SenderParts extends Pick<ResponseCache, 'selectForm' | 'tellSharing'> {
  readonly unread: UnreadLimit
  /** True if responses report how long they took. */
  readonly hasTiming: boolean
}

/** Returns a function that sends a stored response to a client without the framework. */
function createSender({ selectForm, tellSharing, unread, hasTiming }: SenderParts) {
  const sendForm = (
    form: SentForm,
    sharing: readonly string[],
    { request, response, headers, trace }: CacheableRequest,
  ): true => {
    if (response.destroyed) return true
    const timing = hasTiming ? ['Server-Timing', serverTiming(trace)] : []
    const own = headers.concat(sharing, timing)
    if (form.body === undefined) {
      response.writeHead(304, form.headers.concat(own)).end()
      return true
    }
    unread.makeRoom(response, form.body.length)
    writeStoredHead(response, form, own)
    response.end(request.method === 'HEAD' ? undefined : form.body)
    return true
  }
  return (stored: StoredResponse, asked: CacheableRequest): boolean | Promise<boolean> => {
    asked.trace.memory = 'hit'
    asked.trace.route = stored.response.route
    const form = selectForm(stored, asked.request)
    const sharing = tellSharing(stored.response, asked.request)
    return form instanceof Promise
      ? form.then((made) => sendForm(made, sharing, asked))
      : sendForm(form, sharing, asked)
  }
}

/** What `writeHead` of Node calls. It adds the lines of `headers`, of the date and of the connection to those of `lines`. */
interface HeadWriter {
  readonly _storeHeader?: (lines: string, headers: readonly string[]) => void
}

/**
 * Writes the head of a response from the cache. `writeHead` would check and write some twenty headers again for each
 * response, which takes a tenth of its time.
 *
 * @param own Headers for this client only, as alternating names and values.
 */
function writeStoredHead(response: ServerResponse, { headers, headerLines, body }: CachedForm, own: readonly string[]) {
  const writer = response as HeadWriter
  if (!writer._storeHeader) return void response.writeHead(200, headers.concat(own))
  response.statusCode = 200
  // Node must know the length, or it would send the body in chunks.
  writer._storeHeader(`HTTP/1.1 200 OK\r\n${headerLines}`, ['Content-Length', String(body.length), ...own])
}
