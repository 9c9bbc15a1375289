import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify'
import type { Config } from '../../base/config/config.ts'
import { hasSessionCookie } from '../auth/session.cookie.ts'
import { type Accepted, acceptedCodings, CODINGS, type Coding, onlyPlain } from './accept.encoding.ts'
import type { Coder } from './coder.ts'
import { codedEtag, matchesEtag } from './etag.ts'
import { type Headers, joinHeaders } from './headers.ts'
import { parseForm } from './parameters.ts'

// Which answers are coded, and what their headers say of it (docs/decisions/0031).

/** Octets below which coding costs more than it saves: with its headers such an answer fits in one packet. */
const leastCodedOctets = 1024

/** Headers of a request of somebody in particular, or with a body, of which its answer may say something. */
const ownHeaders = ['authorization', 'x-wp-nonce', 'x-csrf-token', 'content-length', 'transfer-encoding'] as const
/** Parameters by which somebody shows a secret. */
const secretParameters = ['password', '_wpnonce'] as const

type Asked = Pick<IncomingMessage, 'method' | 'url' | 'headers'>

/**
 * Whether no secret can be in the answer. Where there is one, its coded length would tell of it to whoever chooses a part
 * of the same answer and can count octets (BREACH).
 */
export function isWithoutSecret({ method, url = '', headers }: Asked): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (ownHeaders.some((name) => headers[name] !== undefined)) return false
  if (headers.cookie !== undefined && hasSessionCookie(headers.cookie)) return false
  const question = url.indexOf('?')
  if (question < 0) return true
  const query = parseForm(url.slice(question + 1))
  return !secretParameters.some((name) => name in query)
}

const textTypes = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.+-]+\+)?(?:json|xml|javascript))/i
const untouched = /\bno-(?:transform|store)\b/i

/** Whether an answer with this type is a text that may be kept and sent in another form (RFC 9111, 5.2.2.6). */
export function isText(type: string | undefined, cacheControl: string | undefined): boolean {
  return type !== undefined && textTypes.test(type) && !untouched.test(cacheControl ?? '')
}

/** What a client takes of an answer that may be coded. */
export function acceptedBy({ headers }: Pick<IncomingMessage, 'headers'>): Accepted {
  const isLeft = headers['cache-control'] !== undefined && /\bno-transform\b/i.test(headers['cache-control'])
  return isLeft ? onlyPlain : acceptedCodings(headers['accept-encoding'])
}

/** What a client takes of the answer to this request. */
export interface AcceptedOf extends Accepted {
  /** Whether it may be coded at all. */
  readonly isCodable: boolean
}

/** The same where it is not known whether the answer may be coded. */
export function acceptedOf({ isCoding }: Pick<Config, 'isCoding'>, request: Asked): AcceptedOf {
  const isCodable = isCoding && isWithoutSecret(request)
  return { ...(isCodable ? acceptedBy(request) : onlyPlain), isCodable }
}

/** The coding in which an answer of this length is sent; undefined: plain. */
export function codingFor({ best, isPlainTaken }: Accepted, octets: number): Coding | undefined {
  return octets === 0 || (octets < leastCodedOctets && isPlainTaken) ? undefined : best
}

/**
 * The validator of that form of an answer which the client has already and still takes (RFC 9110, 13.1.2); undefined where
 * it has none of them.
 */
export function knownForm(
  etag: string,
  { best, isPlainTaken, taken }: Accepted,
  ifNoneMatch: string | undefined,
): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const coded = CODINGS.filter((coding) => coding !== best && taken.includes(coding))
  const plain = isPlainTaken || best === undefined ? [etag] : []
  // In the order in which it would be sent them: `*` names the first.
  const forms = [...(best ? [codedEtag(etag, best)] : []), ...plain, ...coded.map((coding) => codedEtag(etag, coding))]
  return forms.find((form) => matchesEtag(form, ifNoneMatch))
}

const byCoding = 'Accept-Encoding'

/** These headers of an answer that may be coded: it varies, also where it is sent plain. */
export function varyingByCoding(headers: Headers): Headers {
  return joinHeaders(headers, { Vary: byCoding })
}

/**
 * Codes what is sent whole and is kept nowhere. What says already that it varies by coding, or is sent in parts, is left
 * as it is.
 */
export function codeAnswers(coder: Coder): onSendHookHandler {
  return (request, reply, payload, done) => {
    if (!mayBeCoded(request, reply)) return done(null, payload)
    const vary = headerOf(reply, 'vary')
    reply.header('Vary', vary === undefined ? byCoding : `${vary}, ${byCoding}`)
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return done(null, payload)
    const bytes = Buffer.from(payload)
    const coding = codingFor(acceptedBy(request.raw), bytes.length)
    const made = coding && coder.code(coding, bytes, 'passing')
    if (!made) return done(null, payload)
    made.then(
      (coded) => {
        sayCoding(reply, coding)
        done(null, coded)
      },
      () => done(null, payload),
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

/** Has the headers say that the body is in this coding. */
export function sayCoding(reply: FastifyReply, coding: Coding): void {
  const etag = headerOf(reply, 'etag')
  if (etag !== undefined) reply.header('ETag', codedEtag(etag, coding))
  reply.header('Content-Encoding', coding).removeHeader('Content-Length')
}

function headerOf(reply: FastifyReply, name: string): string | undefined {
  const value = reply.getHeader(name)
  return value === undefined ? undefined : String(value)
}
