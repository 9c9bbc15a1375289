import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Config } from '../../base/config/config.ts'
import { hasSessionCookie } from '../auth/session.cookie.ts'
import type { Coding } from './accept.encoding.ts'
import type { Headers } from './headers.ts'
import type { FindSite } from './site.ts'
import { isStrictlyHandled } from './told.ts'

/** One form of an answer, ready to be sent. */
export interface KeptForm {
  /** A strong validator of these bytes (RFC 9110, 8.8.3). */
  readonly etag: string
  /** All headers that are sent with the body. */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** An answer as it is sent again, byte by byte. */
export interface KeptAnswer extends KeptForm {
  /** The state of the content that it was made of. */
  readonly revision: number
  /** The pattern of the address that it answers. */
  readonly route: string
  /** The first and the last second, since 1970, at which it would be made the same: clocks are also put back. */
  readonly freshFrom: number
  readonly freshUntil: number
  /** Headers of an answer without the body: all but its validator. */
  readonly headersAlone: readonly string[]
  /** Its coded forms, as they are asked for; undefined where it is never coded. */
  readonly coded: Map<Coding, KeptForm | Promise<KeptForm>> | undefined
}

/** Answers to visitors by what was asked, the ones that were asked for longest ago out first. */
export interface Memory {
  find(key: string): KeptAnswer | undefined
  keep(key: string, answer: KeptAnswer): void
  forget(key: string): void
  /** Counts a form more of an answer, where that one is still kept. */
  grow(key: string, answer: KeptAnswer, form: KeptForm): void
  /** How many answers there are, and what they take in about. */
  size(): { readonly answers: number; readonly bytes: number }
}

/** What an entry takes beside its texts, in about. */
const entryBytes = 500

export function createMemory(mostBytes: number): Memory {
  const entries = new Map<string, { readonly answer: KeptAnswer; bytes: number }>()
  let bytes = 0
  const forget = (key: string) => {
    const known = entries.get(key)
    if (!known) return
    entries.delete(key)
    bytes -= known.bytes
  }
  const makeRoom = () => {
    for (const oldest of entries.keys()) {
      if (bytes <= mostBytes) break
      forget(oldest)
    }
  }
  return {
    find: (key) => {
      const found = entries.get(key)
      if (!found) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found.answer
    },
    keep: (key, answer) => {
      forget(key)
      const size = 2 * key.length + sizeOf(answer)
      if (size > mostBytes / 8) return
      entries.set(key, { answer, bytes: size })
      bytes += size
      makeRoom()
    },
    forget,
    grow: (key, answer, form) => {
      const entry = entries.get(key)
      if (entry?.answer !== answer) return
      const size = sizeOf(form)
      entry.bytes += size
      bytes += size
      makeRoom()
    },
    size: () => ({ answers: entries.size, bytes }),
  }
}

function sizeOf({ body, headers }: KeptForm): number {
  return body.length + entryBytes + headers.length
}

/** Headers that make the same address answer otherwise, under these settings. */
function varyingHeaders(config: Config): readonly string[] {
  return [
    ...(config.corsOrigins.length > 0 ? ['origin'] : []),
    ...(config.usesAcceptLanguage ? ['accept-language'] : []),
  ]
}

/** Headers that make an answer one to this request only. */
const ownHeaders = [
  'authorization',
  'x-wp-nonce',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
] as const

/**
 * Names what a request asks for, and of which site; undefined where its answer is for nobody else. HEAD asks for the same
 * as GET (RFC 9110, 9.3.2).
 */
export function keyFor(config: Config, findSite: FindSite): (request: IncomingMessage) => string | undefined {
  const varying = varyingHeaders(config)
  return (request) => {
    const { method, url, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return undefined
    for (const name of ownHeaders) if (headers[name] !== undefined) return undefined
    if (headers.cookie !== undefined && hasSessionCookie(headers.cookie)) return undefined
    let key = `${url}\n${findSite(request)}`
    if (isStrictlyHandled(headers.prefer as string | undefined)) key += '\nstrict'
    for (const name of varying) key += `\n${headers[name] ?? ''}`
    return key
  }
}

/** An answer with all that is sent of it made ready. */
export function answerToKeep(
  { headers, body, isCodable }: { readonly headers: Headers; readonly body: Buffer; readonly isCodable: boolean },
  { revision, route, freshFrom, freshUntil }: Pick<KeptAnswer, 'revision' | 'route' | 'freshFrom' | 'freshUntil'>,
): KeptAnswer {
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
    headers: headersOf(headersAlone, etag, type, body),
    body,
    coded: isCodable ? new Map() : undefined,
  }
}

/** The same answer in a coding. */
export function codedForm({ etag, headersAlone, headers }: KeptAnswer, coding: Coding, body: Buffer): KeptForm {
  const own = etagIn(etag, coding)
  const type = headers[headers.indexOf('Content-Type') + 1] ?? ''
  return { etag: own, headers: [...headersOf(headersAlone, own, type, body), 'Content-Encoding', coding], body }
}

function headersOf(others: readonly string[], etag: string, type: string, body: Buffer): readonly string[] {
  return [...others, 'ETag', etag, 'Content-Type', type, 'Content-Length', String(body.length)]
}

/** Whether this answer would be made the same at this second, of content in this state. */
export function isTrueAt({ revision, freshFrom, freshUntil }: KeptAnswer, state: number, second: number): boolean {
  return revision === state && freshFrom <= second && second <= freshUntil
}

export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
}

/** The validator of an answer in this coding: no two forms have the same (RFC 9110, 8.8.3.3). */
export function etagIn(etag: string, coding: Coding): string {
  return etag.replace(/"$/, `-${coding}"`)
}

/** A validator without the mark of a weak one. */
function opaqueOf(etag: string): string {
  return etag.replace(/^W\//, '')
}

/** Whether `If-None-Match` names this validator; weak ones count as well there (RFC 9110, 13.1.2). */
export function isNamed(etag: string, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const opaque = opaqueOf(etag)
  return ifNoneMatch.split(',').some((tag) => opaqueOf(tag.trim()) === opaque)
}
