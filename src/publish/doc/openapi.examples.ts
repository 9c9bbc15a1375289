import { addressesOf, globalId, languageParameterNames } from '../../access/http/addresses.ts'
import { presentProblem } from '../../access/http/answers/problem.present.ts'
import type { ExampleName } from '../../base/languages/catalogue.ts'
import { textLanguageOf } from '../../base/languages/language.ts'
import { exampleText } from '../../base/languages/texts.ts'
import { Problem } from '../../base/problems.ts'
import type { Example, ExampleValue } from './examples/example.ts'
import { EXAMPLES, recordedAnswer } from './examples/examples.ts'
import type { DocContext } from './index.present.ts'

/** An example as the document contains it. */
export interface WrittenExample {
  readonly name: string
  readonly summary: string
  readonly role?: string | undefined
  readonly parameters: Readonly<Record<string, ExampleValue>>
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly status: string
  readonly answer?: unknown
}

/** The examples of a parameter, body or answer; empty if there are none. */
type ExampleMap = { readonly examples?: Readonly<Record<string, object>> }

/** The site in examples, unless a setting defines the address of the service. */
const exampleSite = 'https://calendar.example.org'

/** Returns the examples of an operation that answers `success` if it does not fail. */
export function writeExamples(
  operation: string,
  success: 200 | 201 | 204,
  describing: DocContext,
): readonly WrittenExample[] {
  const { language } = describing
  const examples = Object.entries(EXAMPLES[operation] ?? {}).map(([name, example]) => ({
    name,
    summary: exampleText(language, name as ExampleName),
    role: example.as,
    parameters: example.parameters ?? {},
    body: example.body,
    ...answerOf({ operation, name, example, success }, describing),
  }))
  return inWordsOf(describing, examples).filter(isOnOffer(describing))
}

/** False if an example requests a language that this service does not have. */
const isOnOffer =
  ({ deps: { config } }: DocContext) =>
  ({ parameters }: WrittenExample): boolean => {
    const asked = parameters[config.languageParameter]
    return asked === undefined || config.languages.some((language) => language === asked)
  }

export function parameterExamples(name: string, examples: readonly WrittenExample[]): ExampleMap {
  return examplesOf(
    examples.filter(({ parameters }) => name in parameters),
    ({ summary, parameters }) => ({
      summary,
      value: parameters[name],
    }),
  )
}

/** Returns the bodies by example. A form cannot express lists and objects. */
export function bodyExamples(type: string, examples: readonly WrittenExample[]): ExampleMap {
  const isSayable = ({ body }: WrittenExample) =>
    body !== undefined && (type === 'application/json' || Object.values(body).every(isPlain))
  return examplesOf(examples.filter(isSayable), ({ summary, body }) => ({ summary, value: body }))
}

/** Returns the answers of this status by example, each with the role of the caller. */
export function answerExamples(status: string, examples: readonly WrittenExample[]): ExampleMap {
  return examplesOf(
    examples.filter((example) => example.status === status),
    ({ summary, role, answer }) => ({
      summary,
      value: answer,
      ...(role ? { 'x-role': role } : {}),
    }),
  )
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function examplesOf(examples: readonly WrittenExample[], write: (example: WrittenExample) => object): ExampleMap {
  if (examples.length === 0) return {}
  return { examples: Object.fromEntries(examples.map((example) => [example.name, write(example)])) }
}

interface NamedExample {
  readonly operation: string
  readonly name: string
  readonly example: Example
  /** Status of a successful answer. */
  readonly success: number
}

function answerOf({ operation, name, example, success }: NamedExample, describing: DocContext) {
  const { problem, parameters } = example
  const asked = parameters?.['{languageParameter}']
  const language = typeof asked === 'string' ? textLanguageOf(asked) : describing.language
  if (!problem) return { status: String(success), answer: recordedAnswer(language, operation, name) }
  const { status, body } = presentProblem(new Problem(problem.code, problem), language)
  return { status: String(status), answer: body }
}

/** Replaces `{base}` and the other placeholders in keys and texts by the values of the settings. */
function inWordsOf<T>({ deps: { config }, language }: DocContext, value: T): T {
  const addresses = addressesOf(config, exampleSite, language)
  const { base, site, vendorWord, languageParameter } = addresses
  const { translations, translationOf } = languageParameterNames(addresses)
  // The start of all global ids.
  const globalIds = globalId(addresses, 0).replace(/0$/, '')
  const words: Readonly<Record<string, string>> = {
    ...{ base, site, globalIds, vendorWord, languageParameter, translations, translationOf },
  }
  return JSON.parse(JSON.stringify(value).replace(/\{(\w+)\}/g, (all, word: string) => words[word] ?? all))
}
