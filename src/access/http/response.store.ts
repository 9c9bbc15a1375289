import { LRUCache } from 'lru-cache'
import type { Coding } from './accept.encoding.ts'
import { codedEtag, etagOf } from './etag.ts'
import type { Headers } from './headers.ts'

/** One form of a cached response, ready to send. */
export interface CachedForm {
  /** A strong validator of these bytes (RFC 9110, 8.8.3). */
  readonly etag: string
  /** All headers that are sent with the body: names and values in turns. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** A response that is sent again, byte by byte. */
export interface CachedResponse extends CachedForm {
  /** The state of the content that it was made from. */
  readonly revision: number
  /** The pattern of the address that it answers. */
  readonly route: string
  /** The first and the last second, since 1970, at which it would be made the same: clocks are also put back. */
  readonly freshFrom: number
  readonly freshUntil: number
  /** Headers of an answer without the body: all but its validator. */
  readonly headersAlone: readonly string[]
  /** Its coded forms, as they are asked for; undefined where it is never coded. */
  readonly coded: Map<Coding, CachedForm | Promise<CachedForm>> | undefined
}

/** Cached responses by key. The least recently used ones are dropped first. */
export interface ResponseStore {
  find(key: string): CachedResponse | undefined
  save(key: string, response: CachedResponse): void
  remove(key: string): void
  /** Counts the bytes of a coded form that was added to a response, if the response is still stored. */
  addForm(key: string, response: CachedResponse, form: CachedForm): void
  /** How many responses there are, and about how many bytes they take. */
  size(): { readonly answers: number; readonly bytes: number }
}

/** What an entry takes beside its texts, in about. */
const entryBytes = 500
/** One response takes at most this part of the store. */
const largestShare = 1 / 8

/** An entry of the store. One that grows is replaced: the cache notes a new size only with a new value. */
interface Entry {
  readonly response: CachedResponse
  readonly bytes: number
}

export function createResponseStore(maxBytes: number): ResponseStore {
  const entries = new LRUCache<string, Entry>({
    // A cache of size 0 is not a valid one. In a cache of size 1 nothing fits.
    maxSize: Math.max(1, Math.floor(maxBytes)),
    sizeCalculation: ({ bytes }) => bytes,
  })
  return {
    find: (key) => entries.get(key)?.response,
    save: (key, response) => {
      const bytes = 2 * key.length + sizeOf(response)
      if (bytes > maxBytes * largestShare) entries.delete(key)
      else entries.set(key, { response, bytes })
    },
    remove: (key) => void entries.delete(key),
    addForm: (key, response, form) => {
      const entry = entries.peek(key)
      if (entry?.response === response) entries.set(key, { response, bytes: entry.bytes + sizeOf(form) })
    },
    size: () => ({ answers: entries.size, bytes: entries.calculatedSize }),
  }
}

function sizeOf({ body, headers }: CachedForm): number {
  return body.length + entryBytes + headers.length
}

/** A response with all that is sent of it made ready. */
export function cachedResponse(
  { headers, body, isCodable }: { readonly headers: Headers; readonly body: Buffer; readonly isCodable: boolean },
  { revision, route, freshFrom, freshUntil }: Pick<CachedResponse, 'revision' | 'route' | 'freshFrom' | 'freshUntil'>,
): CachedResponse {
  const etag = etagOf(body)
  const { 'Content-Type': type = '', ...others } = headers
  const headersAlone = Object.entries(others).flat()
  return {
    revision,
    route,
    freshFrom,
    freshUntil,
    etag,
    headersAlone,
    headers: [...headersAlone, ...bodyHeaders(etag, type, body)],
    body,
    coded: isCodable ? new Map() : undefined,
  }
}

/** The same response in a coding. */
export function codedForm({ etag, headersAlone, headers }: CachedResponse, coding: Coding, body: Buffer): CachedForm {
  const own = codedEtag(etag, coding)
  const type = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return { etag: own, headers: [...headersAlone, ...bodyHeaders(own, type, body), 'Content-Encoding', coding], body }
}

function bodyHeaders(etag: string, type: string, body: Buffer): readonly string[] {
  return ['ETag', etag, 'Content-Type', type, 'Content-Length', String(body.length)]
}

/** Whether this response would be made the same at this second, from content in this state. */
export function isFresh(
  { revision, freshFrom, freshUntil }: CachedResponse,
  currentRevision: number,
  second: number,
): boolean {
  return revision === currentRevision && freshFrom <= second && second <= freshUntil
}
