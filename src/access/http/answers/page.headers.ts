import type { Config } from '../../../base/config/config.ts'
import type { Headers } from './headers.ts'

/**
 * The sources that a page needs besides its own origin, in the syntax of Content-Security-Policy:
 * `https://tiles.example`, `data:`.
 */
export interface PageSources {
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  readonly images?: readonly string[]
  readonly fonts?: readonly string[]
  /** Sources that its scripts fetch. */
  readonly connections?: readonly string[]
  /** Workers of its scripts. Default: the same sources as scripts. */
  readonly workers?: readonly string[]
  readonly frames?: readonly string[]
  /** Sites that may show the page in a frame. Default: none. */
  readonly framedBy?: readonly string[]
}

const hstsSeconds = 31_536_000

/** Features that no page needs: access to a device and to payment. */
const features = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** Header fields for browsers that are the same on every page. */
const constant: Headers = {
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Permissions-Policy': features.map((feature) => `${feature}=()`).join(', '),
}

/**
 * Returns the header fields of a page and of its resources. Everything comes from its own origin, no script or style is
 * inline, and no site may show it in a frame, except for the given sources.
 *
 * @throws Error if a source could end its directive.
 */
export function pageHeaders(config: Pick<Config, 'publicUrl'>, sources: PageSources = {}): Headers {
  const { scripts = [], styles = [], images = [], fonts = [], connections = [], frames = [], framedBy = [] } = sources
  const { workers } = sources
  const directives = {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...scripts],
    'style-src': ["'self'", ...styles],
    'img-src': ["'self'", ...images],
    'font-src': ["'self'", ...fonts],
    'connect-src': ["'self'", ...connections],
    ...(workers ? { 'worker-src': workers } : {}),
    'manifest-src': ["'self'"],
    'frame-src': orNone(frames),
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': orNone(framedBy),
  }
  for (const source of Object.values(directives).flat()) {
    if (/[\s;,]/.test(source)) throw new Error(`“${source}” is no source of a policy.`)
  }
  const policy = Object.entries(directives).map(([name, values]) => `${name} ${values.join(' ')}`)
  return {
    ...constant,
    ...transportHeaders(config),
    'Content-Security-Policy': policy.join('; '),
    // The equivalent of the policy for browsers that do not support it.
    ...(framedBy.length > 0 ? {} : { 'X-Frame-Options': 'DENY', 'Cross-Origin-Resource-Policy': 'same-origin' }),
  }
}

/** If the service is reached by https, browsers may not use http. */
export function transportHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Headers {
  return publicUrl?.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length > 0 ? sources : ["'none'"]
}
