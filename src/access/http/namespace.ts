import type { Config } from '../../base/config/config.ts'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import type { Problem, ProblemCode } from '../../base/problems.ts'
import { namespaceOf } from './addresses.ts'
import type { AnswerHeader } from './answers/answer.headers.ts'
import { presentProblem } from './answers/problem.present.ts'
import type { LazySchema, Route } from './route.ts'

interface ProblemPolicy {
  readonly type: string
  readonly present: (problem: Problem, language: TextLanguage) => object
  readonly schema: LazySchema
  /** The problems of every endpoint, in the order in which they are checked. */
  readonly common: readonly ProblemCode[]
}

/** What the documents of a namespace contain besides its endpoints. */
interface DocumentPolicy {
  readonly title: OpenApiKey
  readonly description: OpenApiKey
  readonly version: string
  /** The version of OpenAPI in which the namespace itself serves its document. */
  readonly openApi: '3.0.0' | '3.1.0'
  readonly headers: readonly AnswerHeader[]
  /** The accepted encodings of request bodies. */
  readonly bodyTypes: readonly ('application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data')[]
  /**
   * Whether every endpoint accepts the language parameter and the parameters that shape an answer (conventions.md §6).
   */
  readonly hasSharedParameters: boolean
  /** Whether a session cookie is enough to sign a request in. */
  readonly hasSessions: boolean
}

/** The media type of plain JSON. */
export const jsonType = 'application/json; charset=utf-8'

/** How namespaces differ. The same tables describe, read and answer all their endpoints. */
export interface NamespacePolicy {
  /**
   * Whether requests are checked, and answers shaped, as conventions.md says: parameters before rights, all of them reported, in the
   * language of a parameter. Other namespaces check rights and what the path names first, and answer with plain JSON.
   */
  readonly isContract: boolean
  /** The media type of answers. */
  readonly type: string
  readonly problems: ProblemPolicy
  /** Whether writes accept forms besides JSON. */
  readonly takesForms: boolean
  /** Whether every write accepts `dry_run`. */
  readonly hasDryRuns: boolean
  readonly document: DocumentPolicy
}

/** Routes below one path, and what they share. */
export interface Namespace {
  /** The path below the prefix: `cal/events/v1`. */
  readonly name: (config: Pick<Config, 'vendorWord'>) => string
  readonly policy: NamespacePolicy
  readonly routes: readonly Route[]
  /** Whether it is served, if a setting decides that. */
  readonly isServed?: (config: Config) => boolean
}

export const contractPolicy: NamespacePolicy = {
  isContract: true,
  type: 'application/json; charset=UTF-8',
  problems: {
    type: 'application/json; charset=UTF-8',
    present: (problem, language) => presentProblem(problem, language).body,
    schema: async () => (await import('./answers/problem.schema.ts')).ProblemSchema,
    common: [
      'rest_invalid_json',
      'rest_invalid_param',
      'incorrect_password',
      'rest_cookie_invalid_nonce',
      'rest_request_too_large',
      'rest_too_many_requests',
      'internal_server_error',
      'service_unavailable',
      'query-too-dear',
    ],
  },
  takesForms: true,
  hasDryRuns: false,
  document: {
    title: 'info.title',
    description: 'info.description',
    // Contract: index-and-doc.md §3.
    version: '1.0.0',
    openApi: '3.0.0',
    headers: ['Allow'],
    bodyTypes: ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'],
    hasSharedParameters: true,
    hasSessions: false,
  },
}

/** Namespaces of the original interface beside the contract's: the same problems and bodies, in our order of checks. */
export const besideContractPolicy: NamespacePolicy = { ...contractPolicy, isContract: false, type: jsonType }

export const contractNamespace = (routes: readonly Route[]): Namespace => ({
  name: namespaceOf,
  policy: contractPolicy,
  routes,
})
