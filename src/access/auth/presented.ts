import { type Credentials, parseAuthorization } from './credentials.ts'
import { sessionSecretIn } from './session.cookie.ts'
import { isCsrfToken } from './session.service.ts'

/** What of a request tells who sends it. */
export interface Sender {
  readonly method: string
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Root of the site as clients reach it. */
  readonly site: string
  /** Whether the answer is to be a script, which pages of other sites may read. */
  readonly isJsonp: boolean
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * The credentials that a request may use. A browser sends its cookie without being asked, so it counts only where no
 * other credentials are sent, for pages of the service itself, and for changes only beside the token that they know.
 */
export function credentialsOf(sender: Sender): Credentials | undefined {
  const { headers, method, site, isJsonp } = sender
  if (headers.authorization !== undefined) return parseAuthorization(textOf(headers.authorization))
  const secret = sessionSecretIn(textOf(headers.cookie), isHttps(site))
  if (secret === undefined || isJsonp || !isSameOrigin(sender)) return undefined
  const isGenuine = safeMethods.has(method) || isCsrfToken(secret, textOf(headers['x-csrf-token']) ?? '')
  return isGenuine ? { kind: 'session', secret } : undefined
}

/** Whether it comes from a page of the service itself, or from no page, as far as the browser tells. */
export function isSameOrigin({ headers, site }: Pick<Sender, 'headers' | 'site'>): boolean {
  const fetched = textOf(headers['sec-fetch-site'])
  // Where a browser says it, it is right whatever proxies in between made of the host.
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
