import { parseHosts } from './hosts.ts'
import { parseProxyTrust } from './networks.ts'
import { type Settings, setting } from './setting.ts'
import { httpUrl, truth } from './values.ts'

/** Settings of how clients reach the service, and of whom it believes about that. */
export const webSettings = {
  publicUrl: setting(
    'PUBLIC_URL',
    '',
    'Address under which clients reach the service. Empty: that of each request.',
    (text) => (text === '' ? undefined : httpUrl(text)),
  ),
  allowedHosts: setting(
    'ALLOWED_HOSTS',
    '',
    'Names of hosts by which clients may come, comma-separated; `.example.org` is all below it, `*` any. Empty: any where `PUBLIC_URL` is set, else those that nobody else can own, such as `localhost`, a private address or a name without dots.',
    parseHosts,
  ),
  trustProxy: setting(
    'TRUST_PROXY',
    'false',
    'Whose forwarded headers are believed: `true`, the one proxy in front; how many there are; or their networks.',
    parseProxyTrust,
  ),
  trustedHeaders: setting(
    'TRUST_PROXY_HEADERS',
    'x-forwarded',
    'By which headers: `x-forwarded` (`X-Forwarded-For`, `-Host` and `-Proto`), or `forwarded` (RFC 7239). The proxy has to write those; the others count for nothing.',
    (text) => {
      const kind = text.toLowerCase()
      if (kind !== 'x-forwarded' && kind !== 'forwarded') throw new Error('x-forwarded or forwarded')
      return kind
    },
  ),
  isCoding: setting(
    'CONTENT_CODING',
    'true',
    'Whether texts for visitors are sent as `zstd`, `br` or `gzip` to clients that ask for it; `false` where a proxy in front does that. Scripts and style sheets, which are coded once, always are.',
    truth,
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    '',
    'Origins that may call with credentials, comma-separated; `*` among them: any other one without. Empty: any origin, without credentials.',
    (text) =>
      text
        .split(',')
        .flatMap((origin) => (origin.trim() === '' ? [] : [origin.trim() === '*' ? '*' : originOf(origin.trim())])),
  ),
} as const

export type WebSettings = Settings<typeof webSettings>

/** An origin as browsers send it: in lower case, without the usual port (RFC 6454, 6.2). */
function originOf(text: string): string {
  const url = new URL(httpUrl(text))
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('origins, such as https://www.example.org, without a path')
  }
  return url.origin
}
