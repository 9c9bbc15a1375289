import { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import qs from 'qs'
import type { MessageKey } from '../../base/languages/en/messages.ts'
import { fail } from '../../base/problems.ts'
import type { Arguments, Sent } from './argument.ts'

/** The parts of a request that parameters come from. */
export interface ParameterSource {
  readonly method: string
  /** Without the question mark. */
  readonly query: string
  readonly contentType: string | undefined
  readonly body: Buffer | undefined
  /** Parameters that its body may name; undefined where it may name any. */
  readonly bodyNames: ReadonlySet<string> | undefined
  /** Is told of what the body names and nobody reads. */
  readonly onPassedOver?: (name: string) => void
}

/** A request that only reads says no more in its body than it could say in its address. */
export const mostReadingBytes = 16 * 1024
/** What every route takes, from the body as well (conventions.md §6). */
const parametersOfAll = ['_fields', 'context']
const formMethods = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])
const maxParameters = 1000
/** Of one part of a multipart body; what clients send have two or three. */
const maxPartHeaders = 20
const pieceBytes = 16 * 1024
const maxDepth = 6
const syntaxError = 4
const encodingError = 5

/**
 * What the body of a request that only reads may name: parameters of the contract, and none of our own, which no client
 * of the original interface sends there.
 *
 * @param words Names that settings choose.
 */
export function readingNames(args: Arguments, words: readonly string[]): ReadonlySet<string> {
  const ofContract = Object.entries(args).flatMap(([name, { isExtension }]) => (isExtension ? [] : name))
  return new Set([...ofContract, ...words, ...parametersOfAll])
}

/**
 * All parameters of a request outside its path, the body's before those of the query (conventions.md §2).
 *
 * @throws rest_invalid_json
 */
export async function sentParameters(source: ParameterSource): Promise<Sent> {
  const fromBody = await bodyParameters(source)
  return Object.assign(Object.create(null), parseForm(source.query), fromBody)
}

/**
 * Name and value pairs of a query or form: of a name that comes twice the last counts; `a[]` and `a[x]` make lists.
 * The character NUL, which not every database can store, is passed over.
 */
export function parseForm(text: string): Sent {
  if (text === '') return {}
  return qs.parse(text.replace(/%00|\0/g, ''), {
    duplicates: 'last',
    depth: maxDepth,
    parameterLimit: maxParameters,
    arrayLimit: maxParameters,
    plainObjects: true,
  })
}

async function bodyParameters(source: ParameterSource): Promise<Sent> {
  const { method, contentType, body, bodyNames, onPassedOver } = source
  if (!body || body.length === 0 || method === 'HEAD' || method === 'OPTIONS') return {}
  const type = (contentType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  // Contract: JSON is read on every method, GET too.
  if (/^application\/([\w.+-]+\+)?json$/.test(type)) {
    const sent = parseJson(body)
    if (!bodyNames) return sent
    const isRead = (name: string) => bodyNames.has(name)
    for (const name of Object.keys(sent)) if (!isRead(name)) onPassedOver?.(name)
    return Object.fromEntries(Object.entries(sent).filter(([name]) => isRead(name)))
  }
  if (!formMethods.has(method)) return {}
  if (type === '' || type === 'application/x-www-form-urlencoded') return parseForm(body.toString('utf8'))
  if (type === 'multipart/form-data') return parseForm(await multipartPairs(contentType ?? '', body, onPassedOver))
  return {}
}

function parseJson(body: Buffer): Sent {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return invalidJson(encodingError, 'json_encoding')
  }
  if (text.trim() === '') return {}
  try {
    const sent: unknown = JSON.parse(text)
    const value: unknown = text.includes('\\u0000') ? JSON.parse(withoutNul(text)) : sent
    // Contract: what is no object counts as no body at all.
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as Sent) : {}
  } catch {
    return invalidJson(syntaxError, 'json_syntax')
  }
}

/** JSON whose texts are without the character NUL, as those of forms: an escape of it follows whole escapes only. */
function withoutNul(json: string): string {
  return json.replace(/(?<!\\)((?:\\\\)*)(?:\\u0000)+/g, '$1')
}

function invalidJson(code: number, text: MessageKey): never {
  return fail('rest_invalid_json', { details: { json_error_code: code }, texts: { json_error_message: text } })
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let from = 0; from < body.length; from += pieceBytes) yield body.subarray(from, from + pieceBytes)
}

/** The text fields of a multipart body as a form-encoded text; files are passed over. */
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
      // A file that breaks off says so itself, and an error that nobody hears ends the process.
      parser.on('file', (name, stream) => {
        onFile?.(name)
        stream.on('error', done).resume()
      })
      // A body that breaks off gives what was whole before the break, as an empty form would.
      parser.on('error', done)
      parser.on('finish', done)
      const pieces = Readable.from(piecesOf(body))
      // What comes behind so many parts is not even looked at.
      parser.on('partsLimit', () => {
        pieces.unpipe(parser)
        done()
      })
      pieces.pipe(parser)
    } catch {
      done() // No boundary: nothing can be read.
    }
  })
}
