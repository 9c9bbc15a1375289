import { visitor } from '../../access/auth/actor.ts'
import type { Deps } from '../../access/deps.ts'
import { takesType, wantsJson } from '../../access/http/accept.ts'
import { addressesOf } from '../../access/http/addresses.ts'
import { dateHeader, etagOf } from '../../access/http/answers/etag.ts'
import { discoveryHeaders, type Headers, joinHeaders } from '../../access/http/answers/headers.ts'
import { pageHeaders } from '../../access/http/answers/page.headers.ts'
import { watchedClock } from '../../access/http/answers/watched.clock.ts'
import type { RawParameters } from '../../access/http/arguments/argument.ts'
import { parseForm } from '../../access/http/arguments/parameters.ts'
import { depsForRequest } from '../../access/http/caller.ts'
import { isApiAddress, isSiteRoot, locateRequest } from '../../access/http/request.location.ts'
import type { WireRequest, WireResponse } from '../../access/http/wire.ts'
import type { Readers } from '../../access/readers/readers.ts'
import { dispatch, revisionOf } from '../../access/server/dispatch.ts'
import type { Config } from '../../base/config/config.ts'
import { contentLanguageOf, splitLanguagePath, TEXT_LANGUAGE_CODES } from '../../base/languages/language.ts'
import { unmatchedRoute, updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import { viewerOf } from '../../calendar/translations/viewer.ts'
import { feedRoutes } from '../feeds/feed.routes.ts'
import { presentPage } from './frame/page.layout.ts'
import { type Page, type PageAnswer, type PageCall, type PageFiles, sayIn } from './frame/page.ts'
import { feedUrl, viewPath } from './page.addresses.ts'
import { matchPage, type PageMatch } from './page.routes.ts'
import { brokenPage, busyPage, notFoundPage, unavailablePage } from './problem.page.ts'

const longestForm = 4096

/** What the pages need in addition to the services of `Deps`. */
export interface PagesOptions {
  readonly files: () => Promise<PageFiles>
  readonly report: (error: unknown) => void
  readonly readers?: Readers | undefined
}

/** Answers a request that is not below the interface; undefined if it is for no page. */
export async function answerPage(
  deps: Deps,
  request: WireRequest,
  { files, report, readers }: PagesOptions,
): Promise<WireResponse | undefined> {
  const { textLanguage, path } = splitLanguagePath(request.path)
  const query = parseForm(request.query)
  const found = findPage(deps.config, request, { path, query })
  if (!found) return undefined
  const own = depsForRequest(deps, { actor: visitor, lastRevision: 0 }, { ...request, isReading: true })
  const revision = request.revision === undefined ? undefined : await revisionOf(deps, own, request.revision)
  const language = contentLanguageOf(deps.config, textLanguage)
  const clock = watchedClock(deps.now)
  const call: PageCall = {
    deps: own,
    addresses: addressesOf(deps.config, request.site, textLanguage),
    ...{ textLanguage, language, path, query, search: request.query, format: found.format },
    viewer: viewerOf({ deps, actor: visitor, language }),
    client: request.client,
    form: formOf(request),
    files: await files(),
    now: clock.now(),
    say: sayIn(textLanguage),
  }
  const { route } = found
  const pageOfError = (error: unknown): PageAnswer => {
    updateRequestTrace({ problem: error instanceof Problem ? error.code : 'internal_server_error' })
    if (error instanceof Problem && error.code === 'rest_too_many_requests') return busyPage(call, error)
    if (error instanceof Problem && (error.code === 'query-too-dear' || error.code === 'service_unavailable')) {
      if (error.cause !== undefined) report(error.cause)
      return unavailablePage(call, error)
    }
    report(error)
    return brokenPage(call)
  }
  const show = async (): Promise<PageAnswer | WireResponse> => {
    if (!readers || call.form || found.isShort) return found.show(call)
    return (await readers.answer(request, 'page')) ?? found.show(call)
  }
  const answer = await show().catch(pageOfError)
  if ('headers' in answer) return answer
  const varying: Headers = found === unknownPage ? { Vary: 'Accept' } : {}
  const feed = feedOf(call, answer)
  if (feed !== undefined) return { ...(await dispatchFeed(deps, request, { url: feed, report })), route }
  const response = toWireResponse(call, answer, revision)
  return { ...response, headers: joinHeaders(response.headers, varying), route }
}

/** Reports if a different `Accept` selects between a page and another response to a request that is not below the interface. */
export function selectsByAccept(config: Config, request: WireRequest): boolean {
  const { path } = splitLanguagePath(request.path)
  const query = parseForm(request.query)
  const isPage = (accept: string) =>
    findPage(config, { ...request, headers: { ...request.headers, accept } }, { path, query }) !== undefined
  return isPage('text/html') !== isPage('application/json')
}

/** The path and query of a page, below the language of its address. */
interface PageAddress {
  readonly path: string
  readonly query: RawParameters
}

/** Returns the page that answers a request, or undefined if the request is for the interface. */
function findPage(config: Config, request: WireRequest, address: PageAddress): PageMatch | undefined {
  const { path, query } = address
  if (isRootForBrowsers(config, request, address)) return rootPage
  const found = matchPage(config, path, query)
  if (isSiteRoot(path) && locateRequest(config, request).below !== undefined) return found
  return found ?? (isNotFoundForBrowsers(config, request) ? unknownPage : undefined)
}

/**
 * Returns the address of the feed that is requested instead of a page, or undefined if the page itself is requested.
 */
function feedOf(call: PageCall, answer: PageAnswer): string | undefined {
  const { format, form } = call
  if (format === undefined || form || answer.kind !== 'page' || answer.status !== 200) return undefined
  // The page of one event has its own calendar and no news feed.
  if (answer.calendar !== undefined) return undefined
  return feedUrl(call, format, answer.feedQuery)
}

/** The header fields of a request that a feed depends on. */
const passedHeaders = ['origin', 'accept-encoding', 'if-none-match', 'if-modified-since']

/**
 * Answers with a feed of the interface directly, because some calendar clients do not follow redirects. The feed
 * contains what visitors may see, no matter which credentials the request carries.
 */
function dispatchFeed(
  deps: Deps,
  request: WireRequest,
  { url, report }: Pick<PagesOptions, 'report'> & { readonly url: string },
) {
  const { pathname, search } = new URL(url)
  const site = deps.config.publicUrl === undefined ? '' : new URL(deps.config.publicUrl).pathname.replace(/\/$/, '')
  const nowhere = () => ({})
  return dispatch(
    deps,
    { routes: feedRoutes, describe: nowhere, root: nowhere, report },
    {
      ...request,
      ...{ path: pathname.slice(site.length), query: search.slice(1), body: undefined },
      headers: Object.fromEntries(passedHeaders.map((name) => [name, request.headers[name]])),
    },
  )
}

/**
 * Reports if a browser requests the root of the site. It is also the root of the interface, whose clients do not accept
 * HTML. A root below a language prefix belongs to the site alone if the interface has a path prefix.
 */
function isRootForBrowsers(config: Config, request: WireRequest, { path, query }: PageAddress): boolean {
  if (!isSiteRoot(path) || query.rest_route !== undefined || matchPage(config, '/', query)) return false
  return locateRequest(config, request).below === undefined || takesType(request.headers.accept, 'text/html')
}

const rootPage: PageMatch = {
  route: '/',
  isShort: true,
  show: async (call) => ({ kind: 'elsewhere', status: 302, url: viewPath(call, 'list'), varies: 'Accept' }),
}

/** Folders of assets and of process endpoints. A client that misses a file there is a program. */
const folders = /^\/(?:assets|docs|health|uploads)\//i

/** Reports if an unknown address gets an HTML page. Clients that ask for JSON get JSON (addresses.md). */
function isNotFoundForBrowsers(config: Config, request: WireRequest): boolean {
  const { method, path } = request
  if (method === 'POST' || folders.test(splitLanguagePath(path).path) || isApiAddress(config, request)) return false
  return !wantsJson(request.headers.accept)
}

const unknownPage: PageMatch = {
  route: unmatchedRoute,
  isShort: true,
  show: async (call) => {
    updateRequestTrace({ problem: 'rest_no_route' })
    return notFoundPage(call)
  },
}

function formOf({ method, body }: WireRequest): PageCall['form'] {
  if (method !== 'POST') return undefined
  return body && body.length <= longestForm ? parseForm(body.toString('utf8')) : {}
}

function toWireResponse(call: PageCall, answer: PageAnswer, revision: number | undefined): WireResponse {
  if (answer.kind === 'elsewhere') {
    const varying: Headers = answer.varies === undefined ? {} : { Vary: answer.varies }
    const headers = { ...safeHeaders(call), ...varying, Location: headerText(withFormat(call, answer.url)) }
    return { status: answer.status, headers, body: '' }
  }
  if (answer.kind === 'text') {
    const { type, fileName, freshUntil = Number.POSITIVE_INFINITY } = answer
    const named: Headers = fileName === undefined ? {} : { 'Content-Disposition': `inline; filename="${fileName}"` }
    const told = { ...named, ...dateHeader(answer) }
    const headers = { ...safeHeaders(call), ...told, 'Content-Type': type, 'Cache-Control': 'no-cache' }
    const cacheable = revision === undefined ? undefined : { revision, freshUntil }
    return { status: 200, headers, body: answer.text, cacheable, etag: cacheable ? undefined : etagOf(answer.text) }
  }
  if (answer.kind === 'frame') {
    const headers = {
      ...pageHeaders(call.deps.config, { framedBy: ['*'] }),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Language': TEXT_LANGUAGE_CODES[call.textLanguage],
      'Cache-Control': 'no-cache',
    }
    const cacheable = revision === undefined ? undefined : { revision, freshUntil: Number.POSITIVE_INFINITY }
    return { status: 200, headers, body: answer.document.html, cacheable }
  }
  const headers = {
    ...safeHeaders(call),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': TEXT_LANGUAGE_CODES[call.textLanguage],
    'Cache-Control': answer.isPrivate ? 'no-store' : 'no-cache',
    ...(answer.waitSeconds === undefined ? {} : { 'Retry-After': answer.waitSeconds }),
  }
  return {
    status: answer.status,
    headers,
    body: presentPage(call, answer),
    cacheable: responseCacheOf(answer, revision),
  }
}

/**
 * Returns an address in the syntax of a header: characters outside visible ASCII are percent-encoded (RFC 9110, 5.5).
 */
function headerText(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

function responseCacheOf(
  { status, isPrivate, freshUntil }: Page,
  revision: number | undefined,
): WireResponse['cacheable'] {
  return revision === undefined || status !== 200 || isPrivate ? undefined : { revision, freshUntil }
}

/** Returns the target of a redirect with the requested feed format added. */
function withFormat({ format }: PageCall, url: string): string {
  if (format === undefined || /[?&](?:ical|outlook-ical|feed)=/.test(url) || /[/](?:ical|feed)[/]/.test(url)) return url
  const asked = format === 'ics' ? 'ical=1' : `feed=${format === 'atom' ? 'atom' : 'rss2'}`
  return `${url}${url.includes('?') ? '&' : '?'}${asked}`
}

/**
 * Returns the headers of pages. Pages load files of this site, and map tiles from the configured origin. Only the
 * street map needs workers.
 */
function safeHeaders({ deps: { config }, addresses }: PageCall): Headers {
  const tiles = config.mapTileUrl === undefined ? [] : [new URL(config.mapTileUrl.replaceAll(/[{}]/g, '')).origin]
  const workers = [config.mapPmtiles === undefined ? "'none'" : "'self'"]
  return { ...pageHeaders(config, { images: ['data:', ...tiles], workers }), ...discoveryHeaders(addresses) }
}
