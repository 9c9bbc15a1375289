import type { FastifyInstance, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../base/config/config.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import { clientAddress, clientKey } from '../../base/limits/client.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { fail, Problem } from '../../base/problems.ts'
import type { Actor } from '../auth/actor.ts'
import type { HeldKey } from '../auth/key.ts'
import { credentialsOf } from '../auth/presented.ts'
import type { Session } from '../auth/session.ts'
import type { Deps } from '../deps.ts'
import { type Addresses, addressesOf } from './addresses.ts'
import { callerOf, depsFor } from './caller.ts'
import { commonHeaders, corsHeaders, uncacheable } from './headers.ts'
import { transportHeaders } from './page.headers.ts'
import { basesOf } from './place.ts'
import { namesOf, presentFaultTexts } from './problem.present.ts'
import { siteOf } from './site.ts'

/** What a handler of our own namespace works with. */
export interface ServiceCall {
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
}

export type ServiceHandler = (call: ServiceCall, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Registers one route; its address stands below the namespace. */
export type AddRoute = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  handle: ServiceHandler,
) => void

/** Status of the framework's error for a content type that is none, such as `;` (RFC 9110, 15.5.16). */
const unreadableType = 415

export function serviceNamespaceOf(config: Pick<Config, 'vendorWord'>): string {
  return `${config.vendorWord}/service/v1`
}

const problemType = 'application/problem+json; charset=UTF-8'

/** The variant of our own namespace that a path is of; undefined where it is of none. */
export function serviceVariantOf(config: Config, path: string): TextLanguage | undefined {
  const folded = path.toLowerCase()
  return basesOf(config).find(({ base }) => folded.startsWith(`${base}/${serviceNamespaceOf(config)}/`))?.variant
}

/** The answer to a request of our own namespace that is refused before anything looks at it. */
export function refuseService(problem: Problem, language: TextLanguage) {
  const { status, headers } = problem
  const body = JSON.stringify(problemDetails(problem, language))
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff', 'Content-Type': problemType }, body }
}

/** How a failure is told: `presentProblem`’s way is the contract's, this one that of RFC 9457. */
function problemDetails(problem: Problem, language: TextLanguage): object {
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

/**
 * Routes that the contract does not know, at the addresses of every language of texts. They are read and answered by the
 * framework, and say failures as problem details (RFC 9457). Bodies come as streams.
 */
export function serveNamespace(
  server: FastifyInstance,
  deps: Deps,
  namespace: string,
  routes: (add: AddRoute) => void,
  present: (problem: Problem, language: TextLanguage) => object = problemDetails,
): void {
  for (const { variant, base } of basesOf(deps.config)) {
    void server.register(serviceRoutes(deps, variant, routes, present), { prefix: `${base}/${namespace}` })
  }
}

/** What clients see of an error: a problem as it is, what the framework has against their request, else a bug. */
function problemOf(error: Error & { readonly statusCode?: number }): Problem {
  if (error instanceof Problem) return error
  if (error.statusCode !== unreadableType) return new Problem('internal_server_error', { cause: error })
  const faults = { 'Content-Type': { text: 'fault.invalid' } } as const
  return new Problem('rest_invalid_param', { status: unreadableType, faults })
}

function serviceRoutes(
  deps: Deps,
  textLanguage: TextLanguage,
  routes: (add: AddRoute) => void,
  present: (problem: Problem, language: TextLanguage) => object,
): FastifyPluginCallback {
  return (scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, payload, parsed) => parsed(null, payload))
    const addressesFor = (request: FastifyRequest) =>
      addressesOf(deps.config, siteOf(deps.config, request), textLanguage)
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers({
        ...commonHeaders(addressesFor(request)),
        ...transportHeaders(deps.config),
        ...corsHeaders(deps.config, request.headers.origin),
      })
    })
    scope.setErrorHandler((error: Error, request, reply) => {
      const problem = problemOf(error)
      updateRequestTrace({ problem: problem.code })
      if (problem.cause !== undefined) request.log.error(problem.cause)
      const type = present === problemDetails ? problemType : 'application/json; charset=UTF-8'
      // What is left of a body that nobody reads would be taken for the next request.
      if (!request.raw.readableEnded) reply.header('Connection', 'close')
      return reply.status(problem.status).headers(problem.headers).type(type).send(present(problem, textLanguage))
    })
    routes((method, path, handle) => {
      scope.route({
        method,
        url: path,
        handler: (request, reply) =>
          deps.limits.inFlight.run(async () => {
            const addresses = addressesFor(request)
            const client = clientKey(deps.config, request.raw)
            const { method, headers } = request
            const sent = credentialsOf({ method, headers, site: addresses.site, isJsonp: false })
            const caller = await callerOf(deps, client, sent)
            const { actor, session, key, limitHeaders } = caller
            reply.headers(actor.kind === 'user' ? { ...limitHeaders, ...uncacheable } : limitHeaders)
            const address = clientAddress(deps.config, request.raw)
            // Keys and sessions are written aside, of which no revision tells a replica: they are read where they are written.
            const own = depsFor(deps, caller, { isReading: false, address, headers })
            return handle({ deps: own, actor, session, key, client, addresses, textLanguage }, request, reply)
          }),
      })
    })
    scope.all('/*', async (request, reply) => {
      // A browser that asks for a page of another origin what it may send: the headers above say it.
      if (request.method === 'OPTIONS') return reply.status(204).send()
      return fail('rest_no_route')
    })
    done()
  }
}
