import { visitor } from '../auth/actor.ts'
import type { Config } from '../config/config.ts'
import type { Deps } from '../deps.ts'
import { addressesOf } from '../http/addresses.ts'
import type { Sent } from '../http/argument.ts'
import { depsFor } from '../http/caller.ts'
import { watchedClock } from '../http/clock.ts'
import { revisionOf } from '../http/dispatch.ts'
import type { Headers } from '../http/headers.ts'
import { pageHeaders } from '../http/page.headers.ts'
import { parseForm } from '../http/parameters.ts'
import { locate } from '../http/place.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import { type Language, TEXT_LANGUAGE_CODES, type TextLanguage, textLanguageOf } from '../languages/language.ts'
import { note } from '../monitoring/seen.ts'
import { Problem } from '../problems.ts'
import { calendarUrl, viewPath } from './page.addresses.ts'
import { presentPage } from './page.layout.ts'
import { type FoundPage, isIdQuery, matchPage, type Show } from './page.routes.ts'
import { type Page, type PageAnswer, type PageCall, type PageFiles, sayIn } from './page.ts'
import { brokenPage, busyPage } from './problem.page.ts'

const longestForm = 4096

/** What the pages need beside the rooms. */
export interface PageSurroundings {
  readonly files: () => Promise<PageFiles>
  readonly report: (error: unknown) => void
}

/** Answers requests for public pages; those of everything else, undefined, are left to the interface. */
export function pagesOf({ files, report }: PageSurroundings) {
  return async (deps: Deps, request: WireRequest): Promise<WireResponse | undefined> => {
    if (!deps.config.isServingPages) return undefined
    const isFrench = /^\/fr(?:\/|$)/i.test(request.path)
    const path = isFrench ? request.path.slice('/fr'.length) : request.path
    const query = parseForm(request.query)
    const isOfInterface = locate(deps.config, request).below !== undefined && !isIdQuery(path, query)
    const found = isRootForPeople(request, query) ? rootPage : isOfInterface ? undefined : matchPage(path, query)
    if (!found || !isAsked(request)) return undefined
    const own = depsFor(deps, { actor: visitor, lastRevision: 0 }, { ...request, isReading: true })
    const revision = request.revision === undefined ? undefined : await revisionOf(deps, own, request.revision)
    const textLanguage = isFrench ? 'fr' : 'en'
    const language = contentLanguageOf(deps.config, textLanguage)
    const clock = watchedClock(deps.now)
    const call: PageCall = {
      deps: own,
      addresses: addressesOf(deps.config, request.site, textLanguage),
      ...{ textLanguage, language, path, query, search: request.query },
      viewer: { actor: visitor, language, defaultLanguage: deps.config.defaultLanguage },
      client: request.client,
      form: formOf(request),
      files: await files(),
      now: clock.now(),
      say: sayIn(textLanguage),
    }
    const answer = await asCalendar(call, found.show).catch((error: unknown) => {
      note({ problem: error instanceof Problem ? error.code : 'internal_server_error' })
      if (error instanceof Problem && error.code === 'rest_too_many_requests') return busyPage(call, error)
      report(error)
      return brokenPage(call)
    })
    return { ...wireOf(call, answer, revision), route: found.route }
  }
}

/** The page, or where a calendar of what it shows is, if that was asked for: programs take either for the same. */
async function asCalendar(call: PageCall, show: Show): Promise<PageAnswer> {
  const page = await show(call)
  if (call.query.ical !== '1' || call.form || page.kind !== 'page' || page.status !== 200) return page
  return { kind: 'elsewhere', status: 302, url: calendarUrl(call, page) }
}

/**
 * Whether a person asks for the root of the site. It is also the root of the interface, which is for programs: they do
 * not ask for pages.
 */
function isRootForPeople({ path, headers }: WireRequest, query: Sent): boolean {
  const isRoot = /^\/(?:fr\/?)?$/i.test(path) && query.rest_route === undefined && !isIdQuery('/', query)
  return isRoot && /(?:^|,)\s*text\/html\s*(?:;|,|$)/i.test(headers.accept ?? '')
}

const rootPage: FoundPage = {
  route: '/',
  show: async (call) => ({ kind: 'elsewhere', status: 302, url: viewPath(call, 'list'), varies: 'Accept' }),
}

function isAsked({ method, headers }: WireRequest): boolean {
  if (method === 'GET' || method === 'HEAD') return true
  const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  return method === 'POST' && type === 'application/x-www-form-urlencoded'
}

function formOf({ method, body }: WireRequest): PageCall['form'] {
  if (method !== 'POST') return undefined
  return body && body.length <= longestForm ? parseForm(body.toString('utf8')) : {}
}

/** The language of content on pages whose texts are in this one. */
function contentLanguageOf({ languages, defaultLanguage }: Config, textLanguage: TextLanguage): Language {
  const own = [defaultLanguage, ...languages].find((language) => textLanguageOf(language) === textLanguage)
  return own ?? TEXT_LANGUAGE_CODES[textLanguage]
}

function wireOf(call: PageCall, answer: PageAnswer, revision: number | undefined): WireResponse {
  if (answer.kind === 'elsewhere') {
    const varying: Headers = answer.varies === undefined ? {} : { Vary: answer.varies }
    const headers = { ...safeHeaders(call), ...varying, Location: headerText(answer.url) }
    return { status: answer.status, headers, body: '' }
  }
  if (answer.kind === 'text') {
    const headers = { ...safeHeaders(call), 'Content-Type': answer.type, 'Cache-Control': 'no-cache' }
    const kept = revision === undefined ? undefined : { revision, freshUntil: Number.POSITIVE_INFINITY }
    return { status: 200, headers, body: answer.text, kept }
  }
  const headers = {
    ...safeHeaders(call),
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Language': TEXT_LANGUAGE_CODES[call.textLanguage],
    'Cache-Control': answer.isPrivate ? 'no-store' : 'no-cache',
    ...(answer.waitSeconds === undefined ? {} : { 'Retry-After': answer.waitSeconds }),
  }
  return { status: answer.status, headers, body: presentPage(call, answer), kept: keptOf(answer, revision) }
}

/** An address as a header takes it: what is no plain character percent-encoded (RFC 9110, 5.5). */
function headerText(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

function keptOf({ status, isPrivate, freshUntil }: Page, revision: number | undefined): WireResponse['kept'] {
  return revision === undefined || status !== 200 || isPrivate ? undefined : { revision, freshUntil }
}

/** Pages load what comes from here, and the map its tiles from where the settings say. Only the map with streets has workers. */
function safeHeaders({ deps: { config } }: PageCall): Headers {
  const tiles = config.mapTileUrl === undefined ? [] : [new URL(config.mapTileUrl.replaceAll(/[{}]/g, '')).origin]
  const workers = [config.mapPmtiles === undefined ? "'none'" : "'self'"]
  return pageHeaders(config, { images: ['data:', ...tiles], workers })
}
