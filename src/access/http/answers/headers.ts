import type { Config } from '../../../base/config/config.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from '../../../base/languages/language.ts'
import { type Addresses, routeUrl } from '../addresses.ts'
import { exposedHeaders } from './answer.headers.ts'

const exposed = exposedHeaders.join(', ')
const allowedHeaders = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type'
const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'

export type Headers = Record<string, string>

/** Returns the header fields by which clients discover the interface, on pages and on responses of the interface. */
export function discoveryHeaders(addresses: Addresses): Headers {
  const { base, site } = addresses
  return {
    Link: `<${base}/>; rel="https://api.w.org/"`,
    'X-TEC-API-VERSION': 'v1',
    'X-TEC-API-ROOT': routeUrl(addresses, '/'),
    'X-TEC-API-ORIGIN': site,
  }
}

/** Returns the header fields of every response of the interface (conventions.md §5). */
export function commonHeaders(addresses: Addresses): Headers {
  return {
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    // If a browser opens a response as a page, it shows its text and runs nothing.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...discoveryHeaders(addresses),
    'Access-Control-Expose-Headers': exposed,
    'Access-Control-Allow-Headers': allowedHeaders,
  }
}

/** Header fields that a CORS preflight may ask for beyond those that the contract always names. */
const allowedOnRequest = [
  ...['Prefer', 'If-Match', 'If-None-Match', 'If-Unmodified-Since'],
  ...['Idempotency-Key', 'X-Idempotency-Key', 'X-Import-Line'],
]

/** Returns the header fields for a CORS preflight that asks for further header fields of ours. */
export function preflightHeaders(asked: string | undefined): Headers {
  if (asked === undefined) return {}
  const names = asked.split(',').map((name) => name.trim().toLowerCase())
  const allowed = allowedOnRequest.filter((name) => names.includes(name.toLowerCase()))
  return allowed.length > 0 ? { 'Access-Control-Allow-Headers': [allowedHeaders, ...allowed].join(', ') } : {}
}

/**
 * Returns the header fields for browsers of other origins. By default any origin may read, without credentials. With a
 * list of allowed origins only those may read, with credentials (rulings.md 18). If the list contains `*`, any other
 * origin may read as by default.
 */
export function corsHeaders({ corsOrigins }: Config, origin: string | undefined): Headers {
  const anybody = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Methods': methods }
  if (corsOrigins.length === 0) return anybody
  if (origin === undefined || origin === '*' || !corsOrigins.includes(origin)) {
    return { ...(corsOrigins.includes('*') ? anybody : {}), Vary: 'Origin' }
  }
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
  }
}

/** Returns the header fields of a response that consists of the service's own texts (languages.md §2, §4). */
export function textHeaders({ usesAcceptLanguage }: Config, language: TextLanguage): Headers {
  return {
    'Content-Language': TEXT_LANGUAGE_CODES[language],
    ...(usesAcceptLanguage ? { Vary: 'Accept-Language' } : {}),
  }
}

/** Joins header fields. Of a repeated name the last value counts, except that all values of `Vary` are joined. */
export function joinHeaders(...parts: readonly Headers[]): Headers {
  const joined: Headers = {}
  for (const part of parts) {
    for (const name in part) {
      const value = part[name]
      if (value === undefined) continue
      joined[name] = name === 'Vary' && joined.Vary !== undefined ? `${joined.Vary}, ${value}` : value
    }
  }
  return joined
}

/** Header fields that keep a response to a signed-in user out of every cache (conventions.md §5). */
export const uncacheable: Headers = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
}
