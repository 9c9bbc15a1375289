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

type ReadValues = Pick<ServiceCall, 'values' | 'sent' | 'language'>

/**
 * Reads the arguments of an endpoint of our own namespace: of a read from the query, of a write from its JSON body. A
 * page of another site can make a browser send a form. So a form is accepted only if the namespace allows it, and never
 * from a caller whom a session signs in.
 *
 * @throws rest_invalid_json, rest_invalid_param, rest_missing_callback_param, rest_request_too_large
 */
export async function readValues(
  endpoint: ServiceEndpoint,
  asked: ServiceRequest,
  { request, takesForms }: { readonly request: FastifyRequest; readonly takesForms: boolean },
): Promise<ReadValues> {
  if (!hasParameters(endpoint)) return { values: {}, sent: {}, language: undefined }
  const query = request.query as RawParameters
  if (isReadFromQuery(endpoint)) return readSent(endpoint, asked, query)
  const sent = await sentBody(request, {
    takesForms: takesForms && !asked.session,
    most: endpoint.maxBodyBytes ?? mostBytes,
  })
  return readSent(endpoint, asked, { ...languageIn(asked, query), ...sent })
}

/** Returns a body that its endpoint reads itself, with the function that reads its fields. */
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
  { deps, actor, path }: ServiceRequest,
  sent: RawParameters,
): Promise<ReadValues> {
  const { config } = deps
  const name = config.languageParameter
  const reading = { config, db: deps.storage.db, actor, language: undefined, now: deps.now(), path }
  const groups = [
    { args, sent },
    { args: hasLanguage ? { [name]: languageArgument(name, config) } : {}, sent },
  ]
  const [values = {}, languages = {}] = await readArguments(groups, reading)
  return { values, sent, language: languages[name] as ServiceCall['language'] }
}

async function sentBody(
  { method, headers, body, raw }: FastifyRequest,
  { takesForms, most }: { readonly takesForms: boolean; readonly most: number },
): Promise<RawParameters> {
  const bytes = await bytesOf(body as Readable | undefined, most)
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

async function bytesOf(body: Readable | undefined, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > most) fail('rest_request_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
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
