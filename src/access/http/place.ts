import type { Config } from '../../base/config/config.ts'
import {
  DEFAULT_TEXT_LANGUAGE,
  splitLanguagePath,
  TEXT_LANGUAGE_PATHS,
  type TextLanguage,
} from '../../base/languages/language.ts'
import { namespaceOf } from './addresses.ts'
import { parseForm } from './parameters.ts'

/** Where a request goes. */
export interface Place {
  readonly variant: TextLanguage
  /** What stands below the namespace; `root` above it; undefined where the path is not of the interface. */
  readonly below: string | typeof root | undefined
}

export const root = Symbol('root of the interface')

/**
 * The variant and place of a request. Clients of sites without readable addresses send the path as a parameter:
 * `/?rest_route=/…` or `/index.php?rest_route=/…`. Below a language in the path both are found as well: `/fr/wp-json/…`,
 * `/fr/?rest_route=/…` (addresses.md).
 */
export function locate(config: Config, request: { readonly path: string; readonly query: string }): Place {
  const sent = sentRoute(request)
  const front = sent === undefined ? '' : splitLanguagePath(request.path).prefix
  const path = sent === undefined ? request.path : `${front}${config.restPrefix}${sent}`
  const namespace = `/${namespaceOf(config)}`
  const folded = path.toLowerCase()
  for (const { variant, base } of basesOf(config)) {
    if (folded === `${base}/` || folded === base || (variant === DEFAULT_TEXT_LANGUAGE && folded === '/'))
      return { variant, below: root }
    const start = `${base}${namespace}`
    if (folded !== start && !folded.startsWith(`${start}/`)) continue
    const below = path.slice(start.length)
    return { variant, below: below.endsWith('/') ? below.slice(0, -1) : below }
  }
  const found = basesOf(config).find(({ base }) => folded.startsWith(`${base}/`))
  return { variant: found?.variant ?? DEFAULT_TEXT_LANGUAGE, below: undefined }
}

/** The root of the site, below its language. */
const frontPage = /^\/(?:index\.php)?$/i

/** The path of the interface that was sent as a parameter of the root of the site. */
function sentRoute({ path, query }: { readonly path: string; readonly query: string }): string | undefined {
  const sent = frontPage.test(splitLanguagePath(path).path) ? parseForm(query).rest_route : undefined
  return typeof sent === 'string' ? sent : undefined
}

interface Base {
  readonly variant: TextLanguage
  readonly base: string
}

/** Path before the namespace of a variant: answers name the first of each, and all are understood. */
export function basesOf({ restPrefix }: Pick<Config, 'restPrefix'>): readonly Base[] {
  const bases = Object.entries(TEXT_LANGUAGE_PATHS).flatMap(([language, path]): readonly Base[] => {
    const variant = language as TextLanguage
    if (path === '') return []
    // The same place where nothing stands before the namespace, or the language does.
    const isSame = restPrefix.replaceAll(path, '') === ''
    return [{ variant, base: `${restPrefix}${path}` }, ...(isSame ? [] : [{ variant, base: `${path}${restPrefix}` }])]
  })
  return [...bases, { variant: DEFAULT_TEXT_LANGUAGE, base: restPrefix }]
}

/** Whether an address is one for programs, even where nothing answers it: of the interface, or of another namespace. */
export function isForPrograms(config: Config, request: { readonly path: string; readonly query: string }): boolean {
  const folded = request.path.toLowerCase()
  const below = config.restPrefix === '' ? `/${config.vendorWord}` : ''
  const starts = basesOf(config).map(({ base }) => `${base}${below}`)
  return sentRoute(request) !== undefined || starts.some((start) => folded === start || folded.startsWith(`${start}/`))
}
