import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../base/config/config.ts'
import { acceptedLanguage } from '../../base/languages/accept.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { fail, Problem } from '../../base/problems.ts'
import { type Actor, visitor } from '../auth/actor.ts'
import type { Caller } from '../auth/authentication.ts'
import { assertMayWrite, onlyPlans } from '../auth/key.limits.ts'
import { credentialsOf } from '../auth/request.credentials.ts'
import type { Deps } from '../deps.ts'
import { type Addresses, addressesOf } from '../http/addresses.ts'
import type { RawParameters } from '../http/argument.ts'
import { callerOf, depsForRequest } from '../http/caller.ts'
import { dryRun } from '../http/dry.run.ts'
import { etagOf } from '../http/etag.ts'
import { commonHeaders, corsHeaders, joinHeaders, preflightHeaders, textHeaders, uncacheable } from '../http/headers.ts'
import { transportHeaders } from '../http/page.headers.ts'
import { createParameterReport, prefersStrictHandling } from '../http/parameter.report.ts'
import { parseForm } from '../http/parameters.ts'
import { presentProblem } from '../http/problem.present.ts'
import { isShortRead } from '../http/read.cost.ts'
import { recordHeadersOf } from '../http/record.headers.ts'
import { locateRequest, type RequestLocation, root } from '../http/request.location.ts'
import { enveloped, readShape, serialise } from '../http/response.shape.ts'
import { type Endpoint, type EndpointResult, isWrite, type Method, matchRoute, type Route } from '../http/route.ts'
import { watchedClock } from '../http/watched.clock.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import type { Readers } from '../readers/readers.ts'
import { callEndpoint, type RequestState } from './endpoint.call.ts'

/** The parts of the interface. */
export interface ApiDefinition {
  readonly routes: readonly Route[]
  /** The entry of a route in the index: what OPTIONS answers. */
  readonly describe: (route: Route, addresses: Addresses, language: TextLanguage) => object
  /** The document at the root, above the namespace. */
  readonly root: (addresses: Addresses, language: TextLanguage) => object
  /** Answers a request for a public page instead of the interface; undefined if it is for no public page. */
  readonly pages?: ((deps: Deps, request: WireRequest) => Promise<WireResponse | undefined>) | undefined
  /** Whether the `Accept` header decides if a request is for a public page. */
  readonly variesByAccept?: ((config: Config, request: WireRequest) => Promise<boolean>) | undefined
  /** Answer the reads that may take long; undefined in a process without reader threads, and in such a thread itself. */
  readonly readers?: Readers | undefined
  /**
   * Sees every request first and answers those about the process instead of the calendar, such as health checks: for
   * any host, at any rate and under any load. Returns false for every other request.
   */
  readonly answerProbe?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** Receives every internal error: every thrown error that is not a problem of the contract, and the causes. */
  readonly report: (error: unknown) => void
}

/** Answers any request of the interface. */
export async function dispatch(deps: Deps, api: ApiDefinition, request: WireRequest): Promise<WireResponse> {
  const { variant, below } = locateRequest(deps.config, request)
  const addresses = addressesOf(deps.config, request.site, variant)
  const progress = initialState(deps, request, variant)
  const clock = watchedClock(deps.now)
  let answer: EndpointResult
  try {
    const made = await respond({ ...deps, now: clock.now }, api, { request, below, addresses, progress })
    if ('byReader' in made) return made.byReader
    answer = made
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('internal_server_error', { cause: error })
    updateRequestTrace({ problem: problem.code })
    if (problem.cause !== undefined) api.report(problem.cause)
    answer = answerProblem(deps, problem, progress)
  }
  const { revision } = progress
  const long = answer.document && 'pieces' in answer.document ? answer.document : undefined
  const cacheable =
    revision === undefined || answer.status !== 200 || long
      ? undefined
      : { revision, freshUntil: answer.freshUntil ?? clock.lastUse() ?? Number.POSITIVE_INFINITY }
  const response = buildResponse(deps, { request, addresses, progress }, answer)
  const { version } = answer
  // The answer to a write shows the record, but not as a read shows it (RFC 9110, 9.3.4).
  const isRecord = version !== undefined && (request.method === 'GET' || request.method === 'HEAD')
  const hasOwnValidator = (answer.document !== undefined || isRecord) && answer.status === 200 && !cacheable
  const { route } = progress
  if (long) return { ...response, route, pieces: long.pieces, etag: long.etag }
  const etag = hasOwnValidator ? etagOf(response.body, version) : undefined
  return { ...response, route, cacheable, version, etag }
}

