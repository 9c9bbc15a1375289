import { parseHosts } from './hosts.ts'
import { parseProxyTrust } from './networks.ts'
import { type Settings, setting } from './setting.ts'
import { booleanValue, httpUrl } from './values.ts'

/** The settings of addresses, ports and trusted proxies. */
export const webSettings = {
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    'Base URL at which clients reach the service, such as `https://events.example.org`. Empty: taken from each request.',
    (text) => (text === '' ? undefined : httpUrl(text)),
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    '',
    'Host names that clients may use, comma-separated. `.example.org` includes all subdomains; `*` allows any name. Empty: any name if `PUBLIC_URL` is set, otherwise only names that nobody else can own, such as `localhost`, a private address or a name without dots.',
    parseHosts,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'false',
    'Proxies whose forwarded headers are trusted: `true` for one proxy in front of the service, the number of proxies, or their networks.',
    parseProxyTrust,
  ),
  trustedHeaders: setting(
    'TRUST_PROXY_HEADERS',
    'x-forwarded',
    'Headers that are trusted if `TRUST_PROXY` is set: `x-forwarded` (`X-Forwarded-For`, `-Host` and `-Proto`) or `forwarded` (RFC 7239). The proxy must set them. The others are ignored.',
    (text) => {
      const kind = text.toLowerCase()
      if (kind !== 'x-forwarded' && kind !== 'forwarded') throw new Error('x-forwarded or forwarded')
      return kind
    },
  ),
  isCoding: setting(
    'CONTENT_CODING',
    'true',
    'Whether answers to visitors are compressed (`zstd`, `br` or `gzip`) for clients that accept it. Set `false` if a proxy compresses them. Scripts and style sheets are always compressed.',
    booleanValue,
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    'Web origins that may send credentials with cross-origin requests (CORS), comma-separated. `*` in the list allows all other origins without credentials. Empty: any origin, without credentials.',
    (text) =>
      text
        .split(',')
        .flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim() === '*' ? '*' : originOf(origin.trim())])),
  ),
  requiresIfMatch: setting(
    'REQUIRE_IF_MATCH',
    'false',
    'Whether changing or removing a record requires the header `If-Match` with the version that the writer knows. Requests without it get 428.',
    booleanValue,
  ),
} as const

export type WebSettings = Settings<typeof webSettings>

/** Returns an origin as browsers send it: in lower case, without the default port (RFC 6454, 6.2). */
function originOf(text: string): string {
  const url = new URL(httpUrl(text))
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('origins, such as https://www.example.org, without a path')
  }
  return url.origin
}
