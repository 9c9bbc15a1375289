import type { TSchema } from 'typebox'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import type { Language, SiteLanguages } from '../../base/languages/language.ts'
import type { ProblemCode } from '../../base/problems.ts'
import { slugFrom } from '../../base/text/slug.ts'
import type { Db, Tx } from '../../storage/database/tables.ts'
import type { Actor } from '../auth/actor.ts'
import type { OwnedRecord } from '../auth/policy.ts'
import type { Deps } from '../deps.ts'
import type { AnswerHeader } from './answers/answer.headers.ts'
import type { ArgumentRule, Arguments, ArgumentValues, RawParameters } from './arguments/argument.ts'
import type { Call, EndpointRequest, Method, Wait, WaitEnd } from './call.ts'
import type { RecordValidators } from './precondition.ts'

/** A document that is not JSON. */
export interface TextDocument {
  readonly type: string
  /** As bytes in UTF-8 if it was made as such. */
  readonly text: string | Buffer
}

/** A text in parts, each created on request. A reader thread sends them as bytes. */
export type Pieces = AsyncIterable<string | Uint8Array>

/** A document that is too large to be built in memory. */
export interface StreamedDocument {
  readonly type: string
  /** A validator that is known before the text is created (RFC 9110, 8.8.3), with its quotes. */
  readonly etag: string
  readonly pieces: Pieces
}

export interface EndpointResult {
  readonly status: number
  readonly body: object
  /** Sent unchanged instead of the body. It is not JSON, so the parameters that shape an answer do not apply. */
  readonly document?: TextDocument | StreamedDocument
  readonly headers?: Readonly<Record<string, string>>
  /** The version of the record that the answer shows. */
  readonly version?: number | undefined
  /** Keys that `_fields` cannot remove. */
  readonly alwaysKept?: readonly string[]
  /**
   * The last second in which the answer stays the same. By default, this is the second of the request if the handler
   * has read the clock.
   */
  readonly freshUntil?: number
  /** If set, the endpoint waits for this, and is asked again when it happens. If it does not happen, the result is the answer. */
  readonly wait?: Wait
}

/** A schema that is loaded only to write a document: most processes need none. */
export type LazySchema = () => Promise<TSchema>

export const recordHeaders: readonly AnswerHeader[] = ['X-Record-Version']

/** The answer of an endpoint on success. */
export interface AnswerDescription {
  /** 200 by default. */
  readonly status?: 200 | 201 | 204
  /** Further statuses of success; 204 has no body. */
  readonly others?: readonly (201 | 204)[]
  /** None if the answer has no body. */
  readonly schema?: LazySchema
  /** The content type of a body that is not JSON. */
  readonly type?: string
  /** Headers besides those of all answers of the namespace. */
  readonly headers?: readonly AnswerHeader[]
}

/** What the documents say about an endpoint. */
interface EndpointDescription {
  readonly summary: OpenApiKey
  readonly about?: OpenApiKey
  readonly answer: AnswerDescription
  /** Problems besides those of every endpoint of the namespace. */
  readonly problems: readonly ProblemCode[]
}

/** What is known about a read before its parameters are checked. */
export interface AskedRead {
  readonly query: RawParameters
  readonly actor: Actor
  readonly languageParameter: string
}

/** Methods of a route, and how a request with one of them is checked and answered. */
export interface Endpoint<P extends Arguments = Arguments, A extends Arguments = Arguments, T = unknown>
  extends EndpointDescription {
  readonly methods: readonly Method[]
  /** Name of the operation in the OpenAPI document. */
  readonly operation: string
  readonly path: P
  readonly args: A
  /** Whether the caller may use the endpoint, on this item if the route has one. */
  readonly isOpenTo: (actor: Actor, target: OwnedRecord | undefined) => boolean
  /** Whether it accepts the language parameter although its namespace does not in general. */
  readonly hasLanguage?: boolean
  /** Whether it uses `context`, which its arguments do not name. */
  readonly readsContext?: boolean
  /** How a write reads the id of the record that it translates (languages.md §5). */
  readonly translationOf?: ArgumentRule<number>
  /**
   * Whether the response to a read surely takes no more than a few milliseconds. All other reads are answered in reader
   * threads, if there are any, where no other request waits for them. By default it is true if the path names a record.
   */
  readonly isShort?: (asked: AskedRead) => boolean
  /** Whether its write passes those of others that wait: it takes a right away from somebody who may do harm with it. */
  readonly isUrgent?: boolean
  /** Whether it accepts an idempotency key: it writes with `writeOnce`. */
  readonly isRepeatable?: boolean
  /**
   * Set if it accepts an idempotency key and its answer is remembered, without these members: they are secret, and
   * shown once. Only for writes of our own namespace, and only for short answers.
   */
  readonly remembersAnswer?: { readonly without?: readonly string[] }
  /**
   * Whether it may be part of a batch: it writes records of the calendar through `deps.storage`, and does nothing else
   * that would have to be undone.
   */
  readonly isBatchable?: boolean
  /** Whether a record has the slug that a write would give to a new one (`If-None-Match: *`). */
  readonly isTaken?: (
    tx: Tx,
    values: ArgumentValues<A>,
    asker: LanguageAsked & { readonly actor: Actor },
  ) => Promise<boolean>
  /** Whether it reads its body itself: a form with a file. */
  readonly isUpload?: boolean
  /**
   * The content type of a body that it reads itself, while it answers. Its parameters are in the query, and the time
   * for the whole body is not limited, unless it reads the body as a whole.
   */
  readonly bodyType?: string
  readonly isBodyWhole?: true
  /** Whether it writes in many transactions, so that it tries them itself if nothing is to change. */
  readonly triesItself?: true
  /** The maximum size of a JSON body, if it is not that of its namespace. */
  readonly maxBodyBytes?: number
  /** Looks up the item in the path, or refuses the request, before the parameters are read. */
  readonly target?: (request: EndpointRequest<P>) => T | Promise<T>
  /** Whether responses have a validator, so that clients need not read the same response again (RFC 9110, 13.1.2). */
  readonly hasValidator?: boolean
  /**
   * Waits for what a result says, in the main thread, and returns whether it has happened. While a request waits, it does not count
   * as in progress.
   */
  readonly waitFor?: (deps: Deps, wait: Wait, end: WaitEnd) => Promise<boolean>
  readonly handle: (call: Call<P, A, T>) => Promise<EndpointResult>
}

