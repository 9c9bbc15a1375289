import type { Config } from '../../base/config/config.ts'
import type { Headers } from './headers.ts'

/** What a page needs beside its own origin, as sources of a Content-Security-Policy: `https://tiles.example`, `data:`. */
export interface PageSources {
  readonly scripts?: readonly string[]
  readonly styles?: readonly string[]
  readonly images?: readonly string[]
  readonly fonts?: readonly string[]
  /** What its scripts fetch. */
  readonly connections?: readonly string[]
  /** Workers of its scripts; undefined: as scripts. */
  readonly workers?: readonly string[]
  /** What it shows in frames. */
  readonly frames?: readonly string[]
  /** Who may show it in a frame; nobody where it is not said. */
  readonly framedBy?: readonly string[]
}

const hstsSeconds = 31_536_000

/** What no page needs: the features of a device and of payment. */
const features = ['camera', 'display-capture', 'geolocation', 'microphone', 'payment', 'usb']

/** The headers for browsers that do not differ by page. */
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
 * The headers of a page and of what it loads from here: everything comes from its own origin, no script or style stands
 * inline, and nobody shows it in a frame, but for the sources that are named.
 *
 * @throws Error where a source could end the directive that it stands in.
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
    // What the policy says to browsers that know it, to those that do not.
    ...(framedBy.length > 0 ? {} : { 'X-Frame-Options': 'DENY', 'Cross-Origin-Resource-Policy': 'same-origin' }),
  }
}

/** Where the service is reached by https, it is by nothing else. */
export function transportHeaders({ publicUrl }: Pick<Config, 'publicUrl'>): Headers {
  return publicUrl?.startsWith('https:') ? { 'Strict-Transport-Security': `max-age=${hstsSeconds}` } : {}
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length > 0 ? sources : ["'none'"]
}
