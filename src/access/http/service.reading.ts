import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { fail, type ProblemCode } from '../../base/problems.ts'
import { accepted, refused } from './argument.rules.ts'
import { type ArgumentRule, type Arguments, type RawParameters, readArguments } from './argument.ts'
import { languageArgument } from './language.argument.ts'
import { parseParameters } from './parameters.ts'
import { isReadFromQuery } from './route.ts'
import type { ServiceCall, ServiceEndpoint, ServiceRequest, Upload } from './service.ts'

const mostBytes = 64 * 1024

type ReadValues = Pick<ServiceCall, 'values' | 'language'>

/**
 * The arguments of an endpoint of our own namespace: of a read from the query, of a write from its JSON body. A form is
 * what a page of another site could have a browser send: it is taken only where a namespace says so, and from no caller
 * whom a session signs in.
 *
 * @throws rest_invalid_json, rest_invalid_param, rest_missing_callback_param, rest_request_too_large
 */
export async function readValues(
  endpoint: ServiceEndpoint,
  asked: ServiceRequest,
  { request, takesForms }: { readonly request: FastifyRequest; readonly takesForms: boolean },
): Promise<ReadValues> {
  if (!hasParameters(endpoint)) return { values: {}, language: undefined }
  const query = request.query as RawParameters
  if (isReadFromQuery(endpoint)) return readSent(endpoint, asked, query)
  const sent = await sentBody(request, takesForms && !asked.session)
  return readSent(endpoint, asked, { ...languageIn(asked, query), ...sent })
}

/** A body that its endpoint reads by itself, with what reads its fields. */
export function readUpload<A extends Arguments>(
  endpoint: ServiceEndpoint<Arguments, A>,
  asked: ServiceRequest,
  { request, body }: { readonly request: FastifyRequest; readonly body: Readable },
): Upload<A> {
  const query = request.query as RawParameters
  return {
    body,
    read: (fields) =>
      readSent(endpoint, asked, { ...languageIn(asked, query), ...fields }) as ReturnType<Upload<A>['read']>,
  }
}

const hasParameters = ({ args, hasLanguage }: ServiceEndpoint): boolean =>
  hasLanguage === true || Object.keys(args).length > 0

function languageIn({ deps }: ServiceRequest, query: RawParameters): RawParameters {
  const { languageParameter } = deps.config
  return languageParameter in query ? { [languageParameter]: query[languageParameter] } : {}
}

async function readSent(
  { args, hasLanguage }: Pick<ServiceEndpoint, 'args' | 'hasLanguage'>,
  { deps, actor }: ServiceRequest,
  sent: RawParameters,
): Promise<ReadValues> {
  const { config } = deps
  const name = config.languageParameter
  const reading = { config, db: deps.storage.db, actor, language: undefined, now: deps.now() }
  const groups = [
    { args, sent },
    { args: hasLanguage ? { [name]: languageArgument(name, config) } : {}, sent },
  ]
  const [values = {}, languages = {}] = await readArguments(groups, reading)
  return { values, language: languages[name] as ServiceCall['language'] }
}

async function sentBody({ method, headers, body, raw }: FastifyRequest, takesForms: boolean): Promise<RawParameters> {
  const bytes = await bytesOf(body as Readable | undefined)
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

function queryOf(url = ''): string {
  return url.includes('?') ? url.slice(url.indexOf('?') + 1) : ''
}

async function bytesOf(body: Readable | undefined): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > mostBytes) fail('rest_request_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** A value of a query, which is a text where it was sent once. */
export const queryText: ArgumentRule<string> = (raw) =>
  typeof raw === 'string' ? accepted(raw) : refused('fault.string')

/** A number above zero in a query. */
export const queryNumber: ArgumentRule<number> = (raw) =>
  typeof raw === 'string' && /^[1-9]\d{0,8}$/.test(raw) ? accepted(Number(raw)) : refused('fault.whole-number')

/** The number in a part of the path; undefined where there is none there: who may do nothing is told that first. */
export const pathNumber: ArgumentRule<number | undefined> = (raw) =>
  accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : undefined)

/**
 * The number in a part of the path, where anything else is as good as not found, whoever asks.
 *
 * @throws the problem with this code
 */
export const pathNumberOr =
  (code: ProblemCode): ArgumentRule<number> =>
  (raw) =>
    accepted(typeof raw === 'string' && /^\d{1,15}$/.test(raw) ? Number(raw) : fail(code))
