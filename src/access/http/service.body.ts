import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/problems.ts'
import { type Arguments, readArguments, type Sent, type Values } from './argument.ts'
import { sentParameters } from './parameters.ts'
import type { ServiceCall } from './service.ts'

const mostBytes = 64 * 1024

/**
 * The arguments of a route of our own namespace, out of a JSON body. A form is what a page of another site could have a
 * browser send: it is taken only where a route says so, and from no caller whom a session signs in.
 *
 * @throws rest_invalid_json, rest_invalid_param, rest_missing_callback_param, rest_request_too_large
 */
export async function readBody<A extends Arguments>(
  { deps, actor, session }: ServiceCall,
  request: FastifyRequest,
  args: A,
  { takesForms = false }: { readonly takesForms?: boolean } = {},
): Promise<Values<A>> {
  const reading = { config: deps.config, db: deps.storage.db, actor, language: undefined, now: deps.now() }
  const [values = {}] = await readArguments([{ args, sent: await sentBody(request, takesForms && !session) }], reading)
  return values as Values<A>
}

async function sentBody({ method, headers, body, raw }: FastifyRequest, takesForms: boolean): Promise<Sent> {
  const bytes = await bytesOf(body as Readable | undefined)
  const contentType = headers['content-type']
  if (bytes.length > 0 && !takesForms && !/^application\/json\b/i.test(contentType ?? '')) {
    fail('rest_invalid_param', {
      status: 415,
      faults: { 'Content-Type': { text: 'fault.enum', values: { allowed: 'application/json' } } },
    })
  }
  return sentParameters({
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
