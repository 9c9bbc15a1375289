import type { Config } from '../../base/config/config.ts'
import type { TextLanguage } from '../../base/languages/language.ts'
import { message } from '../../base/languages/texts.ts'
import type { Problem } from '../../base/problems.ts'
import { namesOf, presentFaultTexts } from './answers/problem.present.ts'
import { jsonType, type NamespacePolicy } from './namespace.ts'
import { pathPrefixesOf } from './request.location.ts'

export function serviceNamespaceOf(config: Pick<Config, 'vendorWord'>): string {
  return `${config.vendorWord}/service/v1`
}

const problemType = 'application/problem+json; charset=UTF-8'

/** The policy of our own namespace: what the contract does not know. */
export const servicePolicy: NamespacePolicy = {
  isContract: false,
  type: jsonType,
  problems: {
    type: problemType,
    present: presentProblemDetails,
    schema: async () => (await import('./answers/problem.schema.ts')).ProblemDetailsSchema,
    common: [
      'rest_invalid_param',
      'incorrect_password',
      'rest_too_many_requests',
      'internal_server_error',
      'service_unavailable',
    ],
  },
  takesForms: false,
  hasDryRuns: true,
  document: {
    title: 'service.title',
    description: 'service.description',
    version: '1.0.0',
    openApi: '3.1.0',
    headers: [],
    bodyTypes: ['application/json'],
    hasSharedParameters: false,
    hasSessions: true,
  },
}

/** Returns the variant of our own namespace to which a path belongs; undefined if it belongs to none. */
export function serviceVariantOf(config: Config, path: string): TextLanguage | undefined {
  const folded = path.toLowerCase()
  return pathPrefixesOf(config).find(({ base }) => folded.startsWith(`${base}/${serviceNamespaceOf(config)}/`))?.variant
}

/** Returns the answer to a request of our own namespace that is refused before it is read. */
export function refuseService(problem: Problem, language: TextLanguage) {
  const { status, headers } = problem
  const body = JSON.stringify(presentProblemDetails(problem, language))
  return { status, headers: { ...headers, 'X-Content-Type-Options': 'nosniff', 'Content-Type': problemType }, body }
}

/** How this namespace reports a failure: as RFC 9457 defines. `presentProblem` writes the form of the contract. */
function presentProblemDetails(problem: Problem, language: TextLanguage): object {
  const faults = presentFaultTexts(problem, language)
  const names = namesOf(problem)
  return {
    type: 'about:blank',
    title: message(language, problem.text, { names: names.join(', '), count: names.length }),
    status: problem.status,
    code: problem.code,
    ...(Object.keys(faults).length > 0 ? { errors: faults } : {}),
    ...problem.extra,
  }
}
