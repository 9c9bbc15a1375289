import { pause, within } from './deadline.ts'
import { ApiError } from './errors.ts'
import type { Kept } from './kept.ts'
import type { CallOptions, Connection, ServiceWriteOptions } from './options.ts'
import { queryText } from './query.ts'
import { rememberVersion } from './reading.ts'
import { readRefusal } from './refusal.ts'
import { mayRetry, waitBeforeRetry } from './retry.ts'
import { withWords } from './words.ts'

/** A request to one of the two namespaces. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly namespace: 'events' | 'service'
  /** The path below the namespace, starting with a slash. */
  readonly path: string
  readonly query?: object | undefined
  /** A form is sent as a form, and any other body as JSON. */
  readonly body?: object | undefined
  /** Whether records of the service’s own namespace have a language here. */
  readonly hasLanguage?: boolean
}

export interface Answer<T> {
  readonly status: number
  readonly body: T
  readonly headers: Headers
}

/**
 * Sends a request, and retries it if it was refused temporarily. Returns the response. The type `T` of its body relies
 * on the contract of the interface.
 *
 * @throws ApiError, NetworkError, TimeoutError, the reason of an aborted signal
 */
export type Send = <T>(call: Call, options?: ServiceWriteOptions) => Promise<Answer<T>>

/** A request that is being sent. */
interface Sent {
  readonly url: string
  readonly init: RequestInit
  readonly timeoutMs: number
  readonly signals: readonly AbortSignal[]
  /** The cached response to revalidate. */
  readonly known: Kept | undefined
}

export function createSend(connection: Connection): Send {
  return async <T>(call: Call, options: ServiceWriteOptions = {}) => {
    const sent = sentFor(connection, call, options)
    for (let failures = 1; ; failures += 1) {
      const { status, headers, text } = await ask(connection, sent)
      const body = jsonOf(text)
      const isSuccess = status >= 200 && status < 300
      if (isSuccess && (body !== undefined || status === 204)) {
        keep(connection, sent, headers, text)
        const shown = withWords(body, connection.words.toClient)
        rememberVersion(shown, headers.get('X-Record-Version'))
        return { status, body: shown as T, headers }
      }
      const refusal = readRefusal({ status, headers }, isSuccess ? undefined : body)
      const waitMs = mayRetry(status, isRepeatable(call, options))
        ? waitBeforeRetry(failures, refusal.retryAfterMs, connection.patience, Math.random())
        : undefined
      if (waitMs === undefined) throw new ApiError(refusal)
      await pause(waitMs, sent.signals)
    }
  }
}

/**
 * Whether a request has the same effect if it is sent twice. A second POST creates a second record, and a second write
 * with a version finds the version that the first one made. An idempotency key prevents both.
 */
function isRepeatable({ method }: Call, { idempotencyKey, ifMatch }: ServiceWriteOptions): boolean {
  return idempotencyKey !== undefined || (method !== 'POST' && ifMatch === undefined)
}

function sentFor(connection: Connection, { method, body, ...call }: Call, options: ServiceWriteOptions): Sent {
  const url = urlOf(connection, call, options)
  const known = method === 'GET' ? connection.kept.find(url) : undefined
  const isForm = body instanceof FormData
  const headers = {
    Accept: 'application/json',
    ...connection.headers,
    // The boundary of a form is not known until the form is sent.
    ...(body && !isForm ? { 'Content-Type': 'application/json' } : {}),
    ...(known ? { 'If-None-Match': known.etag } : {}),
    ...(options.idempotencyKey === undefined ? {} : { 'Idempotency-Key': options.idempotencyKey }),
    ...(options.ifMatch === undefined ? {} : { 'If-Match': `"${options.ifMatch}"` }),
  }
  const payload = isForm ? body : JSON.stringify(withWords(body, connection.words.toService))
  return {
    url,
    init: {
      method,
      headers,
      ...(body ? { body: payload } : {}),
      // Most redirects turn a write into a read, which then seems to have succeeded.
      redirect: method === 'GET' ? 'follow' : 'error',
    },
    timeoutMs: options.timeoutMs ?? connection.timeoutMs,
    signals: [connection.signal, options.signal].filter((signal) => signal !== undefined),
    known,
  }
}

/** Returns the address of a call. Most of the service’s own namespace has no language of records. */
export function urlOf(
  { base, language: usual, languageParameter }: Connection,
  { namespace, path, query = {}, hasLanguage = namespace === 'events' }: Omit<Call, 'method' | 'body'>,
  { language = usual, dryRun }: Pick<CallOptions, 'language'> & Pick<ServiceWriteOptions, 'dryRun'> = {},
): string {
  const asked = hasLanguage && language ? { [languageParameter]: language } : {}
  const tried = dryRun === undefined ? {} : { dry_run: dryRun }
  return `${base}/${namespace}/v1${path}${queryText({ ...query, ...asked, ...tried })}`
}

/** Returns the response with its text. For a 304 it returns the cached response. */
function ask({ fetch }: Connection, { url, init, timeoutMs, signals, known }: Sent) {
  return within(timeoutMs, signals, async (signal) => {
    const response = await fetch(url, { ...init, signal })
    const { status, headers } = response
    const text = await response.text()
    return status === 304 && known ? { status: 200, headers, text: known.text } : { status, headers, text }
  })
}

function keep({ kept }: Connection, { url, init }: Sent, headers: Headers, text: string): void {
  const etag = headers.get('ETag')
  if (init.method === 'GET' && etag !== null) kept.keep(url, { etag, text })
}

/** Returns undefined if the text is not JSON: the response is then not from the service. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
