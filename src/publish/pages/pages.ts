import type { Deps } from '../../access/deps.ts'
import { once } from '../../access/http/answers/asset.ts'
import { isSiteRoot, locateRequest } from '../../access/http/request.location.ts'
import type { WireRequest, WireResponse } from '../../access/http/wire.ts'
import type { Config } from '../../base/config/config.ts'
import { splitLanguagePath } from '../../base/languages/language.ts'
import type { PagesOptions } from './page.answers.ts'

// Which requests are for public pages. What makes the pages is loaded with the first of them: most requests are for the
// interface, and a process with reader threads seldom makes a page itself.

const loadPages = once(() => import('./page.answers.ts'))

/**
 * Returns the handler of public pages. It returns undefined for all other requests, which the interface then answers.
 */
export function createPages(options: PagesOptions) {
  return async (deps: Deps, request: WireRequest): Promise<WireResponse | undefined> => {
    if (!mayBeOfPage(deps.config, request)) return undefined
    return (await loadPages()).answerPage(deps, request, options)
  }
}

/**
 * Reports if a different `Accept` selects between a page and another response. Caches must know this (RFC 9110,
 * 12.5.5).
 */
export async function variesByAccept(config: Config, request: WireRequest): Promise<boolean> {
  return mayBeOfPage(config, request) && (await loadPages()).selectsByAccept(config, request)
}

/** Whether a request may be for a page. Most are for the interface. */
function mayBeOfPage(config: Config, request: WireRequest): boolean {
  if (!config.isServingPages || !isPageRequest(request)) return false
  const { path } = splitLanguagePath(request.path)
  return !isBelowInterface(config, request, path)
}

/** Reports if an address is of the interface and of no page: at the root of the site there are both. */
function isBelowInterface(config: Config, request: WireRequest, path: string): boolean {
  return !isSiteRoot(path) && locateRequest(config, request).below !== undefined
}

function isPageRequest({ method, headers }: WireRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  return method === 'POST' && type === 'application/x-www-form-urlencoded'
}
