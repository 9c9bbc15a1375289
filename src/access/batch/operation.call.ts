import { Problem } from '../../base/problems.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { Deps } from '../deps.ts'
import type { RawParameters } from '../http/argument.ts'
import type { RateLimitedCaller } from '../http/caller.ts'
import type { Namespace } from '../http/namespace.ts'
import { recordHeadersOf } from '../http/record.headers.ts'
import { type Method, matchRoute, type Route } from '../http/route.ts'
import { callService, type FoundService } from '../http/service.call.ts'
import { readPath } from '../http/service.reading.ts'
import type { ServiceCall, ServiceRoute } from '../http/service.ts'
import { dispatch } from '../server/dispatch.ts'
import type { Operation } from './operation.ts'

/** The namespaces whose writes may be part of a batch. */
export interface BatchedNamespaces {
  readonly contract: Namespace<Route>
  readonly service: Namespace<ServiceRoute>
}

/** The answer to one operation. */
export interface OperationAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON; undefined if there is none. */
  readonly text: string | undefined
}

/** The batch as its endpoint was called, within its transaction. */
export interface BatchCall extends Pick<ServiceCall, Exclude<keyof ServiceCall, 'deps' | 'values' | 'target'>> {
  /** Dependencies whose storage is the transaction of the batch. */
  readonly deps: Deps
  readonly tx: Tx
}

/** Headers of the batch that also count for each operation. */
const sharedHeaders = ['accept-language', 'prefer', 'host'] as const

/**
 * Answers one operation as the same request on its own would be: with the same rights, checks and texts.
 *
 * @throws every error that is not an answer, such as one of the database.
 */
export async function callOperation(
  call: BatchCall,
  namespaces: BatchedNamespaces,
  operation: Operation,
): Promise<OperationAnswer> {
  const { method, path } = operation
  const inContract = matchRoute(namespaces.contract.routes, path)?.route
  if (inContract?.endpoints.some(({ methods, isBatchable }) => isBatchable && methods.includes(method))) {
    return inContractNamespace(call, namespaces.contract, operation)
  }
  const found = findService(namespaces.service, { method, path })
  const { problems } = namespaces.service.policy
  try {
    if (found?.endpoint.isBatchable !== true) {
      const isKnown = found !== undefined || inContract?.endpoints.some(({ methods }) => methods.includes(method))
      throw new Problem(isKnown ? 'batch-operation-refused' : 'rest_no_route')
    }
    return await inServiceNamespace(call, found, operation)
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    const { status, headers } = error
    return { status, headers, text: JSON.stringify(problems.present(error, call.textLanguage)) }
  }
}

async function inContractNamespace(
  call: BatchCall,
  contract: Namespace<Route>,
  { method, path, body, preconditions }: Operation,
): Promise<OperationAnswer> {
  const { deps, addresses, client } = call
  let failure: unknown
  const api = {
    ...{ routes: contract.routes, describe: () => ({}), root: () => ({}) },
    report: (error: unknown) => {
      failure = error
    },
  }
  const {
    status,
    headers,
    body: text,
  } = await dispatch(deps, api, {
    method,
    path: `${addresses.base.slice(addresses.site.length)}/${addresses.namespace}${path}`,
    query: '',
    headers: { ...headersOf(call), ...preconditions, 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(body)),
    ...{ site: addresses.site, client, address: '', caller: callerOf(call) },
  })
  if (status >= 500) throw failure ?? new Problem('service_unavailable')
  return { status, headers, text: text.toString() }
}

async function inServiceNamespace(
  call: BatchCall,
  found: FoundService & { readonly path: RawParameters },
  { method, path, body, preconditions }: Operation,
): Promise<OperationAnswer> {
  const { deps, actor, addresses } = call
  const asked = {
    ...call,
    headers: { ...headersOf(call), ...preconditions },
    requestPath: `${addresses.base.slice(addresses.site.length)}/${call.namespace}${path}`,
    path: await readPath(deps, found.endpoint.path, { actor, sent: found.path }),
    key: callerOf(call).key,
  }
  const { answer, keyed } = await callService(asked, found, {
    method,
    sent: async () => ({ parameters: body, dryRun: undefined }),
  })
  return {
    status: answer.status,
    headers: { ...recordHeadersOf(answer, keyed), ...answer.headers },
    text: answer.status === 204 ? undefined : JSON.stringify(answer.body),
  }
}

function headersOf({ headers }: BatchCall): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(sharedHeaders.map((name) => [name, headers[name]?.toString()]))
}

/**
 * Returns the caller of the batch as that of its operations. The rights of the credentials are checked again at the start
 * of the transaction. With a key that only plans, the whole transaction is rolled back, so that operations see each
 * other.
 */
function callerOf({ actor, session, key }: BatchCall): RateLimitedCaller {
  return {
    ...{ actor, lastRevision: 0, limitHeaders: {} },
    ...(session ? { session } : {}),
    ...(key ? { key: { ...key, scope: 'write' } } : {}),
  }
}

/** Returns the endpoint of our own namespace for a path. A fixed part of a path precedes a value. */
function findService(
  { routes, policy }: Namespace<ServiceRoute>,
  { method, path }: { readonly method: Method; readonly path: string },
): (FoundService & { readonly path: RawParameters }) | undefined {
  const segments = path.split('/')
  const found = routes.flatMap((route) => {
    const endpoint = route.endpoints.find(({ methods }) => methods.includes(method))
    const values = endpoint && valuesIn(route.path.split('/'), segments)
    return values ? [{ route, endpoint, policy, path: values }] : []
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
    if (name !== undefined) values[name] = decoded(segment)
  }
  return values
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