export interface LanguageAsked extends SiteLanguages {
  readonly language: Language | undefined
}

export interface Route {
  /** The path below the namespace: `''`, `/events`, `/events/{id}`, `/events/by-slug/{slug}`. */
  readonly path: string
  readonly tag: string
  /** An addition of ours: the index omits it, and the OpenAPI document marks it. */
  readonly isExtension?: boolean
  /** In the order in which the methods are listed. */
  // biome-ignore lint/suspicious/noExplicitAny: the only place that holds endpoints of all shapes.
  readonly endpoints: readonly Endpoint<any, any, any>[]
  /** Owner and status of the item in the path, if the allowed methods depend on them. */
  readonly target?: (
    db: Db,
    path: RawParameters,
    asker: LanguageAsked & { readonly actor: Actor },
  ) => Promise<OwnedRecord | undefined>
  /**
   * Returns the validators of the record in the path, if there is one and the caller may change it. Writes on the route
   * then accept preconditions.
   */
  readonly validators?: (
    db: Db,
    path: RawParameters,
    asker: LanguageAsked & { readonly actor: Actor },
  ) => Promise<RecordValidators | undefined>
}

type None = Record<never, never>

/** Defines an endpoint; its types are inferred from its arguments and its target. Without `path` or `args`, it has none. */
export function endpoint<const P extends Arguments = None, const A extends Arguments = None, T = undefined>(
  definition: Omit<Endpoint<P, A, T>, 'path' | 'args'> & { readonly path?: P; readonly args?: A },
): Endpoint<P, A, T> {
  return { path: {} as P, args: {} as A, ...definition }
}

export const openToAll = (): boolean => true

/** Allows callers who have signed in or sent a key. */
export const openToUsers = (actor: Actor): boolean => actor.kind === 'user'

/** Whether an endpoint changes anything. */
export function isWrite({ methods }: Pick<Endpoint, 'methods'>): boolean {
  return !methods.includes('GET')
}

export function takesIdempotencyKey({ isRepeatable, remembersAnswer }: Endpoint): boolean {
  return isRepeatable === true || remembersAnswer !== undefined
}

/** Whether an endpoint takes its parameters from the query: it reads or removes, or its body is something else. */
export function isReadFromQuery({ methods, bodyType }: Pick<Endpoint, 'methods' | 'bodyType'>): boolean {
  return bodyType !== undefined || methods.every((method) => method === 'GET' || method === 'DELETE')
}

/** Returns the path of the route as a pattern with named groups, as the index shows it. */
export function patternOf(namespace: string, { path, endpoints }: Route): string {
  const isNumber = (name: string) => endpoints[0]?.path[name]?.schema.type === 'integer'
  return `/${namespace}${path.replace(/\{(\w+)\}/g, (_, name) => `(?P<${name}>${isNumber(name) ? '\\d' : '[^/]'}+)`)}`
}

/**
 * Returns the route at `path`, which starts below the namespace, with the values in the path. The letter case of fixed
 * parts is ignored.
 */
export function matchRoute(
  routes: readonly Route[],
  path: string,
): { readonly route: Route; readonly path: Readonly<Record<string, string>> } | undefined {
  const segments = path.split('/')
  for (const route of routes) {
    const values = matchSegments(route.path.split('/'), segments)
    if (values) return { route, path: values }
  }
  return undefined
}

function matchSegments(expected: readonly string[], segments: readonly string[]): Record<string, string> | undefined {
  if (expected.length !== segments.length) return undefined
  const values: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? ''
    if (part === '{id}') {
      if (!/^\d+$/.test(segment)) return undefined
      values.id = segment
    } else if (part === '{slug}') {
      const slug = percentDecoded(segment)
      // An empty slug is unknown. It must not find records without a slug (rulings.md 42).
      if (slugFrom(slug) === '') return undefined
      values.slug = slug
    } else if (part !== segment.toLowerCase()) {
      return undefined
    }
  }
  return values
}

/** Returns a part of a path, unchanged if its percent-encoding is invalid. */
export function percentDecoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
