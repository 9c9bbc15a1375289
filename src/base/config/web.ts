import { parseProxyTrust } from './networks.ts'
import { secretSetting, setting } from './setting.ts'
import { booleanValue, httpUrl, wholeNumber, word } from './values.ts'

/** The settings of addresses, ports and trusted proxies. */
export const webSettings = {
  publicUrl: setting('PUBLIC_URL', '', (text) => (text === '' ? undefined : httpUrl(text))),
  allowedHosts: setting('ALLOWED_HOSTS', '', parseHosts),
  trustProxy: setting('TRUST_PROXY', 'false', parseProxyTrust),
  trustedHeaders: setting('TRUST_PROXY_HEADERS', 'x-forwarded', (text) =>
    word('x-forwarded', 'forwarded')(text.toLowerCase()),
  ),
  isCoding: setting('CONTENT_CODING', 'true', booleanValue),
  sharedCacheSeconds: setting('SHARED_CACHE_SECONDS', '0', wholeNumber(0, 86_400)),
  sharedCachePurgeUrls: secretSetting('SHARED_CACHE_PURGE_URL', (text) =>
    text.split(',').flatMap((url) => (url.trim() === '' ? [] : [httpUrl(url.trim())])),
  ),
  corsOrigins: setting('CORS_ORIGINS', '', (text) =>
    text
      .split(',')
      .flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim() === '*' ? '*' : originOf(origin.trim())])),
  ),
  requiresIfMatch: setting('REQUIRE_IF_MATCH', 'false', booleanValue),
} as const

/** Returns an origin as browsers send it: in lower case, without the default port (RFC 6454, 6.2). */
function originOf(text: string): string {
  const url = new URL(httpUrl(text))
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('origins, such as https://www.example.org, without a path')
  }
  return url.origin
}

/** The host names that the service answers to, in lower case; `*` means any host; undefined if the setting is empty. */
type AllowedHosts = ReadonlySet<string> | undefined

/** Reads comma-separated host names without scheme and port. One that begins with a dot includes all its subdomains. */
function parseHosts(text: string): AllowedHosts {
  const names = text.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]))
  const isName = (name: string) =>
    name === '*' || (URL.canParse(`http://${name.replace(/^\./, '')}`) && !/[/:@?#](?!.*\])/.test(name))
  if (!names.every(isName)) throw new Error('host names without scheme and port, comma-separated, or *')
  return names.length === 0 ? undefined : new Set(names)
}
