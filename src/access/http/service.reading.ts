import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { clientAddress, clientNetworkOf } from '../../base/limits/client.ts'
import { fail, failParameter, type ProblemCode } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { accepted, refused } from './argument.rules.ts'
import { type ArgumentRule, type Arguments, type RawParameters, readArguments } from './argument.ts'
import { dryRunArgument, dryRunName } from './dry.run.ts'
import { languageArgument } from './language.argument.ts'
import { parseParameters } from './parameters.ts'
import { type BodyLimits, countedBody, readBody } from './received.body.ts'
import { isReadFromQuery, isWrite } from './route.ts'
import type { ServiceCall, ServiceEndpoint, ServiceRequest, Upload } from './service.ts'

const usualBytes = 64 * 1024

type ReadValues = Pick<ServiceCall, 'values' | 'sent' | 'language'>

/** The parameters of a request as they were sent. */
export interface SentParameters {
  readonly parameters: RawParameters
  /** What was sent as `dry_run`, in the query or in the body; undefined if nothing was. */
  readonly dryRun: unknown
}

/**
 * Returns the parameters of a request of our own namespace: of a read from the query, of a write from its JSON body. A
 * page of another site can make a browser send a form. So a form is accepted only if the namespace allows it, and never
 * from a caller whom a session signs in.
 *
 * @throws rest_invalid_json, rest_invalid_param, rest_request_too_large
 */
export async function sentParameters(
  endpoint: ServiceEndpoint,
  asked: ServiceRequest,
  { request, takesForms }: { readonly request: FastifyRequest; readonly takesForms: boolean },
): Promise<SentParameters> {
  const query = request.query as RawParameters
  const inQuery = query[dryRunName]
  if (!isWrite(endpoint)) return { parameters: query, dryRun: undefined }
  if (endpoint.isUpload) return { parameters: {}, dryRun: inQuery }
  if (endpoint.bodyType !== undefined) return { parameters: query, dryRun: inQuery }
  const most = endpoint.maxBodyBytes ?? usualBytes
  if (hasParameters(endpoint) && !isReadFromQuery(endpoint)) {
    const sent = await sentBody(asked, request, { takesForms: takesForms && !asked.session, most })
    return { parameters: { ...languageIn(asked, query), ...sent }, dryRun: inQuery ?? sent[dryRunName] }
  }
  // Nobody should believe that nothing is done, so such a body counts even where no other parameter is read from it.
  const ignored = await sentBody(asked, request, { takesForms: false, most }).catch((): RawParameters => ({}))
  return { parameters: hasParameters(endpoint) ? query : {}, dryRun: inQuery ?? ignored[dryRunName] }
}

/** Returns a body that its endpoint reads itself, with the function that reads its fields. */
export function readUpload<A extends Arguments>(
  endpoint: ServiceEndpoint<Arguments, A>,
  asked: ServiceRequest,
  { request, body }: { readonly request: FastifyRequest; readonly body: Readable },
): Upload<A> {
  const query = request.query as RawParameters
  const { uploads } = asked.deps.limits
  return {
    // Only a body that is read is piped, so that the rest of another one can be dropped.
    get body() {
      return endpoint.isUpload ? countedBody(body, { client: networkOf(asked, request), received: uploads }) : body
    },
    whole: (bounds) => wholeBody(asked, request, bounds),
    read: (fields) => {
      // The form is read after it is decided whether the file is kept.
      if (dryRunName in fields) failParameter(dryRunName, 'fault.only-in-query')
      const parameters = { ...languageIn(asked, query), ...fields }
      return readSent(endpoint, asked, { parameters, dryRun: undefined }) as ReturnType<Upload<A>['read']>
    },
  }
}

const hasParameters = ({ args, hasLanguage }: ServiceEndpoint): boolean =>
  hasLanguage === true || Object.keys(args).length > 0

function languageIn({ deps }: ServiceRequest, query: RawParameters): RawParameters {
  const { languageParameter } = deps.config
  return languageParameter in query ? { [languageParameter]: query[languageParameter] } : {}
}

