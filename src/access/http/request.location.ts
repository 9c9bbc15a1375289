import type { Config } from '../../base/config/config.ts'
import {
  DEFAULT_TEXT_LANGUAGE,
  splitLanguagePath,
  TEXT_LANGUAGE_PATHS,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { namespaceOf } from './addresses.ts'
import { parseForm } from './arguments/parameters.ts'

/** The target of a request within the service. */
export interface RequestLocation {
  readonly variant: TextLanguage
  /**
   * The path below the namespace; `root` for the path above it; undefined if the path does not belong to the interface.
   */
  readonly below: string | typeof root | undefined
}

export const root = Symbol('root of the interface')

/**
 * Returns the variant and place of a request. Clients of sites without readable addresses send the path as a parameter:
 * `/?rest_route=/…` or `/index.php?rest_route=/…`. Both forms also work below a language in the path: `/fr/wp-json/…`,
 * `/fr/?rest_route=/…` (addresses.md).
 */
export function locateRequest(
  config: Config,
  request: { readonly path: string; readonly query: string },
): RequestLocation {
  const sent = sentRoute(request)
  const front = sent === undefined ? '' : splitLanguagePath(request.path).prefix
  const path = sent === undefined ? request.path : `${front}${config.restPrefix}${sent}`
  const namespace = `/${namespaceOf(config)}`
  const folded = path.toLowerCase()
  for (const { variant, base } of pathPrefixesOf(config)) {
    if (folded === `${base}/` || folded === base || (variant === DEFAULT_TEXT_LANGUAGE && folded === '/'))
      return { variant, below: root }
    const start = `${base}${namespace}`
    if (folded !== start && !folded.startsWith(`${start}/`)) continue
    const below = path.slice(start.length)
    return { variant, below: below.replace(slashesAtEnd, '') }
  }
  const found = pathPrefixesOf(config).find(({ base }) => folded.startsWith(`${base}/`))
  return { variant: found?.variant ?? DEFAULT_TEXT_LANGUAGE, below: undefined }
}

/** Reports if a path below the language is the root of the site, which is also the root of the interface. */
export function isSiteRoot(path: string): boolean {
  return path === '/' || path === ''
}

/** The lookbehind keeps the search linear. */
const slashesAtEnd = /(?<!\/)\/+$/

/**
 * Returns the target of a request of the interface in its usual form. Some clients of the reference repeat slashes before
 * or after the path, or begin it with `/index.php`. Other targets stay: a page has one address.
 */
export function usualTarget(config: Config, target: string): string {
  const [path = ''] = target.split('?', 1)
  const { prefix, path: below } = splitLanguagePath(path.replace(/^\/{2,}/, '/'))
  const usual = `${prefix}${below.replace(/^\/index\.php(?=\/)/i, '').replace(slashesAtEnd, '/')}`
  if (usual === path) return target
  const query = target.slice(path.length)
  return isApiAddress(config, { path: usual, query: query.slice(1) }) ? `${usual}${query}` : target
}

/** The root of the site, below its language. */
const frontPage = /^\/(?:index\.php)?$/i

/** Returns the path of the interface, if it was sent as a parameter of the root of the site. */
function sentRoute({ path, query }: { readonly path: string; readonly query: string }): string | undefined {
  const sent = frontPage.test(splitLanguagePath(path).path) ? parseForm(query).rest_route : undefined
  return typeof sent === 'string' ? sent : undefined
}

interface PathPrefix {
  readonly variant: TextLanguage
  readonly base: string
}

/**
 * Returns the paths before the namespace of a variant. Responses use the first of each variant; requests may use all.
 */
export function pathPrefixesOf(config: Pick<Config, 'restPrefix'>): readonly PathPrefix[] {
  const known = prefixesOfConfigs.get(config)
  if (known) return known
  const prefixes = findPathPrefixes(config)
  prefixesOfConfigs.set(config, prefixes)
  return prefixes
}

/** Every request needs those of its settings. */
const prefixesOfConfigs = new WeakMap<Pick<Config, 'restPrefix'>, readonly PathPrefix[]>()

function findPathPrefixes({ restPrefix }: Pick<Config, 'restPrefix'>): readonly PathPrefix[] {
  const bases = Object.entries(TEXT_LANGUAGE_PATHS).flatMap(([language, path]): readonly PathPrefix[] => {
    const variant = language as TextLanguage
    if (path === '') return []
    // The second base is the same path if the prefix is empty or only the language.
    const isSame = restPrefix.replaceAll(path, '') === ''
    return [{ variant, base: `${restPrefix}${path}` }, ...(isSame ? [] : [{ variant, base: `${path}${restPrefix}` }])]
  })
  return [...bases, { variant: DEFAULT_TEXT_LANGUAGE, base: restPrefix }]
}

/**
 * Returns true if an address is for programs, even if it has no route: an address of the interface or of another
 * namespace.
 */
export function isApiAddress(config: Config, request: { readonly path: string; readonly query: string }): boolean {
  const folded = request.path.toLowerCase()
  const below = config.restPrefix === '' ? `/${config.vendorWord}` : ''
  const starts = pathPrefixesOf(config).map(({ base }) => `${base}${below}`)
  return sentRoute(request) !== undefined || starts.some((start) => folded === start || folded.startsWith(`${start}/`))
}
