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
import type { Addresses } from './addresses.ts'
import type { Arguments, ArgumentValues, RawParameters } from './argument.ts'
import type { NamespacePolicy } from './namespace.ts'
import { namesOf, presentFaultTexts } from './problem.present.ts'
import { pathPrefixesOf } from './request.location.ts'
import type { EndpointBase, EndpointResult, Route } from './route.ts'

/** A request of our own namespace before its parameters are read. */
export interface ServiceRequest<P extends Arguments = Arguments> {
  readonly deps: Deps
  readonly actor: Actor
  /** Set where a browser asks for somebody who has signed in. */
  readonly session: Session | undefined
  /** Set where a program asks that has shown a key. */
  readonly key: HeldKey | undefined
  /** What the client is counted by; undefined where it is not. */
  readonly client: string | undefined
  readonly addresses: Addresses
  readonly textLanguage: TextLanguage
  /** Below the prefix: `cal/service/v1`. */
  readonly namespace: string
  /** Path of the request, without its query. */
  readonly requestPath: string
  readonly headers: IncomingHttpHeaders
  readonly path: ArgumentValues<P>
}

/** What a handler of our own namespace works with. */
export interface ServiceCall<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends ServiceRequest<P> {
  /** What the endpoint found before its parameters were read. */
  readonly target: T
  readonly values: ArgumentValues<A>
  /** Value of the language parameter, where the endpoint takes it and it was sent. */
  readonly language: Language | undefined
  /** The body of an upload; undefined where there is none. */
  readonly upload: Upload<A> | undefined
}

/** A body that its endpoint reads by itself. */
export interface Upload<A extends Arguments = Arguments> {
  readonly body: Readable
  /** Reads the fields that have come with the file, by the table of the endpoint. */
  readonly read: (fields: RawParameters) => Promise<Pick<ServiceCall<Arguments, A>, 'values' | 'language'>>
}

/** An endpoint of our own namespace: rights and what the path names are checked first, parameters after. */
export interface ServiceEndpoint<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends EndpointBase<P, A> {
  /** Finds what the path names, or refuses the request, before its parameters are read. */
  readonly target?: (request: ServiceRequest<P>) => T | Promise<T>
  readonly handle: (call: ServiceCall<P, A, T>) => Promise<EndpointResult>
}

// biome-ignore lint/suspicious/noExplicitAny: endpoints of all shapes are held together.
export type ServiceRoute = Route<ServiceEndpoint<any, any, any>>

/** Says an endpoint with its types inferred from its arguments and its target. */
export function serviceEndpoint<const P extends Arguments, const A extends Arguments, T = undefined>(
  definition: ServiceEndpoint<P, A, T>,
): ServiceEndpoint<P, A, T> {
  return definition
}

/** For those who have signed in or shown a key. */
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

/** The variant of our own namespace that a path is of; undefined where it is of none. */
export function serviceVariantOf(config: Config, path: string): TextLanguage | undefined {
  const folded = path.toLowerCase()
  return pathPrefixesOf(config).find(({ base }) => folded.startsWith(`${base}/${serviceNamespaceOf(config)}/`))?.variant
}

/** The answer to a request of our own namespace that is refused before anything looks at it. */
export function refuseService(problem: Problem, language: TextLanguage) {
  const { status, headers } = problem
  const body = JSON.stringify(presentProblemDetails(problem, language))
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff', 'Content-Type': problemType }, body }
}

/** How a failure is told: `presentProblem`’s way is the contract's, this one that of RFC 9457. */
function presentProblemDetails(problem: Problem, language: TextLanguage): object {
  const faults = presentFaultTexts(problem, language)
  const names = namesOf(problem)
  return {
    type: 'about:blank',
    title: message(language, problem.text, { names: names.join(', '), count: names.length }),
    status: problem.status,
    code: problem.code,
    ...(Object.keys(faults).length > 0 ? { errors: faults } : {}),
  }
}
