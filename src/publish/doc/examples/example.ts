import type { Role } from '../../../access/auth/actor.ts'
import type { ExampleName, MessageKey } from '../../../base/languages/catalogue.ts'
import type { ProblemCode, ProblemOptions } from '../../../base/problems.ts'

/**
 * A request and its answer. In all texts `{base}`, `{site}`, `{globalIds}`, `{vendorWord}`, `{languageParameter}`,
 * `{translations}` and `{translationOf}` are placeholders for values that depend on the settings.
 */
export interface Example {
  /** Role of the caller; undefined for a visitor. */
  readonly as?: Role
  /** Parameters of path and query, by name. */
  readonly parameters?: Readonly<Record<string, ExampleValue>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The problem of a request that fails. Successful answers are recorded in answers.json. */
  readonly problem?: { readonly code: ProblemCode } & ProblemOptions
}

export type ExampleValue = string | number | boolean | readonly (string | number)[]

/** Examples of one operation, by name, in the order in which clients see them. */
export type Examples = Readonly<Partial<Record<ExampleName, Example>>>

/** Examples of many operations, by the names that their endpoints define. */
export type ExamplesByOperation = Readonly<Record<string, Examples>>

export const signedOut = { problem: { code: 'rest_forbidden', status: 401 } } as const satisfies Example
export const notAllowed = { as: 'subscriber', problem: { code: 'rest_forbidden' } } as const satisfies Example

type FailingExample = Required<Pick<Example, 'problem'>>

/** Returns the problem of one invalid parameter, with this reason. */
export function wrong(name: string, text: MessageKey, values: Readonly<Record<string, string>> = {}): FailingExample {
  return { problem: { code: 'rest_invalid_param', faults: { [name]: { text, values } } } }
}

/** Returns the problem of these missing parameters. */
export function missing(...params: readonly string[]): FailingExample {
  return { problem: { code: 'rest_missing_callback_param', details: { params } } }
}
