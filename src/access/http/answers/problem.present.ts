import type { TextLanguage } from '../../../base/languages/language.ts'
import { message } from '../../../base/languages/texts.ts'
import type { ParameterFault, Problem } from '../../../base/problems.ts'
import type { EndpointResult } from '../route.ts'

/** Returns the body of a problem, in a language (conventions.md §4). */
export function presentProblem(problem: Problem, language: TextLanguage): EndpointResult {
  // Contract: this problem has no `data`.
  if (problem.code === 'rest_callback_invalid') {
    return { status: problem.status, body: { code: problem.code, message: message(language, problem.code) } }
  }
  const names = namesOf(problem)
  return {
    status: problem.status,
    body: {
      code: problem.code,
      message: message(language, problem.text, { names: names.join(', '), count: names.length }),
      data: {
        status: problem.status,
        ...problem.details,
        ...presentTexts(problem, language),
        ...presentFaults(problem, language),
      },
      ...problem.extra,
    },
  }
}

/** Returns the parameters that are wrong or missing. */
export function namesOf(problem: Problem): readonly string[] {
  const missing = problem.details.params
  return Array.isArray(missing) ? missing : Object.keys(problem.faults)
}

function presentTexts({ texts }: Problem, language: TextLanguage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, key]) => [name, message(language, key)]))
}

function presentFaults(problem: Problem, language: TextLanguage): object {
  const entries = Object.entries(problem.faults)
  if (entries.length === 0) return {}
  const inner = entries.flatMap(([name, fault]) =>
    fault.inner ? [[name, { ...fault.inner, message: faultText(language, name, fault) }] as const] : [],
  )
  return {
    params: presentFaultTexts(problem, language),
    // Contract: an empty list, not an empty object.
    details:
      inner.length > 0
        ? Object.fromEntries(
            inner.map(([name, { code, message: text, data }]) => [name, { code, message: text, data }]),
          )
        : [],
  }
}

export function presentFaultTexts({ faults }: Problem, language: TextLanguage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, faultText(language, name, fault)]))
}

function faultText(language: TextLanguage, name: string, fault: ParameterFault): string {
  return message(language, fault.text, { name, ...fault.values })
}
