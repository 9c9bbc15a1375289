import { validateHeaderName, validateHeaderValue } from 'node:http'
import { LRUCache } from 'lru-cache'
import type { Coding } from './accept.encoding.ts'
import { codedEtag, etagOf } from './etag.ts'
import type { Headers } from './headers.ts'

/** One form of a cached response, ready to send. */
export interface CachedForm {
  /** A strong validator of these bytes (RFC 9110, 8.8.3). */
  readonly etag: string
  /** All headers that are sent with the body, as alternating names and values. */
  readonly headers: readonly string[]
  /** The same headers as they are on the wire, except for the length of the body. */
  readonly headerLines: string
  readonly body: Buffer
}

/** A response that is sent repeatedly, byte by byte the same. */
export interface CachedResponse extends CachedForm {
  /** The revision of the content that it was made from. */
  readonly revision: number
  /** The address pattern of its route. */
  readonly route: string
  /**
   * The first and the last second since 1970 at which it is valid. The first one matters because clocks can be set
   * back.
   */
  readonly freshFrom: number
  readonly freshUntil: number
  readonly lastModified: string | undefined
  /** Headers of a response without the body: all except the validator. */
  readonly headersAlone: readonly string[]
  /** Its coded forms, each added when first requested; undefined if it is never coded. */
  readonly coded: Map<Coding, CachedForm | Promise<CachedForm>> | undefined
}

/** Cached responses by key. The least recently used ones are dropped first. */
export interface ResponseStore {
  find(key: string): CachedResponse | undefined
  save(key: string, response: CachedResponse): void
  remove(key: string): void
  /** Adds the bytes of a coded form to the size of a response, if the response is still stored. */
  addForm(key: string, response: CachedResponse, form: CachedForm): void
  /** The number of responses, and approximately the bytes that they take. */
  size(): { readonly answers: number; readonly bytes: number }
}

/** The approximate overhead of an entry besides its texts, in bytes. */
const entryBytes = 500
/** The largest share of the store that one response may take. */
const largestShare = 1 / 8

/** An entry of the store. An entry that grows is replaced: the cache updates the size only for a new value. */
interface Entry {
  readonly response: CachedResponse
  readonly bytes: number
}

export function createResponseStore(maxBytes: number): ResponseStore {
  const entries = new LRUCache<string, Entry>({
    // A cache of size 0 is not valid. In a cache of size 1 nothing fits.
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

function sizeOf({ body, headerLines }: CachedForm): number {
  return body.length + entryBytes + headerLines.length
}

interface CacheableContent {
  readonly headers: Headers
  readonly body: Buffer
  /** The version of the record, if it shows one. */
  readonly version?: number | undefined
  readonly isCodable: boolean
}

/** Returns a response with everything prepared that is sent with it. */
export function cachedResponse(
  { headers, body, version, isCodable }: CacheableContent,
  { revision, route, freshFrom, freshUntil }: Pick<CachedResponse, 'revision' | 'route' | 'freshFrom' | 'freshUntil'>,
): CachedResponse {
  const etag = etagOf(body, version)
  const { 'Content-Type': type = '', ...others } = headers
  const headersAlone = Object.entries(others).flat()
  return {
    revision,
    route,
    freshFrom,
    freshUntil,
    lastModified: headers['Last-Modified'],
    headersAlone,
    ...cachedForm(etag, [...headersAlone, 'ETag', etag, 'Content-Type', type], body),
    coded: isCodable ? new Map() : undefined,
  }
}

/** Returns the same response in a coding. */
export function codedForm({ etag, headersAlone, headers }: CachedResponse, coding: Coding, body: Buffer): CachedForm {
  const own = codedEtag(etag, coding)
  const type = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return cachedForm(own, [...headersAlone, 'ETag', own, 'Content-Type', type, 'Content-Encoding', coding], body)
}

function cachedForm(etag: string, described: readonly string[], body: Buffer): CachedForm {
  const headers = [...described, 'Content-Length', String(body.length)]
  return { etag, headers, headerLines: headerLinesOf(described), body }
}

/** Checks the headers as Node does for each response, and returns them as they are on the wire. */
function headerLinesOf(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    validateHeaderName(name)
    validateHeaderValue(name, value)
    lines += `${name}: ${value}\r\n`
  }
  // As one text: Node would put together the parts again for each response.
  return Buffer.from(lines, 'latin1').toString('latin1')
}

/** Returns true if this response is valid at this second, for content of this revision. */
export function isFresh(
  { revision, freshFrom, freshUntil }: CachedResponse,
  currentRevision: number,
  second: number,
): boolean {
  return revision === currentRevision && freshFrom <= second && second <= freshUntil
}
