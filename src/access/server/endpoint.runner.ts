import { fail } from '../../base/problems.ts'
import type { Storage } from '../../storage/database/storage.ts'
import { withWrites } from '../../storage/database/writes/before.write.ts'
import { assertMayWrite, onlyPlans } from '../auth/key.limits.ts'
import { assertAllowed } from '../auth/policy.ts'
import type { Deps } from '../deps.ts'
import { matchedForm, responseCodingsOf } from '../http/answers/content.coding.ts'
import { type RawParameters, resolveDeferredValues } from '../http/arguments/argument.ts'
import { assertStrictHandling } from '../http/arguments/parameter.report.ts'
import type { Call, EndpointRequest, Method, Upload, Wait } from '../http/call.ts'
import { dryRun, dryRunName, markedDry } from '../http/dry.run.ts'
import { guardWrites } from '../http/guarded.write.ts'
import { isShortRead } from '../http/read.cost.ts'
import { type Endpoint, type EndpointResult, isWrite, type Route } from '../http/route.ts'
import type { WireRequest, WireResponse } from '../http/wire.ts'
import { hasKey, isRepeated, type KeyedRequest, keyedRequest, rememberOnce } from '../idempotency/idempotency.ts'
import { readParameters, readPath, type SentParameters, withFields } from './endpoint.parameters.ts'
import type { Exchange, ReaderResponse } from './exchange.ts'

/** The endpoint of a request, and where its parameters are. */
export interface FoundEndpoint {
  readonly route: Route
  readonly endpoint: Endpoint
  /** The parameters in the path, unchanged. */
  readonly path: RawParameters
  /** The parameters in the address, unchanged. */
  readonly query: RawParameters
  /** Reads the parameters of the request once, except those in its path. */
  readonly sent: () => Promise<SentParameters>
  /** Returns the body of an endpoint that reads it itself. */
  readonly upload?: ((read: Upload['read']) => Upload | undefined) | undefined
  /** What the endpoint has waited for, if it is asked again. */
  readonly waited?: Wait | undefined
  /** Answers the request in a reader thread, or returns undefined if none can be started. Absent in such a thread itself. */
  readonly byReader?: ((request: WireRequest) => Promise<WireResponse | undefined>) | undefined
}

/**
 * Answers a request by its endpoint. The requests of all namespaces take these steps, also those in reader threads and in batches.
 * The policy of the namespace decides whether rights or parameters come first.
 *
 * @param deps The dependencies of this request (`depsForRequest`).
 */
export async function runEndpoint(
  deps: Deps,
  exchange: Exchange,
  found: FoundEndpoint,
): Promise<EndpointResult | ReaderResponse> {
  const { endpoint } = found
  const { isContract } = exchange.policy
  const request = await requestOf(deps, exchange, found)
  const { actor, key } = request
  const byReader = await answerByReader(exchange, found)
  if (byReader) return { byReader }

  // Rights.
  const allow = () => allowedMethods(deps, exchange, found)
  if (!isContract) assertAllowed(actor, endpoint.isOpenTo(actor, undefined))
  if (isWrite(endpoint)) assertMayWrite(key)
  // This precedes the call, because a change may move the item away from its slug.
  if (isContract) exchange.allow = await allow()
  const isOpen = !isContract || endpoint.methods.some((method) => exchange.allow.includes(method))
  // Contract: credentials come before parameters. A caller with credentials unknown to us is a visitor (conventions.md
  // §3, §7).
  if (!isOpen && actor.kind === 'visitor' && request.headers.authorization !== undefined) {
    fail('rest_forbidden', { status: 401, text: 'rest_forbidden.credentials' })
  }

  // What the path names. It may be gone since the first request with the same idempotency key.
  const early = endpoint.remembersAnswer && hasKey(request.headers) ? await found.sent() : undefined
  if (early) exchange.keyed = keyOf(exchange, { ...early, parts: early.parameters })
  if (early && (await isRepeated(deps.storage.db, exchange.keyed, deps))) {
    return remembering(deps, { endpoint, exchange }, () => Promise.reject(new Error('It was remembered a moment ago.')))
  }
  const target = await endpoint.target?.(request)

  // Parameters.
  const sent = early ?? (await found.sent())
  const read = await readParameters(deps, exchange, { ...found, ...sent, known: request.path })
  const isDry = read.isDry || (isWrite(endpoint) && onlyPlans(key))
  // Endpoints with an answer of their own to a dry run give that.
  const values = isDry && dryRunName in endpoint.args ? { ...read.values, [dryRunName]: true } : read.values
  if (endpoint.isRepeatable) {
    exchange.keyed = keyOf(exchange, { ...sent, parts: isContract ? sent.parameters : values })
  }

  // The answer. What a dry run writes is rolled back.
  const answerWith = async (own: Deps) => {
    const guarded = { ...own, storage: guardedStorage(own, exchange, { ...found, values }) }
    // Nothing is fetched again for a write that is done. Endpoints of our own namespaces fetch themselves.
    const isFetched = !isContract || (await isRepeated(own.storage.db, exchange.keyed, own))
    const call: Call = {
      ...{ ...request, target, allow, waited: found.waited },
      ...{ keyed: exchange.keyed, language: exchange.language, textLanguage: exchange.textLanguage },
      ...{ path: read.path, translationOf: read.translationOf, sent: sent.parameters },
      values: isFetched ? values : await resolveDeferredValues(values, { deps: own, actor, isOpen }),
      context: typeof sent.parameters.context === 'string' ? sent.parameters.context : undefined,
      upload: found.upload?.(async (parameters) => {
        const read = await readParameters(guarded, exchange, { ...found, parameters, known: request.path })
        return { values: read.values, language: exchange.language }
      }),
      ...{ deps: guarded, parameterReport: exchange.parameterReport },
      matchedForm: (validators) => {
        const { method, headers, path, query } = exchange.request
        const codings = responseCodingsOf(deps.config, { method, headers, url: `${path}?${query}` })
        return matchedForm(validators, codings, headers)
      },
    }
    return remembering(guarded, { endpoint, exchange }, (storage) =>
      endpoint.handle({ ...call, deps: { ...guarded, storage } }),
    )
  }
  // A body that is read while it is answered is written in many transactions, so its endpoint tries them itself.
  const isHeld = isDry && endpoint.bodyType === undefined && !endpoint.triesItself
  const answer = isHeld ? await dryRun(deps, answerWith) : await answerWith(deps)
  assertStrictHandling(exchange.parameterReport)
  const shown = isContract ? withFields(answer, sent.parameters) : answer
  return isDry ? markedDry(shown) : shown
}

