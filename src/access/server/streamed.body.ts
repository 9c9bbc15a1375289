import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { clientAddress, clientNetworkOf } from '../../base/limits/client.ts'
import { fail, failParameter } from '../../base/problems.ts'
import type { Deps } from '../deps.ts'
import { markPaced } from '../http/answers/paced.body.ts'
import type { RawParameters } from '../http/arguments/argument.ts'
import { parseParameters } from '../http/arguments/parameters.ts'
import type { Upload } from '../http/call.ts'
import { dryRunName } from '../http/dry.run.ts'
import { type BodyLimits, countedBody, readBody } from '../http/received.body.ts'
import { type Endpoint, isReadFromQuery, isWrite } from '../http/route.ts'
import type { SentParameters } from './endpoint.parameters.ts'

const usualBytes = 64 * 1024

/** A request of the framework whose body has not been read. */
export interface StreamedRequest {
  readonly deps: Deps
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
}

/**
 * Reads the parameters of a request of our own namespaces: of a read from the query, of a write from its JSON body. A
 * page of another site can make a browser send a form. So a form is accepted only if the namespace allows it, and never
 * from a caller whom a session signs in.
 *
 * @throws rest_invalid_json, rest_invalid_param, rest_request_too_large
 */
export async function streamedParameters(streamed: StreamedRequest, takesForms: boolean): Promise<SentParameters> {
  const { endpoint, request } = streamed
  const query = request.query as RawParameters
  if (!isWrite(endpoint)) return { parameters: query }
  const inQuery = query[dryRunName]
  if (endpoint.isUpload) return { parameters: {}, dryRun: inQuery }
  if (endpoint.bodyType !== undefined) return { parameters: query, dryRun: inQuery }
  const hasParameters = endpoint.hasLanguage === true || Object.keys(endpoint.args).length > 0
  if (hasParameters && !isReadFromQuery(endpoint)) {
    const sent = await sentBody(streamed, takesForms)
    return { parameters: { ...languageIn(streamed), ...sent }, dryRun: inQuery ?? sent[dryRunName] }
  }
  // Nobody should believe that nothing is done, so such a body counts even where no other parameter is read from it.
  const ignored = await sentBody(streamed, false).catch((): RawParameters => ({}))
  return { parameters: hasParameters ? query : {}, dryRun: inQuery ?? ignored[dryRunName] }
}

/** Returns a body that its endpoint reads itself. */
export function streamedUpload(streamed: StreamedRequest, read: Upload['read']): Upload | undefined {
  const { deps, endpoint, request } = streamed
  const body = request.body as Readable | undefined
  if (!body || (endpoint.bodyType === undefined && !endpoint.isUpload)) return undefined
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (endpoint.bodyType !== undefined && type !== endpoint.bodyType) failType(endpoint.bodyType)
  // It is read at the pace at which the endpoint works.
  if (endpoint.bodyType !== undefined && !endpoint.isBodyWhole) markPaced(request.raw.socket)
  return {
    // Only a body that is read is piped, so that the rest of another one can be dropped.
    get body() {
      const { uploads } = deps.limits
      return endpoint.isUpload ? countedBody(body, { client: networkOf(streamed), received: uploads }) : body
    },
    whole: (bounds) => wholeBody(streamed, bounds),
    read: (fields) => {
      // The form is read after it is decided whether the file is kept.
      if (dryRunName in fields) failParameter(dryRunName, 'fault.only-in-query')
      return read({ ...languageIn(streamed), ...fields })
    },
  }
}

function failType(allowed: string): never {
  return fail('rest_invalid_param', {
    status: 415,
    faults: { 'Content-Type': { text: 'fault.enum', values: { allowed } } },
  })
}

function languageIn({ deps: { config }, request }: StreamedRequest): RawParameters {
  const name = config.languageParameter
  const query = request.query as RawParameters
  return name in query ? { [name]: query[name] } : {}
}

async function sentBody(streamed: StreamedRequest, takesForms: boolean): Promise<RawParameters> {
  const { endpoint, request } = streamed
  const { method, url } = request
  const contentType = request.headers['content-type']
  const body = await wholeBody(streamed, { maxBytes: endpoint.maxBodyBytes ?? usualBytes })
  if (body.length > 0 && !takesForms && !/^application\/json\b/i.test(contentType ?? '')) failType('application/json')
  const query = takesForms && url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
  return parseParameters({ method, query, contentType, body, bodyNames: undefined })
}

/** Reads a body into memory. Meanwhile the request does not count as in progress. */
async function wholeBody(streamed: StreamedRequest, bounds: Pick<BodyLimits, 'maxBytes' | 'look'>): Promise<Buffer> {
  const { deps, request } = streamed
  const { bodies, inFlight } = deps.limits
  const announced = request.headers['content-length']
  const limits = { ...bounds, announced, client: networkOf(streamed), received: bodies }
  const body = request.body as Readable | undefined
  return body ? inFlight.aside(() => readBody(body, limits)) : Buffer.alloc(0)
}

function networkOf({ deps: { config }, request }: StreamedRequest): string {
  return clientNetworkOf(clientAddress(config, request.raw))
}
