import type { Arguments } from '../../access/http/arguments/argument.ts'
import { componentPath } from '../../access/http/schema.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { bodyExamples, type WrittenExample } from './openapi.examples.ts'
import { meaningText, schemaOf } from './openapi.parameters.ts'
import type { Schema } from './openapi.schema.ts'

/**
 * Returns the arguments of a write as the schema of its body. Defaults apply to creation only: a change may omit
 * unchanged values.
 */
export function writeInput(args: Arguments, openApi: OpenApiContext, { isNew }: { readonly isNew: boolean }): Schema {
  // An argument that some requests may omit is not required in the schema.
  const required = Object.keys(args).filter((name) => args[name]?.isRequired && !args[name]?.isWaived)
  return {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(args).map(([name, argument]) => [
        name,
        {
          ...schemaOf(argument, openApi, { hasDefault: isNew }),
          description: meaningText(argument, openApi),
          ...(argument.isExtension ? { 'x-extension': true } : {}),
        },
      ]),
    ),
    ...(required.length > 0 ? { required } : {}),
  }
}

/** Returns a body with this schema, in each of these encodings (conventions.md §2). */
export function writeBody(
  input: string,
  args: Arguments,
  {
    isRequired,
    types,
    examples,
  }: {
    readonly isRequired: boolean
    readonly types: readonly string[]
    readonly examples: readonly WrittenExample[]
  },
): object {
  const schema = { $ref: componentPath(input) }
  const lists = Object.keys(args).filter((name) => args[name]?.items)
  const encoding = Object.fromEntries(lists.map((name) => [name, { style: 'form', explode: false }]))
  const write = (type: string) => ({
    schema,
    ...(type === 'application/x-www-form-urlencoded' && lists.length > 0 ? { encoding } : {}),
    ...bodyExamples(type, examples),
  })
  return { required: isRequired, content: Object.fromEntries(types.map((type) => [type, write(type)])) }
}
