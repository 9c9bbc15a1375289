import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { namespaceOf } from '../../access/http/addresses.ts'
import { serviceNamespaceOf } from '../../access/http/service.ts'
import type { Config } from '../../base/config/config.ts'
import { TEXT_LANGUAGE_PATHS, type TextLanguage } from '../../base/languages/language.ts'

// The desk is a client of the interface (docs/decisions/0055-desk.md): it sends the requests of the browser on, with its
// cookie, so that rights, limits and versions are decided in one place.

/** A request of the desk to the interface. */
interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the namespace: `/events/12`. */
  readonly path: string
  /** Parameters of the address. Those without a value are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  readonly json?: object
  /** A text as the body, of the type that the headers name. */
  readonly text?: string
  /** A file as the body. */
  readonly upload?: { readonly localFile: string; readonly name: string }
  readonly headers?: Readonly<Record<string, string>>
  /** The language of the address. Default: that of the page. */
  readonly textLanguage?: TextLanguage
}

/** What the interface says about a failure. */
export interface Failure {
  /** In the language of the request; '' if the request succeeded. */
  readonly message: string
  /** Faults by parameter. */
  readonly faults: Readonly<Record<string, string>>
  readonly code?: string | undefined
  /** Dates of a series that the request would lose. */
  readonly inUse?: readonly number[] | undefined
}

export interface ApiAnswer<T> extends Failure {
  readonly status: number
  readonly body: T
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  /** The version of the record that the answer shows. */
  readonly version: string | undefined
}

/** The interface, as one page of the desk uses it. */
export interface DeskApi {
  events<T>(request: ApiRequest): Promise<ApiAnswer<T>>
  service<T>(request: ApiRequest): Promise<ApiAnswer<T>>
  /** Returns the same for a browser with another session. */
  signedIn(cookie: string, csrfToken: string): DeskApi
}

/** The interface refused for reasons that no field of a form can fix. */
export class ApiFailure extends Error {
  readonly status: number
  readonly retryAfter: string | undefined

  constructor({ status, message, headers }: Pick<ApiAnswer<unknown>, 'status' | 'message' | 'headers'>) {
    super(message)
    this.status = status
    this.retryAfter = headers['retry-after'] === undefined ? undefined : String(headers['retry-after'])
  }
}

/** Fields of the browser that identify it. All others are those of the page, not of the request to the interface. */
const passedOn = /^(?:cookie|host|origin|sec-fetch-site|user-agent|forwarded|x-forwarded-.*|x-request-id)$/

const tooMany = 429
const serverError = 500

export interface ApiOrigin {
  readonly request: Pick<IncomingMessage, 'headers' | 'socket'>
  readonly textLanguage: TextLanguage
}

export function createDeskApi(server: FastifyInstance, config: Config, origin: ApiOrigin): DeskApi {
  const { headers, socket } = origin.request
  const own = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      passedOn.test(name) && value !== undefined ? [[name, String(value)] as const] : [],
    ),
  )
  const from = (identity: Readonly<Record<string, string>>): DeskApi => {
    const send = async <T>(namespace: string, asked: ApiRequest): Promise<ApiAnswer<T>> => {
      const { method = 'GET', path, json, text, upload, textLanguage = origin.textLanguage } = asked
      const pairs = Object.entries(asked.query ?? {}).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)]],
      )
      const search = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
      const response = await server.inject({
        method,
        url: `${config.restPrefix}${TEXT_LANGUAGE_PATHS[textLanguage]}/${namespace}${path}${search}`,
        remoteAddress: socket.remoteAddress ?? '',
        headers: {
          ...identity,
          ...(json === undefined ? {} : { 'content-type': 'application/json' }),
          ...(upload ? fileHeaders(upload) : {}),
          ...asked.headers,
        },
        ...(json === undefined ? {} : { payload: JSON.stringify(json) }),
        ...(text === undefined ? {} : { payload: text }),
        ...(upload ? { payload: createReadStream(upload.localFile) } : {}),
      })
      const answer = answerOf<T>(response)
      if (answer.status === tooMany || answer.status >= serverError) throw new ApiFailure(answer)
      return answer
    }
    return {
      events: (asked) => send(namespaceOf(config), asked),
      service: (asked) => send(serviceNamespaceOf(config), asked),
      signedIn: (cookie, csrfToken) => from({ ...own, cookie, 'x-csrf-token': csrfToken }),
    }
  }
  return from(own)
}

/** Returns the headers that name a file (RFC 6266, 4.3). */
function fileHeaders({ name }: { readonly name: string }): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/octet-stream',
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed())}`,
  }
}

/** Returns the lines of an answer that has one JSON value in each. */
function linesOf(text: string): object {
  return { lines: text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as unknown])) }
}

/** A failure in the form of either namespace. */
interface FailureBody {
  readonly code?: string
  readonly message?: string
  readonly title?: string
  readonly errors?: Failure['faults']
  readonly event_ids?: readonly number[]
  readonly data?: { readonly params?: Failure['faults']; readonly event_ids?: readonly number[] }
}

export function failureIn({ code, message, title, errors, event_ids, data }: FailureBody): Failure {
  const faults = errors ?? data?.params ?? {}
  return { code, message: String(message ?? title ?? ''), faults, inUse: event_ids ?? data?.event_ids }
}

function answerOf<T>(response: {
  readonly statusCode: number
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>
  readonly body: string
}): ApiAnswer<T> {
  const { statusCode: status, headers } = response
  const type = String(headers['content-type'] ?? '')
  const isJson = /json/.test(type) && response.body !== ''
  const read = /ndjson/.test(type) ? linesOf : JSON.parse
  const body = (isJson ? read(response.body) : {}) as T & FailureBody
  const version = headers['x-record-version']
  return {
    ...{ status, headers, body },
    version: version === undefined ? undefined : String(version),
    ...(status >= 400 ? failureIn(body) : { message: '', faults: {} }),
  }
}
