import type { Db } from '../../storage/database/tables.ts'
import { assertMayWrite, onlyPlans } from '../auth/key.limits.ts'
import { assertAllowed } from '../auth/policy.ts'
import { hasKey, isRepeated, type KeyedRequest, keyedRequest, rememberOnce } from '../idempotency/idempotency.ts'
import { dryRun, dryRunName, markedDry } from './dry.run.ts'
import { guardWrites } from './guarded.write.ts'
import type { NamespacePolicy } from './namespace.ts'
import { type EndpointResult, isWrite } from './route.ts'
import { readSent, type SentParameters } from './service.reading.ts'
import type { ServiceEndpoint, ServiceRequest, ServiceResult, ServiceRoute, Upload, Wait } from './service.ts'

/** The parameters of a request of our own namespace, before they are read. */
export interface ServiceBody {
  readonly method: string
  /** Returns the parameters as they were sent. */
  readonly sent: () => Promise<SentParameters>
  /** The body of an upload, which its endpoint reads itself. */
  readonly upload?: ((asked: ServiceRequest) => Upload | undefined) | undefined
  /** What the endpoint has waited for, if it is asked again. */
  readonly waited?: Wait | undefined
}

/** An endpoint with its route, and the namespace that they belong to. */
export interface FoundService {
  readonly route: ServiceRoute
  readonly endpoint: ServiceEndpoint
  readonly policy: NamespacePolicy
}

/** An answer of our own namespace, and the idempotency key of its request. */
export interface ServiceAnswer {
  readonly answer: ServiceResult
  readonly keyed: KeyedRequest | undefined
}

/** The steps of a request: what the caller may do, what the path names, the parameters, the answer. */
export async function callService(
  asked: ServiceRequest,
  { route, endpoint, policy }: FoundService,
  { method, sent, upload, waited }: ServiceBody,
): Promise<ServiceAnswer> {
  assertAllowed(asked.actor, endpoint.isOpenTo(asked.actor, undefined))
  if (isWrite(endpoint)) assertMayWrite(asked.key)
  const { actor, deps, headers, requestPath } = asked
  const { remembersAnswer } = endpoint
  const keyOf = (values: unknown, { dryRun: dry }: SentParameters) => {
    const parts = [method, requestPath, values, ...(dry === undefined ? [] : [dry])]
    return keyedRequest(headers, { actor, config: deps.config, parts })
  }
  // What the path names may be gone since the first request, so a repetition is found before.
  const early = remembersAnswer && hasKey(headers) ? await sent() : undefined
  const ofAnswer = early && keyOf(early.parameters, early)
  if (ofAnswer && remembersAnswer && (await isRepeated(deps.storage.db, ofAnswer, deps))) {
    const answer = await rememberOnce({ deps, keyed: ofAnswer }, replayAnswer(remembersAnswer), neverWritten)
    return { answer, keyed: ofAnswer }
  }
  const target = await endpoint.target?.(asked)
  const parameters = early ?? (await sent())
  const takesDryRun = policy.hasDryRuns && isWrite(endpoint)
  // An upload reads its other parameters itself.
  const read = await readSent(endpoint.isUpload ? { args: {} } : endpoint, asked, { ...parameters, takesDryRun })
  const { language, isDry: wantsDryRun } = read
  const isDry = wantsDryRun || (isWrite(endpoint) && onlyPlans(asked.key))
  // Endpoints with an answer of their own to a dry run give that.
  const values = isDry && dryRunName in endpoint.args ? { ...read.values, [dryRunName]: true } : read.values
  const keyed = ofAnswer ?? (endpoint.isRepeatable ? keyOf(values, parameters) : undefined)
  const guarded = withGuard(route, asked, keyed)
  const answerWith = (own: ServiceRequest['deps']) => {
    const call = {
      ...guarded,
      deps: own,
      values,
      sent: read.sent,
      language,
      upload: upload?.({ ...guarded, deps: own }),
      keyed,
      target,
      waited,
    }
    if (!remembersAnswer) return endpoint.handle(call)
    return rememberOnce({ deps: own, keyed }, replayAnswer(remembersAnswer), (storage) =>
      endpoint.handle({ ...call, deps: { ...own, storage } }),
    )
  }
  if (!isDry) return { answer: await answerWith(guarded.deps), keyed }
  // A body that is read while it is answered is written in many transactions, so its endpoint tries them itself.
  if (endpoint.bodyType !== undefined) return { answer: markedDry(await answerWith(guarded.deps)), keyed }
  return { answer: await dryRun(guarded.deps, answerWith), keyed }
}

/** Returns the request with a storage that checks its precondition, if the route has records with versions. */
function withGuard({ version }: ServiceRoute, asked: ServiceRequest, keyed: KeyedRequest | undefined): ServiceRequest {
  const { deps, actor, path, headers } = asked
  const { languages, defaultLanguage } = deps.config
  const findVersion =
    version && ((db: Db) => version(db, path, { actor, language: undefined, languages, defaultLanguage }))
  const guard = { actor, headers, findVersion, isRepeated: (db: Db) => isRepeated(db, keyed, deps) }
  return { ...asked, deps: { ...deps, storage: guardWrites(deps.storage, deps.config, guard) } }
}

/** How an answer is remembered: without the members that are secret, and with the address of what was made. */
function replayAnswer({ without = [] }: NonNullable<ServiceEndpoint['remembersAnswer']>) {
  return {
    remember: ({ status, body, headers = {} }: EndpointResult) => ({
      status,
      body: Object.fromEntries(Object.entries(body).filter(([name]) => !without.includes(name))),
      headers: 'Location' in headers ? { Location: headers.Location } : {},
    }),
    recall: (remembered: unknown) => remembered as EndpointResult,
  }
}

const neverWritten = async (): Promise<EndpointResult> => {
  throw new Error('The write was remembered a moment ago.')
}
