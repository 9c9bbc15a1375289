import type { Role } from '../../../access/auth/actor.ts'
import type { ExampleName } from '../../../base/languages/en/examples.ts'
import type { MessageKey } from '../../../base/languages/en/messages.ts'
import type { ProblemCode, ProblemOptions } from '../../../base/problems.ts'

/**
 * A request and what comes of it. In all texts `{base}`, `{site}`, `{globalIds}`, `{vendorWord}`, `{languageParameter}`,
 * `{translations}` and `{translationOf}` stand for what the settings make of them.
 */
export interface Example {
  /** Role of the user who asks; nobody is signed in where there is none. */
  readonly as?: Role
  /** Parameters of path and query, by name. */
  readonly parameters?: Readonly<Record<string, ExampleValue>>
  readonly body?: Readonly<Record<string, unknown>>
  /** How it fails. What an example answers that does not is recorded in answers.json. */
  readonly problem?: { readonly code: ProblemCode } & ProblemOptions
}

export type ExampleValue = string | number | boolean | readonly (string | number)[]

/** Examples of one operation, by name; the one that a client tries first comes first. */
export type Examples = Readonly<Partial<Record<ExampleName, Example>>>

/** The same of many operations, by the names that their endpoints give them. */
export type ExamplesByOperation = Readonly<Record<string, Examples>>

export const signedOut = { problem: { code: 'rest_forbidden', status: 401 } } as const satisfies Example
export const notAllowed = { as: 'subscriber', problem: { code: 'rest_forbidden' } } as const satisfies Example

type FailingExample = Required<Pick<Example, 'problem'>>

/** One parameter is wrong, for this reason. */
export function wrong(name: string, text: MessageKey, values: Readonly<Record<string, string>> = {}): FailingExample {
  return { problem: { code: 'rest_invalid_param', faults: { [name]: { text, values } } } }
}

/** These parameters are missing. */
export function missing(...params: readonly string[]): FailingExample {
  return { problem: { code: 'rest_missing_callback_param', details: { params } } }
}
