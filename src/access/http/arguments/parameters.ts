import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import qs from 'qs'
import type { MessageKey } from '../../../base/languages/catalogue.ts'
import { fail, Problem } from '../../../base/problems.ts'
import type { Arguments, RawParameters } from './argument.ts'
import { createJsonCounter } from './json.bounds.ts'

/** The parts of a request that contain parameters. */
export interface ParameterSource {
  readonly method: string
  /** Without the question mark. */
  readonly query: string
  readonly contentType: string | undefined
  readonly body: Buffer | undefined
  /** Parameters that the body may contain; undefined if it may contain any. */
  readonly bodyNames: ReadonlySet<string> | undefined
  /** Receives each name in the body that has no effect. */
  readonly onIgnored?: (name: string) => void
}

/** The largest body of a request that only reads: no more than its address could contain. */
export const maxReadBodyBytes = 16 * 1024
/** Parameters of every route, accepted in the body too (conventions.md §6). */
const commonParameters = ['_fields', 'context']
const formMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const maxParameters = 1000
/** Headers of one part of a multipart body. Clients send two or three. */
export const maxPartHeaders = 20
const chunkBytes = 16 * 1024
const maxDepth = 6
/** More values than any client sends in one body: a batch of 100 events with all of their fields has a third. */
const jsonBounds = { values: 20_000, depth: 32 }
const syntaxError = 4
const encodingError = 5

/**
 * Returns the parameters that the body of a request that only reads may contain. They are those of the contract,
 * without our own, which no client of the original interface sends there.
 *
 * @param words Names that come from settings.
 */
export function readBodyNames(args: Arguments, words: readonly string[]): ReadonlySet<string> {
  const ofContract = Object.entries(args).flatMap(([name, { isExtension }]) => (isExtension ? [] : name))
  return new Set([...ofContract, ...words, ...commonParameters])
}

/**
 * Reads all parameters of a request except those of its path. Parameters of the body precede those of the query
 * (conventions.md §2).
 *
 * @throws rest_invalid_json
 */
export async function parseParameters(source: ParameterSource): Promise<RawParameters> {
  const fromBody = await bodyParameters(source)
  return Object.assign(Object.create(null), parseForm(source.query), fromBody)
}

/**
 * Parses the name and value pairs of a query or form. Of a repeated name the last value counts; `a[]` and `a[x]` make
 * lists. Removes the character NUL, which not every database can store.
 */
export function parseForm(text: string): RawParameters {
  if (text === '') return {}
  return parsePlainForm(text) ?? parseNestedForm(text)
}

const nested = /[[\]\0]|%(?:00|5b|5d)/i
const plainName = /^_?[a-z]\w*$/i

/** Parses what has no lists and only usual names, which is nearly every query. It takes a third of the time. */
function parsePlainForm(text: string): RawParameters | undefined {
  if (nested.test(text)) return undefined
  const values: Record<string, unknown> = Object.create(null)
  for (const pair of text.split('&', maxParameters)) {
    const end = pair.indexOf('=')
    const name = end < 0 ? pair : pair.slice(0, end)
    if (plainName.test(name)) values[name] = end < 0 ? '' : decoded(pair.slice(end + 1))
    else if (name !== '') return undefined
  }
  return values
}

function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** Parses any query or form. Exported for a test of the shorter way. */
export function parseNestedForm(text: string): RawParameters {
  return qs.parse(lastForms(text.replace(/%00|\0/g, '')), {
    duplicates: 'last',
    depth: maxDepth,
    parameterLimit: maxParameters,
    arrayLimit: maxParameters,
    plainObjects: true,
  })
}

/**
 * Returns a form without the pairs that a later pair of the same name replaces. A text replaces a list, and a list
 * replaces a text.
 */
