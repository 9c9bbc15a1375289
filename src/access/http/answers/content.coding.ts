import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Config } from '../../../base/config/config.ts'
import { hasSessionCookie } from '../../auth/session.cookie.ts'
import { parseForm } from '../arguments/parameters.ts'
import { type AcceptedCodings, acceptedCodings, CODINGS, type Coding, identityOnly } from './accept.encoding.ts'
import type { ContentEncoder } from './content.encoder.ts'
import { type Conditions, codedEtag, isUnmodified, matchesEtag, type Validators } from './etag.ts'
import { type Headers, joinHeaders } from './headers.ts'

// Decides which responses are coded, and sets their header fields (docs/decisions/0031).

/** Below this size a coding costs more than it saves: the response with its header fits in one packet. */
const minCodedOctets = 1024

/** Fields of a request with credentials or with a body. Its response may contain a secret. */
const ownHeaders = ['authorization', 'x-wp-nonce', 'x-csrf-token', 'content-length', 'transfer-encoding'] as const
const secretParameters = ['password', '_wpnonce'] as const

type CodedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/**
 * Returns true if the response cannot contain a secret. The coded length of a response with a secret would reveal it to
 * an attacker who chooses a part of the same response and can count bytes (BREACH).
 */
export function isWithoutSecret({ method, url = '', headers }: CodedRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (ownHeaders.some((name) => headers[name] !== undefined)) return false
  if (headers.cookie !== undefined && hasSessionCookie(headers.cookie)) return false
  const question = url.indexOf('?')
  if (question < 0) return true
  const query = parseForm(url.slice(question + 1))
  return !secretParameters.some((name) => name in query)
}

const textTypes = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript))/i
const noTransformOrStore = /\bno-(?:transform|store)\b/i

/** Returns true if a response of this type is a text that may be stored and transformed (RFC 9111, 5.2.2.6). */
export function isText(type: string | undefined, cacheControl: string | undefined): boolean {
  return type !== undefined && textTypes.test(type) && !noTransformOrStore.test(cacheControl ?? '')
}

/** Returns the codings that a client accepts of a response that may be coded. */
export function codingsAcceptedBy({ headers }: Pick<IncomingMessage, 'headers'>): AcceptedCodings {
  const isLeft = headers['cache-control'] !== undefined && /\bno-transform\b/i.test(headers['cache-control'])
  return isLeft ? identityOnly : acceptedCodings(headers['accept-encoding'])
}

/** The codings that a client accepts of the response to this request. */
export interface ResponseCodings extends AcceptedCodings {
  /** True if the response may be coded at all. */
  readonly isCodable: boolean
}

/** Like `codingsAcceptedBy`, if it is not known whether the response may be coded. */
export function responseCodingsOf({ isCoding }: Pick<Config, 'isCoding'>, request: CodedRequest): ResponseCodings {
  const isCodable = isCoding && isWithoutSecret(request)
  return { ...(isCodable ? codingsAcceptedBy(request) : identityOnly), isCodable }
}

/** Returns the coding for a response of this length; undefined: no coding. */
export function chooseCoding({ best, acceptsIdentity }: AcceptedCodings, octets: number): Coding | undefined {
  return octets === 0 || (octets < minCodedOctets && acceptsIdentity) ? undefined : best
}

/**
 * Returns the validator of the form of a response that the client already has and still accepts (RFC 9110, 13.1.2), or
 * undefined if it has none.
 */
export function matchedEtag(
  etag: string,
  { best, acceptsIdentity, taken }: AcceptedCodings,
  ifNoneMatch: string | undefined,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const coded = CODINGS.filter((coding) => coding !== best && taken.includes(coding))
  const plain = acceptsIdentity || best === undefined ? [etag] : []
  // In the order of the client's preference: `*` matches the first.
  const forms = [...(best ? [codedEtag(etag, best)] : []), ...plain, ...coded.map((coding) => codedEtag(etag, coding))]
  return forms.find((form) => matchesEtag(form, ifNoneMatch))
}

/**
 * Does the same by all header fields of a request that say what the client has (RFC 9110, 13.2.2): a date only counts if
 * the client sends no validator.
 */
export function matchedForm(
  { etag, lastModified }: Validators,
  accepted: AcceptedCodings,
  { 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince }: Conditions,
): string | undefined {
  const isUnchanged = ifNoneMatch === undefined && isUnmodified(lastModified, ifModifiedSince)
  return matchedEtag(etag, accepted, isUnchanged ? '*' : ifNoneMatch)
}

const byCoding = 'Accept-Encoding'

/** Returns the headers of a response that may be coded. It varies by coding even if it is sent without one. */
export function withVaryByEncoding(headers: Headers): Headers {
  return joinHeaders(headers, { Vary: byCoding })
}

/**
 * Codes responses that are sent whole and are not cached. Leaves a response unchanged if it already varies by coding or
 * is sent in pieces.
 */
export function encodeResponses(encoder: ContentEncoder): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (!mayBeCoded(request, reply)) return done(null, payload)
    const vary = headerOf(reply, 'vary')
    reply.header('Vary', vary === undefined ? byCoding : `${vary}, ${byCoding}`)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
    const coding = chooseCoding(codingsAcceptedBy(request.raw), bytes.length)
    const made = coding && encoder.code(coding, bytes, 'passing')
    // As bytes, because Node would encode the text again.
    if (!made) return done(null, bytes)
    made.then(
      (coded) => {
        setContentEncoding(reply, coding)
        done(null, coded)
      },
      () => done(null, bytes),
    )
  }
}

function mayBeCoded({ raw }: FastifyRequest, reply: FastifyReply): boolean {
  if (reply.hasHeader('content-encoding') || reply.hasHeader('accept-ranges')) return false
  if (headerOf(reply, 'vary')?.toLowerCase().includes('accept-encoding')) return false
  const isSame = reply.statusCode === 304
  const isCodable = isSame || isText(headerOf(reply, 'content-type'), headerOf(reply, 'cache-control'))
  return isCodable && isWithoutSecret(raw)
}

/** Sets the header fields of a body in this coding. */
export function setContentEncoding(reply: FastifyReply, coding: Coding): void {
  const etag = headerOf(reply, 'etag')
  if (etag !== undefined) reply.header('ETag', codedEtag(etag, coding))
  reply.header('Content-Encoding', coding).removeHeader('Content-Length')
}

function headerOf(reply: FastifyReply, name: string): string | undefined {
  const value = reply.getHeader(name)
  return value === undefined ? undefined : String(value)
}
