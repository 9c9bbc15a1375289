import type { IncomingMessage } from 'node:http'
import type { Config } from '../../../base/config/config.ts'
import { hasSessionCookie } from '../../auth/session.cookie.ts'
import { prefersStrictHandling } from '../arguments/parameter.report.ts'
import type { FindSite } from '../site.ts'
import { isWithoutSecret } from './content.coding.ts'

/** Header fields whose values change the response at an address, under these settings. */
function varyingHeaders(config: Config): readonly string[] {
  return [
    ...(config.corsOrigins.length > 0 ? ['origin'] : []),
    ...(config.usesAcceptLanguage ? ['accept-language'] : []),
  ]
}

/** The response to a request with one of these fields is for that request only. */
const ownHeaders = [
  'authorization',
  'x-wp-nonce',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
] as const

/** The name of a parameter may be that of a secret. Most addresses have no such name, and need not be parsed. */
const maybeSecret = /[?&][^=&]*(?:password|_wpnonce|%)/i

/** Returns the key of a request in the response cache, or undefined if its response is never cached. */
export type CacheKey = (request: IncomingMessage) => string | undefined

/**
 * Returns a function that makes a key from the request target and the site. HEAD has the key of GET (RFC 9110, 9.3.2).
 */
export function createCacheKey(config: Config, findSite: FindSite): CacheKey {
  const varying = varyingHeaders(config)
  return (request) => {
    const { method, url, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return undefined
    for (const name of ownHeaders) if (headers[name] !== undefined) return undefined
    if (headers.cookie !== undefined && hasSessionCookie(headers.cookie)) return undefined
    // A repeated response would open an event to a client that has guessed its password too often.
    if (maybeSecret.test(url ?? '') && !isWithoutSecret(request)) return undefined
    let key = `${url}\n${findSite(request)}`
    if (prefersStrictHandling(headers.prefer as string | undefined)) key += '\nstrict'
    for (const name of varying) key += `\n${headers[name] ?? ''}`
    return key
  }
}
