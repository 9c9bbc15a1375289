import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { hasSessionCookie } from '../auth/session.cookie.ts'
import type { Config } from '../config/config.ts'
import type { Headers } from './headers.ts'
import type { FindSite } from './site.ts'
import { isStrictlyHandled } from './told.ts'

/** An answer as it is sent again, byte by byte. */
export interface KeptAnswer {
  /** The state of the content that it was made of. */
  readonly revision: number
  /** The pattern of the address that it answers. */
  readonly route: string
  /** The first and the last second, since 1970, at which it would be made the same: clocks are also put back. */
  readonly freshFrom: number
  readonly freshUntil: number
  /** A strong validator of the body (RFC 9110, 8.8.3). */
  readonly etag: string
  /** All headers: with the body, and those of an answer without it. */
  readonly headers: readonly string[]
  readonly headersAlone: readonly string[]
  readonly body: Buffer
}

/** Answers to visitors by what was asked, the ones that were asked for longest ago out first. */
export interface Memory {
  find(key: string): KeptAnswer | undefined
  keep(key: string, answer: KeptAnswer): void
  forget(key: string): void
  /** How many answers there are, and what they take in about. */
  size(): { readonly answers: number; readonly bytes: number }
}

/** What an entry takes beside its texts, in about. */
const entryBytes = 500

export function createMemory(mostBytes: number): Memory {
  const answers = new Map<string, KeptAnswer>()
  let bytes = 0
  const sizeOf = (key: string, { body, headers }: KeptAnswer) =>
    body.length + 2 * key.length + entryBytes + headers.length
  const forget = (key: string) => {
    const known = answers.get(key)
    if (!known) return
    answers.delete(key)
    bytes -= sizeOf(key, known)
  }
  return {
    find: (key) => {
      const found = answers.get(key)
      if (!found) return undefined
      answers.delete(key)
      answers.set(key, found)
      return found
    },
    keep: (key, answer) => {
      forget(key)
      const size = sizeOf(key, answer)
      if (size > mostBytes / 8) return
      answers.set(key, answer)
      bytes += size
      for (const oldest of answers.keys()) {
        if (bytes <= mostBytes) break
        forget(oldest)
      }
    },
    forget,
    size: () => ({ answers: answers.size, bytes }),
  }
}

/** Headers that make the same address answer otherwise, under these settings. */
function varyingHeaders(config: Config): readonly string[] {
  return [
    ...(config.corsOrigins.length > 0 ? ['origin'] : []),
    ...(config.isHearingAcceptLanguage ? ['accept-language'] : []),
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
  { headers, body }: { readonly headers: Headers; readonly body: Buffer },
  { revision, route, freshFrom, freshUntil }: Pick<KeptAnswer, 'revision' | 'route' | 'freshFrom' | 'freshUntil'>,
): KeptAnswer {
  const etag = etagOf(body)
  const { 'Content-Type': type = '', ...others } = headers
  const headersAlone = [...Object.entries(others).flat(), 'ETag', etag]
  return {
    revision,
    route,
    freshFrom,
    freshUntil,
    etag,
    headersAlone,
    headers: [...headersAlone, 'Content-Type', type, 'Content-Length', String(body.length)],
    body,
  }
}

/** Whether this answer would be made the same at this second, of content in this state. */
export function isTrueAt({ revision, freshFrom, freshUntil }: KeptAnswer, state: number, second: number): boolean {
  return revision === state && freshFrom <= second && second <= freshUntil
}

export function etagOf(body: Buffer): string {
  return `"${hash('sha1', body, 'base64url')}"`
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
