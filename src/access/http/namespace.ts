import type { Config } from '../../base/config/config.ts'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import type { Problem, ProblemCode } from '../../base/problems.ts'
import { namespaceOf } from './addresses.ts'
import { presentProblem } from './problem.present.ts'
import type { AnswerHeader, LazySchema, Route } from './route.ts'

/** How a namespace tells what goes wrong. */
interface ProblemPolicy {
  readonly type: string
  readonly present: (problem: Problem, language: TextLanguage) => object
  readonly schema: LazySchema
  /** What every endpoint may answer, in the order in which it is checked. */
  readonly common: readonly ProblemCode[]
}

/** What the documents of a namespace say beside its endpoints. */
interface DocumentPolicy {
  readonly title: OpenApiKey
  readonly description: OpenApiKey
  /** Version of the interface. */
  readonly version: string
  /** The form of the document that the namespace itself gives. */
  readonly openApi: '3.0.0' | '3.1.0'
  /** Headers that all answers have. */
  readonly headers: readonly AnswerHeader[]
  /** The encodings in which bodies are read. */
  readonly bodyTypes: readonly ('application/json' | 'application/x-www-form-urlencoded' | 'multipart/form-data')[]
  /** Whether every endpoint takes the language and the parameters that shape an answer (conventions.md §6). */
  readonly hasSharedParameters: boolean
  /** Whether a browser that has signed in may ask with its cookie alone. */
  readonly hasSessions: boolean
}

/** What sets namespaces apart. Their endpoints are all described, read and answered by the same tables. */
export interface NamespacePolicy {
  readonly problems: ProblemPolicy
  /** Whether writes are read from forms as well as from JSON. */
  readonly takesForms: boolean
  readonly document: DocumentPolicy
}

/** Routes below one address, and what they have in common. */
export interface Namespace<R extends DescribedRoute = DescribedRoute> {
  /** Below the prefix: `cal/events/v1`. */
  readonly name: (config: Pick<Config, 'vendorWord'>) => string
  readonly policy: NamespacePolicy
  readonly routes: readonly R[]
  /** Where a setting decides whether it is there at all. */
  readonly isServed?: (config: Config) => boolean
}

/** A route of any namespace, as far as the documents describe it. */
// biome-ignore lint/suspicious/noExplicitAny: routes of all namespaces are described alike, whatever their handlers take.
export type DescribedRoute = Route<any>

/**
 * The contract's namespace. The rest of its policy, the order of its checks among it, is `server/dispatch.ts`
 * (conventions.md §3).
 */
export const contractPolicy: NamespacePolicy = {
  problems: {
    type: 'application/json; charset=UTF-8',
    present: (problem, language) => presentProblem(problem, language).body,
    schema: async () => (await import('./problem.schema.ts')).ProblemSchema,
    common: [
      'rest_invalid_json',
      'rest_invalid_param',
      'incorrect_password',
      'rest_cookie_invalid_nonce',
      'rest_request_too_large',
      'rest_too_many_requests',
      'internal_server_error',
      'service_unavailable',
    ],
  },
  takesForms: true,
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

export const contractNamespace = (routes: readonly Route[]): Namespace<Route> => ({
  name: namespaceOf,
  policy: contractPolicy,
  routes,
})
