import { Problem } from '../../base/problems.ts'
import type { Call, Method } from '../http/call.ts'
import type { RateLimitedCaller } from '../http/caller.ts'
import type { Namespace } from '../http/namespace.ts'
import { matchRoute, percentDecoded } from '../http/route.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import { dispatch } from '../server/dispatch.ts'
import type { FoundEndpoint } from '../server/endpoint.runner.ts'
import { answerRouted } from '../server/namespace.serving.ts'
import type { Operation } from './operation.ts'

/** The namespaces whose writes may be part of a batch. */
export interface BatchedNamespaces {
  readonly contract: Namespace
  readonly service: Namespace
}

const sharedHeaders = ['accept-language', 'prefer', 'host'] as const

/**
 * Answers one operation as the same request on its own would be: with the same rights, checks and texts.
 *
 * @param call The batch as its endpoint was called, within its transaction.
 * @throws every error that is not an answer, such as one of the database.
 */
export async function callOperation(
  call: Call,
  { contract, service }: BatchedNamespaces,
  operation: Operation,
): Promise<WireResponse> {
  const { deps, textLanguage } = call
  const { method, path, body } = operation
  const report = () => {}
  const inContract = matchRoute(contract.routes, path)?.route.endpoints.find(({ methods }) => methods.includes(method))
  if (inContract?.isBatchable) {
    const api = { ...{ routes: contract.routes, report }, describe: () => ({}), root: () => ({}) }
    const request = requestOf(call, operation, call.addresses.namespace)
    return dispatch(deps, api, {
      ...request,
      headers: { ...request.headers, 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    })
  }
  const found = findRoute(service, operation)
  if (found?.endpoint.isBatchable) {
    const sent = async () => ({ parameters: body })
    const variant = { deps, report, namespace: service, textLanguage }
    return answerRouted(variant, requestOf(call, operation, call.namespace), { ...found, query: {}, sent })
  }
  const isKnown = found !== undefined || inContract !== undefined
  return refusedOperation(call, service, new Problem(isKnown ? 'batch-operation-refused' : 'rest_no_route'))
}

/** Returns the answer to an operation that is not run. */
export function refusedOperation({ textLanguage }: Call, { policy }: Namespace, problem: Problem): WireResponse {
  const { status, headers } = problem
  return { status, headers, body: JSON.stringify(policy.problems.present(problem, textLanguage)) }
}

/** Returns an operation as a request of its own. */
function requestOf(call: Call, { method, path, preconditions }: Operation, namespace: string): WireRequest {
  const { addresses, client, headers } = call
  const { site, base } = addresses
  return {
    ...{ method, path: `${base.slice(site.length)}/${namespace}${path}`, query: '', body: undefined },
    headers: { ...Object.fromEntries(sharedHeaders.map((name) => [name, headers[name]])), ...preconditions },
    ...{ site, client, address: '', caller: callerOf(call), isOperation: true },
  }
}

/**
 * Returns the caller of the batch as that of its operations. The rights of the credentials are checked again at the start
 * of the transaction. With a key that only plans, the whole transaction is rolled back, so that operations see each
 * other.
 */
function callerOf({ actor, session, key }: Call): RateLimitedCaller {
  return {
    ...{ actor, lastRevision: 0, limitHeaders: {} },
    ...(session ? { session } : {}),
    ...(key ? { key: { ...key, scope: 'write' } } : {}),
  }
}

/** Returns the endpoint of our own namespace for a path. A fixed part of a path precedes a value. */
export function findRoute(
  { routes }: Namespace,
  { method, path }: { readonly method: Method; readonly path: string },
): Pick<FoundEndpoint, 'route' | 'endpoint' | 'path'> | undefined {
  const segments = path.split('/')
  const found = routes.flatMap((route) => {
    const endpoint = route.endpoints.find(({ methods }) => methods.includes(method))
    const values = endpoint && valuesIn(route.path.split('/'), segments)
    return values ? [{ route, endpoint, path: values }] : []
  })
  return found.toSorted((one, other) => Object.keys(one.path).length - Object.keys(other.path).length)[0]
}

function valuesIn(expected: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (expected.length !== segments.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name === undefined && part !== segment) return undefined
    if (name !== undefined && segment === '') return undefined
    if (name !== undefined) values[name] = percentDecoded(segment)
  }
  return values
}