function lastForms(text: string): string {
  const kept = new Map<string, { readonly isList: boolean; readonly pairs: string[] }>()
  for (const pair of text.split('&', maxParameters)) {
    const name = decoded(pair.split('=', 1)[0] ?? '')
    const end = name.indexOf('[')
    const isList = end > 0
    const key = isList ? name.slice(0, end) : name
    const known = kept.get(key)
    if (known?.isList === isList) known.pairs.push(pair)
    else kept.set(key, { isList, pairs: [pair] })
  }
  return [...kept.values()].flatMap(({ pairs }) => pairs).join('&')
}

async function bodyParameters(source: ParameterSource): Promise<RawParameters> {
  const { method, contentType, body, bodyNames, onIgnored } = source
  if (!body || body.length === 0 || method === 'HEAD' || method === 'OPTIONS') return {}
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Contract: JSON is read with every method, including GET.
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) {
    const sent = parseJson(body)
    if (!bodyNames) return sent
    const isRead = (name: string) => bodyNames.has(name)
    for (const name of Object.keys(sent)) if (!isRead(name)) onIgnored?.(name)
    return Object.fromEntries(Object.entries(sent).filter(([name]) => isRead(name)))
  }
  if (!formMethods.has(method)) return {}
  if (type === '' || type === 'application/x-www-form-urlencoded') return parseForm(body.toString('utf8'))
  if (type === 'multipart/form-data') return parseForm(await multipartPairs(contentType ?? '', body, onIgnored))
  return {}
}

/**
 * Parses a JSON body. A value that is not an object counts as no body at all.
 *
 * @throws rest_invalid_json, rest_request_too_large
 */
export function parseJson(body: Buffer): RawParameters {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return invalidJson(encodingError, 'json_encoding')
  }
  if (text.trim() === '') return {}
  if (createJsonCounter(jsonBounds)(body)) failTooMany()
  try {
    const sent: unknown = JSON.parse(text)
    const value: unknown = text.includes('\\u0000') ? JSON.parse(withoutNul(text)) : sent
    // Contract: a value that is not an object counts as no body at all.
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return {}
    if (Object.keys(value).length > maxParameters) failTooMany()
    return value as RawParameters
  } catch (error) {
    if (error instanceof Problem) throw error
    return invalidJson(syntaxError, 'json_syntax')
  }
}

/** @throws rest_request_too_large */
function failTooMany(): never {
  return fail('rest_request_too_large', { text: 'rest_request_too_large.items' })
}

/**
 * Removes the character NUL from the texts of JSON, as from those of forms. An escaped NUL can only follow complete
 * escape sequences.
 */
function withoutNul(json: string): string {
  return json.replace(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1')
}

function invalidJson(code: number, text: MessageKey): never {
  return fail('rest_invalid_json', { details: { json_error_code: code }, texts: { json_error_message: text } })
}

function* chunksOf(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += chunkBytes) yield body.subarray(from, from + chunkBytes)
}

/** Returns the text fields of a multipart body as a form-encoded text. Ignores files. */
function multipartPairs(contentType: string, body: Buffer, onFile?: (name: string) => void): Promise<string> {
  return new Promise((resolve) => {
    const pairs = new URLSearchParams()
    const done = () => resolve(pairs.toString())
    try {
      const parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          ...{ fields: maxParameters, fieldSize: body.length },
          ...{ parts: maxParameters, headerPairs: maxPartHeaders },
        },
      })
      parser.on('field', (name: string, value: string) => pairs.append(name, value))
      // A file that ends early emits an error, and an error without a listener ends the process.
      parser.on('file', (name, stream) => {
        onFile?.(name)
        stream.on('error', done).resume()
      })
      // A body that ends early gives its complete parts, like a shorter form.
      parser.on('error', done)
      parser.on('finish', done)
      const pieces = Readable.from(chunksOf(body))
      // Stops parsing at this number of parts.
      parser.on('partsLimit', () => {
        pieces.unpipe(parser)
        done()
      })
      pieces.pipe(parser)
    } catch {
      done() // Without a boundary nothing can be read.
    }
  })
}
