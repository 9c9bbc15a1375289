import type { DescriptionKey } from '../../../base/languages/catalogue.ts'
import type { ProblemCode } from '../../../base/problems.ts'
import { boolean, oneOf, pathNumberOr, text, wholeNumber } from './argument.rules.ts'
import { booleanSchema, filledTextSchema, integerSchema, wordSchema } from './argument.schema.ts'

// Arguments of the usual kinds: the rule that reads one agrees with its schema, and with its type in the index.

export const flagArgument = (name: string, description: DescriptionKey) =>
  ({ read: boolean(name), description, schema: booleanSchema, type: 'boolean' }) as const

export const textArgument = (name: string, description: DescriptionKey) =>
  ({ read: text(name), description, schema: filledTextSchema, type: 'string' }) as const

/** One of these words. */
export const wordArgument = <const W extends readonly string[]>(words: W, description: DescriptionKey) =>
  ({ read: oneOf<W[number]>(words), description, schema: wordSchema(words), type: 'string', enum: words }) as const

export const numberArgument = (description: DescriptionKey) =>
  ({ read: wholeNumber, description, schema: integerSchema, type: 'integer' }) as const

/** The number of what a path names. Any other text is answered with this problem, like an unknown number. */
export const pathArgument = (problem: ProblemCode, description: DescriptionKey) =>
  ({ ...numberArgument(description), read: pathNumberOr(problem), isRequired: true }) as const

/** How many items a page of a list has. */
export const pageSizeArgument = (most: number) =>
  ({ ...numberArgument('per_page'), about: 'argument.per_page', aboutValues: () => ({ most }) }) as const
