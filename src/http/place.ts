import type { Config } from '../config/config.ts'
import type { TextLanguage } from '../languages/language.ts'
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
 * `/?rest_route=/…` or `/index.php?rest_route=/…`.
 */
export function locate(config: Config, request: { readonly path: string; readonly query: string }): Place {
  const sent = /^\/(index\.php)?$/i.test(request.path) ? parseForm(request.query).rest_route : undefined
  const path = typeof sent === 'string' ? `${config.restPrefix}${sent}` : request.path
  const namespace = `/${namespaceOf(config)}`
  const folded = path.toLowerCase()
  for (const variant of ['fr', 'en'] as const) {
    const base = `${config.restPrefix}${variant === 'fr' ? '/fr' : ''}`
    if (folded === `${base}/` || folded === base || (variant === 'en' && folded === '/'))
      return { variant, below: root }
    const start = `${base}${namespace}`
    if (folded !== start && !folded.startsWith(`${start}/`)) continue
    const below = path.slice(start.length)
    return { variant, below: below.endsWith('/') ? below.slice(0, -1) : below }
  }
  return { variant: folded.startsWith(`${config.restPrefix}/fr/`) ? 'fr' : 'en', below: undefined }
}
