import type { TextLanguage } from '../../base/languages/language.ts'
import { updateRequestTrace } from '../../base/monitoring/request.trace.ts'
import { Problem } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { addressesOf } from './addresses.ts'
import type { RawParameters } from './argument.ts'
import { depsForRequest } from './caller.ts'
import { joinHeaders } from './headers.ts'
import type { Namespace } from './namespace.ts'
import { recordHeadersOf } from './record.headers.ts'
import { callService } from './service.call.ts'
import { readPath } from './service.reading.ts'
import type { ServiceRequest, ServiceRoute, Wait } from './service.ts'
import type { WireRequest, WireResponse } from './wire.ts'

export const jsonType = 'application/json; charset=utf-8'

/** A read of a namespace of our own that a reader thread answers. */
export interface ServiceRead {
  /** The path below the prefix: `cal/service/v1`. */
  readonly namespace: string
  /** The path of the route: `/events/{id}`. */
  readonly route: string
  readonly textLanguage: TextLanguage
  /** The parameters in the path, unchanged. */
  readonly path: RawParameters
  /** The parameters in the query, unchanged. */
  readonly query: RawParameters
  /** What the endpoint has waited for, if it is asked again. */
  readonly waited: Wait | undefined
}

/** Answers such a read, with the caller of the request. A problem is an answer too. */
export async function answerServiceRead(
  {
    deps,
    namespaces,
    report,
  }: {
    readonly deps: Deps
    readonly namespaces: readonly Namespace<ServiceRoute>[]
    readonly report: (error: unknown) => void
  },
  request: WireRequest,
  read: ServiceRead,
): Promise<WireResponse> {
  const { config } = deps
  const namespace = namespaces.find(({ name }) => name(config) === read.namespace)
  const route = namespace?.routes.find(({ path }) => path === read.route)
  const endpoint = route?.endpoints.find(({ methods }) => methods.includes('GET'))
  const { caller } = request
  if (!namespace || !route || !endpoint || !caller) throw new Error(`Nothing answers ${read.namespace}${read.route}.`)
  const { policy } = namespace
  try {
    const { headers, address, client, site } = request
    const { actor, session, key } = caller
    const own = depsForRequest(deps, caller, { isReading: false, address, headers })
    const asked: ServiceRequest = {
      ...{ deps: own, actor, session, key, client, headers, textLanguage: read.textLanguage },
      addresses: addressesOf(config, site, read.textLanguage),
      ...{ namespace: read.namespace, requestPath: request.path, query: read.query },
      path: await readPath(own, endpoint.path, { actor, sent: read.path }),
    }
    const sent = async () => ({ parameters: read.query, dryRun: undefined })
    const { answer } = await callService(
      asked,
      { route, endpoint, policy },
      { method: 'GET', sent, waited: read.waited },
    )
    return {
      status: answer.status,
      headers: joinHeaders(recordHeadersOf(answer), answer.headers ?? {}, { 'Content-Type': jsonType }),
      body: JSON.stringify(answer.body),
      ...{ version: answer.version, wait: answer.wait },
    }
  } catch (error) {
    const problem = error instanceof Problem ? error : new Problem('internal_server_error', { cause: error })
    updateRequestTrace({ problem: problem.code })
    if (problem.cause !== undefined) report(problem.cause)
    const body = JSON.stringify(policy.problems.present(problem, read.textLanguage))
    const { status, headers } = problem
    return { status, headers: joinHeaders(headers, { 'Content-Type': policy.problems.type }), body }
  }
}
