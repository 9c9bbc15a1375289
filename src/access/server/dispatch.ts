import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Config } from '../../base/config/config.ts'
import { acceptedLanguage } from '../../base/languages/accept.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { fail, type Problem } from '../../base/problems.ts'
import type { Caller } from '../auth/authentication.ts'
import { credentialsOf } from '../auth/request.credentials.ts'
import type { Deps } from '../deps.ts'
import { type Addresses, addressesOf, languageParameterNames } from '../http/addresses.ts'
import { textHeaders } from '../http/answers/headers.ts'
import { readShape } from '../http/answers/response.shape.ts'
import { watchedClock } from '../http/answers/watched.clock.ts'
import type { RawParameters } from '../http/arguments/argument.ts'
import {
  createParameterReport,
  prefersStrictHandling,
  reportUnknownParameters,
} from '../http/arguments/parameter.report.ts'
import { maxReadBodyBytes, parseForm, parseParameters, readBodyNames } from '../http/arguments/parameters.ts'
import type { Method } from '../http/call.ts'
import { callerOf, depsForRequest } from '../http/caller.ts'
import { contractPolicy } from '../http/namespace.ts'
import { locateRequest, type RequestLocation, root } from '../http/request.location.ts'
import { type Endpoint, type EndpointResult, isWrite, matchRoute, type Route } from '../http/route.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import type { Readers } from '../readers/readers.ts'
import { allowedMethods, runEndpoint } from './endpoint.runner.ts'
import { type Exchange, nobody, plainShape, type ReaderResponse, refusal, respond } from './exchange.ts'

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
  const clock = watchedClock(deps.now)
  const exchange = { ...exchangeOf(deps, request, variant), lastUse: clock.lastUse }
  return respond(exchange, api.report, () => answer({ ...deps, now: clock.now }, exchange, { api, below }))
}

/** Answers a request that could not be parsed. */
export function refuse(deps: Deps, request: WireRequest, problem: Problem): WireResponse {
  return refusal(exchangeOf(deps, request, locateRequest(deps.config, request).variant), problem)
}

/** Returns what is known at first. The address determines the language of texts, unless a header may choose another. */
function exchangeOf({ config }: Deps, request: WireRequest, variant: TextLanguage): Exchange {
  const { headers, site } = request
  const accepted = config.usesAcceptLanguage ? acceptedLanguage(headers['accept-language'] ?? '') : undefined
  const addresses = addressesOf(config, site, variant)
  return {
    ...{ config, request, addresses, policy: contractPolicy, namespace: addresses.namespace },
    ...{
      language: config.addressLanguages[variant],
      textLanguage: accepted ?? variant,
      shape: plainShape,
      allow: [],
      caller: nobody,
    },
    parameterReport: createParameterReport(prefersStrictHandling(headers.prefer)),
    // The answer to a write shows the record, but not as a read shows it (RFC 9110, 9.3.4).
    hasValidator: ({ document, version }) =>
      document !== undefined || (version !== undefined && (request.method === 'GET' || request.method === 'HEAD')),
  }
}

/** The steps of conventions.md §3, in their order, up to those of an endpoint. */
async function answer(
  deps: Deps,
  exchange: Exchange,
  { api, below }: Pick<RequestLocation, 'below'> & { readonly api: ApiDefinition },
): Promise<EndpointResult | ReaderResponse> {
  const { readers } = api
  const { request, addresses, textLanguage } = exchange
  const query = parseForm(request.query)
  exchange.shape = readShape(query, deps.config.isJsonpAllowed)
  const isJsonp = exchange.shape.jsonp !== undefined
  const credentials = () => credentialsOf({ ...request, site: addresses.site, isJsonp })
  const caller = request.caller ?? (await callerOf(deps, request.client, credentials()))
  exchange.caller = caller
  const nonce = query._wpnonce ?? request.headers['x-wp-nonce']
  if (nonce !== undefined && caller.actor.kind === 'visitor') fail('rest_cookie_invalid_nonce')

  const method = methodOf(request, query)
  const ofTexts = (body: object) => ({ status: 200, body, headers: textHeaders(deps.config, textLanguage) })
  if (below === root) {
    exchange.route = '/'
    return method === 'GET' ? ofTexts(api.root(addresses, textLanguage)) : fail('rest_no_route')
  }
  const found = below === undefined ? undefined : matchRoute(api.routes, below)
  if (!found) return method === 'OPTIONS' ? { status: 200, body: [] } : fail('rest_no_route')
  const { route, path } = found
  exchange.route = `/${addresses.namespace}${route.path}`
  const own = depsForRequest(deps, caller, { ...request, isReading: method === 'GET' || method === 'OPTIONS' })
  if (method === 'OPTIONS') {
    exchange.allow = await allowedMethods(own, exchange, found)
    return ofTexts(api.describe(route, addresses, textLanguage))
  }
  const endpoint = route.endpoints.find(({ methods }) => methods.includes(method as Method))
  if (!endpoint) return fail('rest_no_route')
  if (request.revision !== undefined && isShareable(request, caller)) {
    exchange.revision = await revisionOf(deps, own, request.revision)
  }
  return runEndpoint(own, exchange, {
    ...{ route, endpoint, path, query },
    sent: () => sentParameters(deps, exchange, { endpoint, path }),
    byReader: readers && ((asked) => readers.answer(asked, 'interface')),
  })
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

/**
 * Returns the effective method of a request. Only a POST may stand for another method: a GET never writes (rulings.md
 * 19).
 */
function methodOf(request: WireRequest, query: RawParameters): string {
  const override = query._method ?? request.headers['x-http-method-override']
  const method = request.method === 'POST' && typeof override === 'string' ? override.toUpperCase() : request.method
  return method === 'HEAD' ? 'GET' : method
}

/**
 * Reads the parameters of a request from its address and its body. Unknown parameters are reported.
 *
 * @throws rest_request_too_large, for the body of a read; rest_invalid_json
 */
async function sentParameters(
  { config }: Deps,
  { request, parameterReport }: Exchange,
  { endpoint, path }: { readonly endpoint: Endpoint; readonly path: RawParameters },
): Promise<{ readonly parameters: RawParameters }> {
  const { method, query, headers, body } = request
  const words = languageParameterNames(config)
  const isReadBody = !isWrite(endpoint) && body !== undefined && body.length > 0
  if (isReadBody && body.length > maxReadBodyBytes) fail('rest_request_too_large')
  const ignored: string[] = []
  const parameters = await parseParameters({
    ...{ method, query, contentType: headers['content-type'], body },
    bodyNames: isReadBody ? readBodyNames(endpoint.args, [words.language, ...Object.keys(path)]) : undefined,
    onIgnored: (name) => ignored.push(name),
  })
  const names = [words.language, ...(endpoint.translationOf ? [words.translationOf] : [])]
  // Contract: the path wins; a parameter with the same value adds nothing (conventions.md §9 row 1).
  const same = Object.keys(path).filter(
    (name) => typeof parameters[name] !== 'object' && String(parameters[name]) === String(path[name]),
  )
  const known = new Set([...names, ...same])
  reportUnknownParameters(parameterReport, Object.keys(parameters), { args: endpoint.args, known })
  // A known parameter in a place from which it is not read: a file in a form, or one that only an address may name.
  for (const name of ignored) if (Object.hasOwn(endpoint.args, name)) parameterReport.ignore(name)
  reportUnknownParameters(parameterReport, ignored, { args: endpoint.args, known })
  return { parameters }
}