/** Lets a reader thread answer a read that may take long, if there are threads. */
async function answerByReader(
  { config, caller, request }: Exchange,
  { endpoint, byReader, query }: FoundEndpoint,
): Promise<WireResponse | undefined> {
  const { actor } = caller
  if (!byReader || isWrite(endpoint) || !endpoint.isOpenTo(actor, undefined)) return undefined
  const asked = { query, body: request.body, actor, languageParameter: config.languageParameter }
  return isShortRead(endpoint, asked) ? undefined : byReader({ ...request, caller })
}

async function requestOf(deps: Deps, exchange: Exchange, found: FoundEndpoint): Promise<EndpointRequest> {
  const { caller, addresses, namespace, textLanguage } = exchange
  const { client, address, headers, path: requestPath } = exchange.request
  return {
    ...{ deps, actor: caller.actor, session: caller.session, key: caller.key },
    ...{ client, address, headers, requestPath, addresses, namespace, textLanguage, query: found.query },
    path: exchange.policy.isContract ? {} : await readPath(deps, exchange, found),
  }
}

/** Returns the methods that the caller may use on a route, on this item, in the order in which the route lists them. */
export async function allowedMethods(
  deps: Deps,
  exchange: Exchange,
  { route, path }: Pick<FoundEndpoint, 'route' | 'path'>,
): Promise<readonly Method[]> {
  const asker = askerOf(exchange)
  // A visitor may not write at all, so the item is not needed.
  const target = asker.actor.kind === 'visitor' ? undefined : await route.target?.(deps.storage.db, path, asker)
  const isOpen = (endpoint: Endpoint) =>
    endpoint.isOpenTo(asker.actor, target) && !(isWrite(endpoint) && exchange.caller.key?.scope === 'read')
  return route.endpoints.flatMap((endpoint) => (isOpen(endpoint) ? endpoint.methods : []))
}

function askerOf({ config: { languages, defaultLanguage }, caller, language }: Exchange) {
  return { actor: caller.actor, language, languages, defaultLanguage }
}

/** @param parts The parameters on which the write depends. */
function keyOf(
  { config, request: { headers, method, path }, caller }: Exchange,
  { parts, dryRun: dry }: { readonly parts: unknown; readonly dryRun?: unknown },
): KeyedRequest | undefined {
  const all = [method, path, parts, ...(dry === undefined ? [] : [dry])]
  return keyedRequest(headers, { actor: caller.actor, config, parts: all })
}

/**
 * Returns the storage of a request: its writes check its precondition and the quota of the caller, and are rolled back if they would
 * ignore or adjust a parameter of a strict request.
 */
function guardedStorage(
  deps: Deps,
  exchange: Exchange,
  { route, endpoint, path, values }: FoundEndpoint & { readonly values: Readonly<Record<string, unknown>> },
): Storage {
  const { keyed, parameterReport } = exchange
  const { validators } = route
  const { isTaken } = endpoint
  const asker = askerOf(exchange)
  const storage = guardWrites(deps.storage, deps.config, {
    actor: asker.actor,
    headers: exchange.request.headers,
    findValidators: validators && ((db) => validators(db, path, asker)),
    isTaken: isTaken && ((tx) => isTaken(tx, values, asker)),
    isRepeated: (db) => isRepeated(db, keyed, deps),
  })
  if (!parameterReport.isStrict) return storage
  return withWrites(
    storage,
    (write) => (work) =>
      write(async (tx) => {
        const result = await work(tx)
        assertStrictHandling(parameterReport)
        return result
      }),
  )
}

/** Does the work of an endpoint once, if its answer is remembered: without its secret members, and with the address of what was made. */
async function remembering(
  deps: Deps,
  { endpoint: { remembersAnswer }, exchange: { keyed } }: { readonly endpoint: Endpoint; readonly exchange: Exchange },
  work: (storage: Storage) => Promise<EndpointResult>,
): Promise<EndpointResult> {
  if (!remembersAnswer) return work(deps.storage)
  const { without = [] } = remembersAnswer
  const replay = {
    remember: ({ status, body, headers = {} }: EndpointResult) => ({
      status,
      body: Object.fromEntries(Object.entries(body).filter(([name]) => !without.includes(name))),
      headers: 'Location' in headers ? { Location: headers.Location } : {},
    }),
    recall: (remembered: unknown) => remembered as EndpointResult,
  }
  return rememberOnce({ deps, keyed }, replay, work)
}
