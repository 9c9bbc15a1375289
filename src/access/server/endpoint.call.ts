import { type Language, spokenLanguageOf, type TextLanguage } from '../../base/languages/language.ts'
import { fail } from '../../base/problems.ts'
import { withWrites } from '../../storage/database/before.write.ts'
import type { Storage } from '../../storage/database/storage.ts'
import type { Actor } from '../auth/actor.ts'
import type { Deps } from '../deps.ts'
import { type Addresses, languageParameterNames } from '../http/addresses.ts'
import { itemsOf, refused } from '../http/argument.rules.ts'
import { type Arguments, type RawParameters, readArguments, resolveDeferredValues } from '../http/argument.ts'
import { matchedForm, responseCodingsOf } from '../http/content.coding.ts'
import { guardWrites } from '../http/guarded.write.ts'
import type { Headers } from '../http/headers.ts'
import { languageArguments, translationArgument } from '../http/language.argument.ts'
import { assertStrictHandling, type ParameterReport, reportUnknownParameters } from '../http/parameter.report.ts'
import { maxReadBodyBytes, parseParameters, readBodyNames } from '../http/parameters.ts'
import { keepFields, type ResponseShape } from '../http/response.shape.ts'
import type { Endpoint, EndpointResult, Method, Route } from '../http/route.ts'
import type { WireRequest } from '../http/wire.ts'
import { isRepeated, type KeyedRequest, keyedRequest } from '../idempotency/idempotency.ts'

/** What is known about a request when a failure occurs. */
export interface RequestState {
  actor: Actor
  /** The requested language: first from the address, then from the language parameter once that is read. */
  language: Language | undefined
  textLanguage: TextLanguage
  shape: ResponseShape
  allow: readonly Method[]
  /** The revision of the content from which the answer is made, if the answer may be cached. */
  revision: number | undefined
  /** Headers that report the limits of the caller. */
  limitHeaders: Headers
  /** The idempotency key of a write, once it is read. */
  keyed: KeyedRequest | undefined
  /** The pattern of the path, once it is known. */
  route: string | undefined
  /** What the answer reports about the parameters. */
  readonly parameterReport: ParameterReport
}

/** A request and the endpoint of its path and method. */
export interface FoundEndpoint {
  readonly request: WireRequest
  readonly addresses: Addresses
  readonly endpoint: Endpoint
  readonly route: Route
  readonly path: RawParameters
  readonly allow: () => Promise<readonly Method[]>
}

const noArguments: Arguments = {}

/** Reads the parameters of a request and passes them to its endpoint. */
export async function callEndpoint(deps: Deps, progress: RequestState, found: FoundEndpoint): Promise<EndpointResult> {
  const { request, addresses, endpoint, route, path, allow } = found
  const { parameterReport } = progress
  const words = languageParameterNames(deps.config)
  assertReadable(found)
  const isOpen = endpoint.methods.some((method) => progress.allow.includes(method))
  // Contract: credentials come before parameters. A caller with credentials unknown to us is a visitor (conventions.md
  // §3, §7).
  if (!isOpen && progress.actor.kind === 'visitor' && request.headers.authorization !== undefined) {
    fail('rest_forbidden', { status: 401, text: 'rest_forbidden.credentials' })
  }
  const sent = await readParameters(deps, parameterReport, found)
  const { languageParameter } = deps.config
  const asked = deps.config.languages.find((language) => language === sent[languageParameter])
  if (asked) {
    progress.language = asked
    progress.textLanguage = spokenLanguageOf(asked) ?? progress.textLanguage
  }

  const groups = [
    { args: endpoint.path, sent: path },
    { args: pathNamesSentAsObjects(endpoint, sent), sent },
    { args: endpoint.args, sent },
    { args: languageArguments(deps.config), sent },
    {
      args: endpoint.translationOf
        ? { [words.translationOf]: translationArgument(endpoint.translationOf) }
        : noArguments,
      sent,
    },
  ]
  const reading = {
    config: deps.config,
    db: deps.storage.db,
    actor: progress.actor,
    language: progress.language,
    get now() {
      return deps.now()
    },
  }
  const [pathValues = {}, , values = {}, , translation = {}] = await readArguments(groups, reading, parameterReport)
  const { actor } = progress
  const { languages, defaultLanguage } = deps.config
  const { version } = route
  const parts = [request.method, request.path, sent]
  const keyed = endpoint.isRepeatable ? keyedRequest(request.headers, { actor, config: deps.config, parts }) : undefined
  progress.keyed = keyed
  const asker = { actor, language: progress.language, languages, defaultLanguage }
  const storage = guardWrites(deps.storage, deps.config, {
    actor,
    headers: request.headers,
    findVersion: version && ((db) => version(db, path, asker)),
    isTaken: endpoint.isTaken && (async (tx) => (await endpoint.isTaken?.(tx, values, asker)) === true),
    isRepeated: (db) => isRepeated(db, keyed, deps),
  })
  const ownDeps = {
    ...deps,
    storage: parameterReport.isStrict ? withStrictHandling(storage, parameterReport) : storage,
  }
  const answer = await endpoint.handle({
    deps: ownDeps,
    actor,
    client: request.client,
    address: request.address,
    addresses,
    path: pathValues,
    // Nothing is fetched again for a write that is done.
    values: (await isRepeated(deps.storage.db, keyed, deps))
      ? values
      : await resolveDeferredValues(values, { deps, actor, isOpen }),
    sent,
    language: progress.language,
    translationOf: translation[words.translationOf] as number | undefined,
    textLanguage: progress.textLanguage,
    allow,
    parameterReport,
    keyed,
    matchedForm: (validators) => matchedForm(validators, codingsOf(deps, request), request.headers),
    context: typeof sent.context === 'string' ? sent.context : undefined,
  })
  assertStrictHandling(parameterReport)
  const named = itemsOf(sent._fields)
  if ('fault' in named || named.value.every((name) => name === '')) return answer
  const fields = named.value.filter((name) => typeof name === 'string')
  return { ...answer, body: keepFields(answer.body, [...fields, ...(answer.alwaysKept ?? [])]) }
}

