import type { Config } from '../../base/config/config.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from '../../base/languages/language.ts'
import { type Addresses, routeUrl } from './addresses.ts'

const exposed =
  'X-TEC-Total, X-TEC-TotalPages, X-WP-Total, X-WP-TotalPages, Link, ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, X-Ignored-Parameters, X-Adjusted-Parameters, Preference-Applied'
const allowedHeaders = 'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type'
const methods = 'OPTIONS, GET, POST, PUT, PATCH, DELETE'

export type Headers = Record<string, string>

/** How clients find the interface on a site: on its pages as in its answers. */
export function discoveryHeaders(addresses: Addresses): Headers {
  const { base, site } = addresses
  return {
    Link: `<${base}/>; rel="https://api.w.org/"`,
    'X-TEC-API-VERSION': 'v1',
    'X-TEC-API-ROOT': routeUrl(addresses, '/'),
    'X-TEC-API-ORIGIN': site,
  }
}

/** Headers of every answer of the interface (conventions.md §5). */
export function commonHeaders(addresses: Addresses): Headers {
  return {
    'X-Robots-Tag': 'noindex',
    'X-Content-Type-Options': 'nosniff',
    // An answer that is opened as a page shows its text and does nothing.
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...discoveryHeaders(addresses),
    'Access-Control-Expose-Headers': exposed,
    'Access-Control-Allow-Headers': allowedHeaders,
  }
}

/** A browser that asks first whether it may say how a request is to be handled: it may (RFC 7240). */
export function preflightHeaders(asked: string | undefined): Headers {
  return /\bprefer\b/i.test(asked ?? '') ? { 'Access-Control-Allow-Headers': `${allowedHeaders}, Prefer` } : {}
}

/**
 * Headers for browsers of other origins. By default any origin may read, without credentials; with a list of allowed
 * origins only those, with credentials (rulings.md 18), and where `*` is among them any other one as by default.
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

/** Headers of an answer that consists of the service's own texts (languages.md §2, §4). */
export function textHeaders({ usesAcceptLanguage }: Config, language: TextLanguage): Headers {
  return {
    'Content-Language': TEXT_LANGUAGE_CODES[language],
    ...(usesAcceptLanguage ? { Vary: 'Accept-Language' } : {}),
  }
}

/** All these headers; of a name that comes twice the last counts, but what an answer varies by is named together. */
export function joinHeaders(...parts: readonly Headers[]): Headers {
  const vary = parts.flatMap((part) => part.Vary ?? [])
  return { ...Object.assign({}, ...parts), ...(vary.length > 0 ? { Vary: vary.join(', ') } : {}) }
}

/** Headers that keep an answer to a signed-in user out of every cache (conventions.md §5). */
export const uncacheable: Headers = {
  'Cache-Control': 'no-cache, must-revalidate, max-age=0, no-store, private',
  Expires: 'Wed, 11 Jan 1984 05:00:00 GMT',
}
