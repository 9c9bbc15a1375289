import { type Credentials, parseAuthorization } from './credentials.ts'
import { sessionSecretIn } from './session.cookie.ts'
import { isCsrfToken } from './session.service.ts'

/** The parts of a request that identify its sender. */
export interface CredentialSource {
  readonly method: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The root URL of the site as clients reach it. */
  readonly site: string
  /** True if the response is a script, which pages of other sites may read. */
  readonly isJsonp: boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns the credentials that a request may use. A browser sends its cookie automatically. So the cookie counts only
 * without other credentials, only for pages of the service itself, and for changes only with the CSRF token of those
 * pages.
 */
export function credentialsOf(request: CredentialSource): Credentials | undefined {
  const { headers, method, site, isJsonp } = request
  if (headers.authorization !== undefined) return parseAuthorization(textOf(headers.authorization))
  const secret = sessionSecretIn(textOf(headers.cookie), isHttps(site))
  if (secret === undefined || isJsonp || !isSameOrigin(request)) return undefined
  const isGenuine = safeMethods.has(method) || isCsrfToken(secret, textOf(headers['x-csrf-token']) ?? '')
  return isGenuine ? { kind: 'session', secret } : undefined
}

/** Returns true if the request comes from a page of the service itself, or from no page, according to the browser. */
export function isSameOrigin({ headers, site }: Pick<CredentialSource, 'headers' | 'site'>): boolean {
  const fetched = textOf(headers['sec-fetch-site'])
  // If the browser sends this field, it is correct even if proxies have changed `Host`.
  if (fetched !== undefined) return fetched === 'same-origin' || fetched === 'none'
  const origin = textOf(headers.origin)
  return origin === undefined || origin === new URL(site).origin
}

export function isHttps(site: string): boolean {
  return site.startsWith('https:')
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}