function codingsOf({ config }: Deps, { path, query, ...request }: WireRequest) {
  return responseCodingsOf(config, { ...request, url: `${path}?${query}` })
}

/**
 * Contract: the path wins over parameters of its names (conventions.md §9 row 1), but one that is an object or a list is
 * refused, as it is in the reference.
 */
function pathNamesSentAsObjects({ path }: Endpoint, sent: RawParameters): Arguments {
  return Object.fromEntries(
    Object.entries(path).flatMap(([name, argument]) => {
      if (typeof sent[name] !== 'object' || sent[name] === null) return []
      const fault = argument.type === 'integer' ? 'fault.whole-number' : 'fault.string'
      return [[name, { ...argument, read: () => refused(fault) }]]
    }),
  )
}

/** @throws rest_request_too_large, for the body of a read */
function assertReadable({ request, endpoint }: FoundEndpoint): void {
  const isReading = endpoint.methods.includes('GET')
  if (isReading && (request.body?.length ?? 0) > maxReadBodyBytes) fail('rest_request_too_large')
}

/** Reads the parameters of a request from its address and its body. Unknown parameters are reported. */
async function readParameters(
  deps: Deps,
  parameterReport: ParameterReport,
  { request, endpoint, path }: FoundEndpoint,
): Promise<RawParameters> {
  const words = languageParameterNames(deps.config)
  const isReading = endpoint.methods.includes('GET')
  const ignored: string[] = []
  const sent = await parseParameters({
    method: request.method,
    query: request.query,
    contentType: request.headers['content-type'],
    body: request.body,
    bodyNames:
      isReading && request.body?.length
        ? readBodyNames(endpoint.args, [words.language, ...Object.keys(path)])
        : undefined,
    onIgnored: (name) => ignored.push(name),
  })
  const names = [words.language, ...(endpoint.translationOf ? [words.translationOf] : [])]
  // Contract: the path wins; a parameter with the same value adds nothing (conventions.md §9 row 1).
  const same = Object.keys(path).filter(
    (name) => typeof sent[name] !== 'object' && String(sent[name]) === String(path[name]),
  )
  const known = new Set([...names, ...same])
  reportUnknownParameters(parameterReport, Object.keys(sent), { args: endpoint.args, known })
  // A known parameter in a place from which it is not read: a file in a form, or one that only an address may name.
  for (const name of ignored) if (Object.hasOwn(endpoint.args, name)) parameterReport.ignore(name)
  reportUnknownParameters(parameterReport, ignored, { args: endpoint.args, known })
  return sent
}

/** Returns the storage with strict handling: each write that would ignore or adjust a parameter is rolled back. */
function withStrictHandling(storage: Storage, parameterReport: ParameterReport): Storage {
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