/** Answers a request that could not be parsed. */
export function refuse(deps: Deps, request: WireRequest, problem: Problem): WireResponse {
  const { variant } = locateRequest(deps.config, request)
  const progress = initialState(deps, request, variant)
  const addresses = addressesOf(deps.config, request.site, variant)
  return buildResponse(deps, { request, addresses, progress }, answerProblem(deps, problem, progress))
}

/** The initial state. The address determines the language of texts, unless a header may choose another. */
function initialState({ config }: Deps, { headers }: WireRequest, variant: TextLanguage): RequestState {
  const accepted = config.usesAcceptLanguage ? acceptedLanguage(headers['accept-language'] ?? '') : undefined
  return {
    actor: visitor,
    language: config.addressLanguages[variant],
    textLanguage: accepted ?? variant,
    shape: { isEnvelope: false, isPretty: false, jsonp: undefined },
    allow: [],
    revision: undefined,
    limitHeaders: {},
    route: undefined,
    keyed: undefined,
    parameterReport: createParameterReport(prefersStrictHandling(headers.prefer)),
  }
}

function answerProblem(deps: Deps, problem: Problem, progress: RequestState): EndpointResult {
  return inTextLanguage(deps, { ...presentProblem(problem, progress.textLanguage), headers: problem.headers }, progress)
}

/** A request with its namespace. */
interface Located {
  readonly request: WireRequest
  readonly below: RequestLocation['below']
  readonly addresses: Addresses
  readonly progress: RequestState
}

/** A complete response, made in a reader thread by the same steps. */
interface ReaderResponse {
  readonly byReader: WireResponse
}

/** The steps of conventions.md §3, in their order. */
async function respond(
  deps: Deps,
  api: ApiDefinition,
  { request, below, addresses, progress }: Located,
): Promise<EndpointResult | ReaderResponse> {
  const query = parseForm(request.query)
  progress.shape = readShape(query, deps.config.isJsonpAllowed)
  const isJsonp = progress.shape.jsonp !== undefined
  const caller = request.caller ?? (await callerOf(deps, request.client, credentialsIn(request, addresses, isJsonp)))
  progress.actor = caller.actor
  progress.limitHeaders = caller.limitHeaders
  const nonce = query._wpnonce ?? request.headers['x-wp-nonce']
  if (nonce !== undefined && progress.actor.kind === 'visitor') fail('rest_cookie_invalid_nonce')

  const method = methodOf(request, query)
  if (below === root) {
    progress.route = '/'
    if (method !== 'GET') return fail('rest_no_route')
    return inTextLanguage(deps, { status: 200, body: api.root(addresses, progress.textLanguage) }, progress)
  }
  const found = below === undefined ? undefined : matchRoute(api.routes, below)
  if (!found) return method === 'OPTIONS' ? { status: 200, body: [] } : fail('rest_no_route')
  progress.route = `/${addresses.namespace}${found.route.path}`
  const ownDeps = depsForRequest(deps, caller, { ...request, isReading: method === 'GET' || method === 'OPTIONS' })
  const allow = () => allowedMethods(ownDeps, found, { ...progress, key: caller.key })
  if (method === 'OPTIONS') {
    progress.allow = await allow()
    const body = api.describe(found.route, addresses, progress.textLanguage)
    return inTextLanguage(deps, { status: 200, body }, progress)
  }
  const endpoint = found.route.endpoints.find(({ methods }) => methods.includes(method as Method))
  if (!endpoint) return fail('rest_no_route')
  if (isWrite(endpoint)) assertMayWrite(caller.key)
  const { languageParameter } = deps.config
  const asked = { query, body: request.body, actor: caller.actor, languageParameter }
  if (api.readers && method === 'GET' && !isShortRead(endpoint, asked)) {
    const byReader = await api.readers.answer({ ...request, caller }, 'interface')
    if (byReader) return { byReader }
  }

  if (request.revision !== undefined && isShareable(request, caller)) {
    progress.revision = await revisionOf(deps, ownDeps, request.revision)
  }
  // This precedes the call, because a change may move the item away from its slug.
  progress.allow = await allow()
  const call = { request, addresses, endpoint, route: found.route, path: found.path, allow }
  const answer = (own: Deps) => callEndpoint(own, progress, call)
  return isWrite(endpoint) && onlyPlans(caller.key) ? dryRun(ownDeps, answer) : answer(ownDeps)
}

