import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { Config } from '../../base/config/config.ts'
import type { Language, TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import type { Problem } from '../../base/problems.ts'
import type { Actor } from '../auth/actor.ts'
import type { HeldKey } from '../auth/key.ts'
import type { Session } from '../auth/session.ts'
import type { Deps } from '../deps.ts'
import type { KeyedRequest } from '../idempotency/idempotency.ts'
import type { Addresses } from './addresses.ts'
import type { Arguments, ArgumentValues, RawParameters } from './argument.ts'
import type { NamespacePolicy } from './namespace.ts'
import { namesOf, presentFaultTexts } from './problem.present.ts'
import type { BodyLimits } from './received.body.ts'
import { pathPrefixesOf } from './request.location.ts'
import type { EndpointBase, EndpointResult, Route } from './route.ts'

/** A request of our own namespace before its parameters are read. */
export interface ServiceRequest<P extends Arguments = Arguments> {
  readonly deps: Deps
  readonly actor: Actor
  /** Set if the browser of a signed-in user sends the request. */
  readonly session: Session | undefined
  /** Set if a program sends the request with a key. */
  readonly key: HeldKey | undefined
  /** The key under which the requests of the client are counted; undefined if they are not counted. */
  readonly client: string | undefined
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  /** The path below the prefix: `cal/service/v1`. */
  readonly namespace: string
  /** Path of the request, without its query. */
  readonly requestPath: string
  readonly headers: IncomingHttpHeaders
  /** The parameters in the address, unchanged. */
  readonly query: RawParameters
  readonly path: ArgumentValues<P>
}

/** The arguments of a handler of our own namespace. */
export interface ServiceCall<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends ServiceRequest<P> {
  /** What the endpoint found before its parameters were read. */
  readonly target: T
  readonly values: ArgumentValues<A>
  /** The parameters as they were sent. */
  readonly sent: RawParameters
  /** The idempotency key of a write; undefined if it has none. */
  readonly keyed: KeyedRequest | undefined
  /** Value of the language parameter, if the endpoint accepts it and it was sent. */
  readonly language: Language | undefined
  /** The body of an upload; undefined if there is none. */
  readonly upload: Upload<A> | undefined
  /** What the endpoint has waited for, if it answers the request again after a wait. */
  readonly waited: Wait | undefined
}

/** What an endpoint waits for. It can be sent to another thread. */
export interface Wait {
  readonly [name: string]: unknown
  /** How long, in milliseconds. The clocks of threads differ, so it is not a time. */
  readonly forMs: number
}

/** What ends a wait besides what it waits for. */
export interface WaitEnd {
  /** A time of `performance.now`. */
  readonly untilMs: number
  /** Aborted when the client has gone, or the service stops. */
  readonly signal: AbortSignal
  /** Identifies the client for limits. Clients without a known address count as one. */
  readonly client: string | undefined
}

/** A body that its endpoint reads itself. */
export interface Upload<A extends Arguments = Arguments> {
  readonly body: Readable
  /**
   * Reads the body into memory.
   *
   * @throws as `readBody`
   */
  readonly whole: (bounds: Pick<BodyLimits, 'mostBytes' | 'look'>) => Promise<Buffer>
  /** Reads the fields sent with the file, by the table of the endpoint. */
  readonly read: (fields: RawParameters) => Promise<Pick<ServiceCall<Arguments, A>, 'values' | 'language'>>
}

/** The result of an endpoint of our own namespace. */
export interface ServiceResult extends EndpointResult {
  /** If set, the endpoint waits for this, and is asked again when it happens. If it does not happen, the result is the answer. */
  readonly wait?: Wait
}

/**
 * An endpoint of our own namespace. It checks the rights and looks the item up first, and reads the parameters after.
 */
export interface ServiceEndpoint<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends EndpointBase<P, A> {
  /** Looks up the item in the path, or refuses the request, before the parameters are read. */
  readonly target?: (request: ServiceRequest<P>) => T | Promise<T>
  /** Whether responses have a validator, so that clients need not read the same response again (RFC 9110, 13.1.2). */
  readonly hasValidator?: boolean
  /**
   * Waits for what a result says, in the main thread, and returns whether it has happened. While a request waits, it does not count
   * as in progress.
   */
  readonly waitFor?: (deps: Deps, wait: Wait, end: WaitEnd) => Promise<boolean>
  readonly handle: (call: ServiceCall<P, A, T>) => Promise<ServiceResult>
}

// biome-ignore lint/suspicious/noExplicitAny: endpoints of all shapes are held together.
export type ServiceRoute = Route<ServiceEndpoint<any, any, any>>

/** Defines an endpoint; its types are inferred from its arguments and its target. */
export function serviceEndpoint<const P extends Arguments, const A extends Arguments, T = undefined>(
  definition: ServiceEndpoint<P, A, T>,
): ServiceEndpoint<P, A, T> {
  return definition
}

/** Allows callers who have signed in or sent a key. */
export const openToUsers = (actor: Actor): boolean => actor.kind === 'user'

export function serviceNamespaceOf(config: Pick<Config, 'vendorWord'>): string {
  return `${config.vendorWord}/service/v1`
}

const problemType = 'application/problem+json; charset=UTF-8'

export const servicePolicy: NamespacePolicy = {
  problems: {
    type: problemType,
    present: presentProblemDetails,
    schema: async () => (await import('./problem.schema.ts')).ProblemDetailsSchema,
    common: [
      'rest_invalid_param',
      'incorrect_password',
      'rest_too_many_requests',
      'internal_server_error',
      'service_unavailable',
    ],
  },
  takesForms: false,
  hasDryRuns: true,
  document: {
    title: 'service.title',
    description: 'service.description',
    version: '1.0.0',
    openApi: '3.1.0',
    headers: [],
    bodyTypes: ['application/json'],
    hasSharedParameters: false,
    hasSessions: true,
  },
}

/** Returns the variant of our own namespace to which a path belongs; undefined if it belongs to none. */
export function serviceVariantOf(config: Config, path: string): TextLanguage | undefined {
  const folded = path.toLowerCase()
  return pathPrefixesOf(config).find(({ base }) => folded.startsWith(`${base}/${serviceNamespaceOf(config)}/`))?.variant
}

/** Returns the answer to a request of our own namespace that is refused before it is read. */
export function refuseService(problem: Problem, language: TextLanguage) {
  const { status, headers } = problem
  const body = JSON.stringify(presentProblemDetails(problem, language))
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff', 'Content-Type': problemType }, body }
}

/** How this namespace reports a failure: as RFC 9457 defines. `presentProblem` writes the form of the contract. */
function presentProblemDetails(problem: Problem, language: TextLanguage): object {
  const faults = presentFaultTexts(problem, language)
  const names = namesOf(problem)
  return {
    type: 'about:blank',
    title: message(language, problem.text, { names: names.join(', '), count: names.length }),
    status: problem.status,
    code: problem.code,
    ...(Object.keys(faults).length > 0 ? { errors: faults } : {}),
    ...problem.extra,
  }
}
