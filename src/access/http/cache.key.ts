import type { IncomingMessage } from 'node:http'
import type { Config } from '../../base/config/config.ts'
import { hasSessionCookie } from '../auth/session.cookie.ts'
import type { FindSite } from './site.ts'
import { isStrictlyHandled } from './told.ts'

/** Headers whose values change the answer of the same address, under these settings. */
function varyingHeaders(config: Config): readonly string[] {
  return [
    ...(config.corsOrigins.length > 0 ? ['origin'] : []),
    ...(config.usesAcceptLanguage ? ['accept-language'] : []),
  ]
}

/** The answer to a request with one of these headers is for that request only. */
const ownHeaders = [
  'authorization',
  'x-wp-nonce',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
] as const

/** The key of a request in the response cache; undefined where its answer is never cached. */
export type CacheKey = (request: IncomingMessage) => string | undefined

/** Makes keys from what a request asks for and of which site. HEAD has the key of GET (RFC 9110, 9.3.2). */
export function createCacheKey(config: Config, findSite: FindSite): CacheKey {
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
