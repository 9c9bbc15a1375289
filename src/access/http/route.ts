import type { TSchema } from 'typebox'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import type { Language, SiteLanguages, TextLanguage } from '../../base/languages/language.ts'
import type { ProblemCode } from '../../base/problems.ts'
import type { Db } from '../../storage/database/tables.ts'
import type { Actor } from '../auth/actor.ts'
import type { OwnedRecord } from '../auth/policy.ts'
import type { Deps } from '../deps.ts'
import type { Addresses } from './addresses.ts'
import type { ArgumentRule, Arguments, ArgumentValues, RawParameters } from './argument.ts'
import type { ParameterReport } from './parameter.report.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What a handler is called with. */
export interface Call<P extends Arguments = Arguments, A extends Arguments = Arguments> {
  readonly deps: Deps
  readonly actor: Actor
  /** What the client is counted by; undefined where it is not. */
  readonly client: string | undefined
  /** Of the client; '' where nobody knows. */
  readonly address: string
  readonly addresses: Addresses
  /** Read from the path, which nothing overrides. */
  readonly path: ArgumentValues<P>
  /** Read from body and query. */
  readonly values: ArgumentValues<A>
  /** As they came: links of lists repeat them. */
  readonly sent: RawParameters
  /** Value of the language parameter, where it was sent. */
  readonly language: Language | undefined
  /** Id of the record that what is written is to be a translation of; 0: of none any more. */
  readonly translationOf: number | undefined
  /** The language of texts: messages and descriptions. */
  readonly textLanguage: TextLanguage
  /** Methods that the caller may use on the route's item. */
  readonly allow: () => Promise<readonly Method[]>
  /** What the answer says of the parameters besides. */
  readonly parameterReport: ParameterReport
  /** `context` of the query or body; only terms and password-protected events look at it. */
  readonly context: string | undefined
}

/** Something to send that is no JSON. */
export interface TextDocument {
  readonly type: string
  readonly text: string
}

/** A text in pieces, each made when it is asked for. */
export type Pieces = AsyncIterable<string>

/** The same where it is too large to be made whole. */
export interface StreamedDocument {
  readonly type: string
  /** A validator that is parameterReport before the text is made (RFC 9110, 8.8.3), with its quotes. */
  readonly etag: string
  readonly pieces: Pieces
}

export interface EndpointResult {
  readonly status: number
  /** An object of the contract, or a list. */
  readonly body: object
  /** What is sent instead of the body, as it is: no JSON, so what shapes an answer does not apply. */
  readonly document?: TextDocument | StreamedDocument
  readonly headers?: Readonly<Record<string, string>>
  /** Keys that `_fields` cannot leave out. */
  readonly alwaysKept?: readonly string[]
  /** The last second at which the clock gives the same answer; by default that of the request, where it was looked at. */
  readonly freshUntil?: number
}

/** A schema that is loaded only where a document is written: most processes need none. */
export type LazySchema = () => Promise<TSchema>

/** Headers of answers that the documents describe. */
export type AnswerHeader = 'X-TEC-Total' | 'X-TEC-TotalPages' | 'X-WP-Total' | 'X-WP-TotalPages' | 'Allow' | 'Location'

/** The answer of an endpoint where all goes well. */
export interface AnswerDescription {
  /** 200 by default. */
  readonly status?: 200 | 201 | 204
  /** None where there is no body. */
  readonly schema?: LazySchema
  /** The type of the body where it is no JSON. */
  readonly type?: string
  /** Besides those that all answers of the namespace have. */
  readonly headers?: readonly AnswerHeader[]
}

/** What the documents say of an endpoint. */
interface EndpointDescription {
  readonly summary: OpenApiKey
  readonly about?: OpenApiKey
  readonly answer: AnswerDescription
  /** What may go wrong besides what may go wrong at every endpoint of the namespace. */
  readonly problems: readonly ProblemCode[]
}

/** What endpoints of all namespaces have. */
export interface EndpointBase<P extends Arguments = Arguments, A extends Arguments = Arguments>
  extends EndpointDescription {
  readonly methods: readonly Method[]
  /** Name of the operation in the OpenAPI document. */
  readonly operation: string
  readonly path: P
  readonly args: A
  /** Whether the caller may use it, on this item where the route has one. */
  readonly isOpenTo: (actor: Actor, target: OwnedRecord | undefined) => boolean
  /** Takes the language parameter where its namespace does not have it everywhere. */
  readonly hasLanguage?: boolean
  /** Looks at `context`, which its arguments do not name. */
  readonly readsContext?: boolean
  /** How a write reads the id of what it translates (languages.md §5). */
  readonly translationOf?: ArgumentRule<number>
  /** Reads its body by itself: a form with a file. */
  readonly isUpload?: boolean
}

/** An endpoint of the contract's namespace. */
export interface Endpoint<P extends Arguments = Arguments, A extends Arguments = Arguments> extends EndpointBase<P, A> {
  readonly handle: (call: Call<P, A>) => Promise<EndpointResult>
}

/** The language asked for, and those of the site. */
export interface LanguageAsked extends SiteLanguages {
  readonly language: Language | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the one place where endpoints of all shapes are held together.
export interface Route<E extends EndpointBase = Endpoint<any, any>> {
  /** Below the namespace: `''`, `/events`, `/events/{id}`, `/events/by-slug/{slug}`. */
  readonly path: string
  readonly tag: string
  /** One of our own, which the index leaves out and the OpenAPI document marks. */
  readonly isExtension?: boolean
  /** In the order in which methods are listed. */
  readonly endpoints: readonly E[]
  /** Owner and status of the item in the path, where the methods a caller may use depend on them. */
  readonly target?: (
    db: Db,
    path: RawParameters,
    asker: LanguageAsked & { readonly actor: Actor },
  ) => Promise<OwnedRecord | undefined>
}

/** Says an endpoint with its types inferred from its arguments. */
export function endpoint<const P extends Arguments, const A extends Arguments>(
  definition: Endpoint<P, A>,
): Endpoint<P, A> {
  return definition
}

export const openToAll = (): boolean => true

/** Whether an endpoint takes what it takes from the query: it reads or removes. */
export function isReadFromQuery({ methods }: Pick<EndpointBase, 'methods'>): boolean {
  return methods.every((method) => method === 'GET' || method === 'DELETE')
}

/** The route as a pattern with named groups, as the index names it. */
export function patternOf(namespace: string, { path, endpoints }: Route<EndpointBase>): string {
  const isNumber = (name: string) => endpoints[0]?.path[name]?.schema.type === 'integer'
  return `/${namespace}${path.replace(/\{(\w+)\}/g, (_, name) => `(?P<${name}>${isNumber(name) ? '\\d' : '[^/]'}+)`)}`
}

/** The route at `path`, which starts below the namespace, with the values in it; letter case of fixed parts is ignored. */
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
      if (segment === '') return undefined
      values.slug = percentDecoded(segment)
    } else if (part !== segment.toLowerCase()) {
      return undefined
    }
  }
  return values
}

function percentDecoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
