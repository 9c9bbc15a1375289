import type { Argument, Arguments } from '../../access/http/argument.ts'
import { languageArgument } from '../../access/http/language.argument.ts'
import type { Config } from '../../base/config/config.ts'
import type { OpenApiKey } from '../../base/languages/en/openapi.ts'
import type { DocumentKey } from '../../base/languages/openapi.texts.ts'
import { ARGUMENT_SCHEMAS, type ArgumentMeaning } from './argument.schema.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { parameterExamples, type WrittenExample } from './openapi.examples.ts'
import type { Schema } from './openapi.schema.ts'

/** Parameters of every operation, beside that of the language (conventions.md §6). */
const globalParameters: Readonly<Record<string, OpenApiKey>> = {
  _fields: 'argument._fields',
  _envelope: 'argument._envelope',
  _pretty: 'argument._pretty',
  _jsonp: 'argument._jsonp',
}

/** Arguments as parameters of a path or query. */
export function writeParameters(
  args: Arguments,
  place: 'path' | 'query',
  openApi: OpenApiContext,
  examples: readonly WrittenExample[] = [],
): readonly object[] {
  return Object.entries(args).map(([name, argument]) => {
    const schema = schemaOf(name, argument, openApi, { hasDefault: true })
    return {
      name,
      in: place,
      description: meaningText(name, argument, openApi),
      required: place === 'path' || (argument.isRequired ?? false),
      schema,
      // Lists are one value, cut at commas.
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      ...(argument.isExtension ? { 'x-extension': true } : {}),
      ...parameterExamples(name, examples),
    }
  })
}

/** `context` where the table of arguments does not name it, because the handler takes it from the call. */
export const contextArgument: Arguments = {
  context: { read: () => ({ value: undefined }), isExtension: true },
}

/** The parameters that all operations have in common, as components. */
export function globalComponents(openApi: OpenApiContext): Readonly<Record<string, object>> {
  const { addresses, deps } = openApi.describing
  const { languageParameter } = addresses
  const argument = languageArgument(languageParameter, deps.config)
  const [language] = writeParameters({ [languageParameter]: argument }, 'query', openApi)
  const others = globalNames(deps.config).map((name) => [
    name,
    {
      name,
      in: 'query',
      description: openApi.say(globalParameters[name] as OpenApiKey),
      required: false,
      schema: openApi.schema(globalSchemas[name] ?? { type: 'string' }),
      ...(name === '_fields' ? { style: 'form', explode: false } : {}),
    },
  ])
  return { [languageParameter]: language, ...Object.fromEntries(others) }
}

const globalSchemas: Readonly<Record<string, Schema>> = {
  _fields: { type: 'array', items: { type: 'string' } },
  _jsonp: { type: 'string', pattern: '^[A-Za-z0-9_.]+$' },
}

/** References to the parameters that all operations have in common; one that an example sends is written out. */
export function globalReferences(openApi: OpenApiContext, examples: readonly WrittenExample[]): readonly object[] {
  const { addresses, deps } = openApi.describing
  const components = globalComponents(openApi)
  return [addresses.languageParameter, ...globalNames(deps.config)].map((name) => {
    const sent = parameterExamples(name, examples)
    return sent.examples ? { ...components[name], ...sent } : { $ref: `#/components/parameters/${name}` }
  })
}

function globalNames(config: Config): readonly string[] {
  return Object.keys(globalParameters).filter((name) => name !== '_jsonp' || config.isJsonpAllowed)
}

/** What an argument means, in words. */
export function meaningText(name: string, argument: Argument<unknown>, { describing, say }: OpenApiContext): string {
  if (name === 'per_page') return say('argument.per_page', { most: describing.deps.config.maxPerPage })
  return say(meaningKey(name, argument))
}

function meaningKey(name: string, { description }: Argument<unknown>): DocumentKey {
  return description ?? (`argument.${name}` as DocumentKey)
}

/** The values that an argument takes, with its default where the document shows it. */
export function schemaOf(
  name: string,
  argument: Argument<unknown>,
  openApi: OpenApiContext,
  { hasDefault }: { readonly hasDefault: boolean },
): Schema {
  const source = ARGUMENT_SCHEMAS[argument.description ?? (name as ArgumentMeaning)] as Schema | undefined
  if (!source) throw new Error(`The values of the argument “${name}” are not described.`)
  const byDefault = hasDefault ? defaultOf(argument, source, openApi) : undefined
  // Which of the languages are on offer is a setting: the argument itself knows.
  const values = argument.enum ? { ...source, enum: argument.enum } : source
  return { ...openApi.schema(nullable(argument, values)), ...(byDefault === undefined ? {} : { default: byDefault }) }
}

function nullable({ isNullable }: Argument<unknown>, schema: Schema): Schema {
  if (!isNullable) return schema
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  const members = (schema.anyOf as readonly Schema[]).map((member) =>
    member.type === 'string' ? { ...member, type: ['string', 'null'] } : member,
  )
  return { ...schema, anyOf: members }
}

/** Contract: the index writes numbers and booleans as texts here and there, and dates that change by the second. */
function defaultOf(
  { default: declared }: Argument<unknown>,
  { type }: Schema,
  { describing: { deps } }: OpenApiContext,
) {
  const value = typeof declared === 'function' ? declared({ config: deps.config, now: deps.now() }) : declared
  if (value === undefined || value === null) return undefined
  if (type === 'integer') return Number(value)
  if (type === 'boolean') return value === true || value === '1' || value === 'true'
  return undefined
}