/**
 * Reads the parameters of a request by the table of its endpoint.
 *
 * @throws rest_invalid_param, rest_missing_callback_param
 */
export async function readSent(
  { args, hasLanguage }: Pick<ServiceEndpoint, 'args' | 'hasLanguage'>,
  { deps, actor, path }: ServiceRequest,
  { parameters: sent, dryRun, takesDryRun = false }: SentParameters & { readonly takesDryRun?: boolean | undefined },
): Promise<ReadValues & { readonly isDry: boolean }> {
  const { config } = deps
  const name = config.languageParameter
  const reading = { config, db: deps.storage.db, actor, language: undefined, now: deps.now(), path }
  const groups = [
    { args, sent },
    { args: hasLanguage ? { [name]: languageArgument(name, config) } : {}, sent },
    { args: takesDryRun ? { [dryRunName]: dryRunArgument } : {}, sent: { [dryRunName]: dryRun } },
  ]
  const [values = {}, languages = {}, drying = {}] = await readArguments(groups, reading)
  return { values, sent, language: languages[name] as ServiceCall['language'], isDry: drying[dryRunName] === true }
}

async function sentBody(
  asked: ServiceRequest,
  request: FastifyRequest,
  { takesForms, most }: { readonly takesForms: boolean; readonly most: number },
): Promise<RawParameters> {
  const { method, headers, raw } = request
  const bytes = await wholeBody(asked, request, { mostBytes: most })
  const contentType = headers['content-type']
  if (bytes.length > 0 && !takesForms && !/^application\/json\b/i.test(contentType ?? '')) {
    fail('rest_invalid_param', {
      status: 415,
      faults: { 'Content-Type': { text: 'fault.enum', values: { allowed: 'application/json' } } },
    })
  }
  return parseParameters({
    method,
    query: takesForms ? queryOf(raw.url) : '',
    contentType,
    body: bytes,
    bodyNames: undefined,
  })
}

/** Reads a body into memory. Meanwhile the request does not count as in progress. */
async function wholeBody(
  asked: ServiceRequest,
  request: FastifyRequest,
  bounds: Pick<BodyLimits, 'mostBytes' | 'look'>,
): Promise<Buffer> {
  const { bodies, inFlight } = asked.deps.limits
  const announced = request.headers['content-length']
  const limits = { ...bounds, announced, client: networkOf(asked, request), received: bodies }
  const body = request.body as Readable | undefined
  return body ? inFlight.aside(() => readBody(body, limits)) : Buffer.alloc(0)
}

function networkOf({ deps: { config } }: ServiceRequest, { raw }: FastifyRequest): string {
  return clientNetworkOf(clientAddress(config, raw))
}

function queryOf(url = ''): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
}

/** A query parameter that was sent once, and so is a text. */
export const queryText: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' ? accepted(raw) : refused('fault.string')

/** A positive number in a query. */
export const queryNumber: ArgumentRule<number> = (raw) =>
  typeof raw === 'string' && /^[1-9]\d{0,8}$/.test(raw) ? accepted(Number(raw)) : refused('fault.whole-number')

/** The number in a part of the path; undefined if it is not a number. The check of rights comes first. */
export const pathNumber: ArgumentRule<number | undefined> = (raw) =>
  accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : undefined)

/**
 * The number in a part of the path. Any other text counts as not found, for every caller.
 *
 * @throws the problem with this code
 */
export const pathNumberOr =
  (code: ProblemCode): ArgumentRule<number> =>
  (raw) =>
    accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : fail(code))

/** Reads the values in a path by the table of its endpoint. */
export async function readPath(
  { config, storage, now }: Deps,
  args: Arguments,
  { actor, sent }: { readonly actor: ServiceRequest['actor']; readonly sent: RawParameters },
) {
  const reading = { config, db: storage.db, actor, language: undefined, now: now() }
  const [path = {}] = await readArguments([{ args, sent }], reading)
  return path
}