function credentialsIn(request: WireRequest, { site }: Addresses, isJsonp: boolean) {
  return credentialsOf({ ...request, site, isJsonp })
}

/** Whether every caller who sends the same request gets the same answer. */
function isShareable({ method, headers, body }: WireRequest, { actor }: Caller): boolean {
  return method === 'GET' && actor.kind === 'visitor' && headers.authorization === undefined && !body?.length
}

/**
 * Returns the revision of the content from which an answer is made. It is read before the content, so that a concurrent
 * write makes the answer outdated. A replica has its own revision.
 */
export async function revisionOf(deps: Deps, ownDeps: Deps, revision: number): Promise<number | undefined> {
  return ownDeps.storage.db === deps.storage.db ? revision : ownDeps.storage.revision()
}

/** Returns an answer that contains only texts of the service itself. */
function inTextLanguage({ config }: Deps, answer: EndpointResult, { textLanguage }: RequestState): EndpointResult {
  return { ...answer, headers: { ...answer.headers, ...textHeaders(config, textLanguage) } }
}

/**
 * Returns the effective method of a request. Only a POST may stand for another method: a GET never writes (rulings.md
 * 19).
 */
function methodOf(request: WireRequest, query: RawParameters): string {
  const override = query._method ?? request.headers['x-http-method-override']
  const method = request.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : request.method
  return method === 'HEAD' ? 'GET' : method
}

/** Returns the methods that the caller may use on a route, on this item, in the order in which the route lists them. */
async function allowedMethods(
  deps: Deps,
  { route, path }: { readonly route: Route; readonly path: RawParameters },
  { actor, language, key }: RequestState & { readonly key: Caller['key'] | undefined },
): Promise<readonly Method[]> {
  // A visitor may not write at all, so the item is not needed.
  const { languages, defaultLanguage } = deps.config
  const target =
    actor.kind === 'visitor'
      ? undefined
      : await route.target?.(deps.storage.db, path, { actor, language, languages, defaultLanguage })
  const isOpen = (endpoint: Endpoint) =>
    endpoint.isOpenTo(actor, target) && !(isWrite(endpoint) && key?.scope === 'read')
  return route.endpoints.flatMap((endpoint) => (isOpen(endpoint) ? endpoint.methods : []))
}

function buildResponse(
  { config }: Deps,
  { request, addresses, progress }: Omit<Located, 'below'>,
  answer: EndpointResult,
): WireResponse {
  const { actor, shape, allow, limitHeaders, parameterReport } = progress
  const headers = joinHeaders(
    commonHeaders(addresses),
    transportHeaders(config),
    corsHeaders(config, request.headers.origin),
    preflightHeaders(request.headers['access-control-request-headers']),
    isPrivate(request, actor, answer) ? uncacheable : {},
    allow.length > 0 ? { Allow: allow.join(', ') } : {},
    limitHeaders,
    parameterReport.headers(),
    recordHeadersOf(answer, progress.keyed),
    answer.headers ?? {},
  )
  if (answer.status === 304) return { status: 304, headers, body: '' }
  if (answer.document) {
    const { type } = answer.document
    const body = 'text' in answer.document ? answer.document.text : ''
    return { status: answer.status, headers: { ...headers, 'Content-Type': type }, body }
  }
  const shown = shape.isEnvelope ? enveloped(answer, headers) : answer
  const { text, type } = serialise(shown, shape)
  return { status: shown.status, headers: { ...headers, 'Content-Type': type }, body: text }
}

/** Contract: caches may store neither answers to users nor refusals of a request with an override or a nonce. */
function isPrivate({ headers }: WireRequest, actor: Actor, { status }: EndpointResult): boolean {
  const hasOwnWord = headers['x-http-method-override'] !== undefined || headers['x-wp-nonce'] !== undefined
  return actor.kind === 'user' || (status >= 400 && hasOwnWord)
}
