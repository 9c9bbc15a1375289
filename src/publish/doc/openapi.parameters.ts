import { wordSchema } from '../../access/http/arguments/argument.schema.ts'
import type { Argument, Arguments } from '../../access/http/arguments/argument.ts'
import { dryRunArgument, dryRunName } from '../../access/http/dry.run.ts'
import type { NamespacePolicy } from '../../access/http/namespace.ts'
import { type Endpoint, isWrite, takesIdempotencyKey } from '../../access/http/route.ts'
import type { OpenApiKey } from '../../base/languages/catalogue.ts'
import { languageArguments } from './index.present.ts'
import type { OpenApiContext } from './openapi.context.ts'
import { parameterExamples, type WrittenExample } from './openapi.examples.ts'
import type { Schema } from './openapi.schema.ts'

/** Parameters of every operation, besides the language parameter (conventions.md §6). */
const globalParameters: Readonly<Record<string, OpenApiKey>> = {
  _fields: 'argument._fields',
  _envelope: 'argument._envelope',
  _pretty: 'argument._pretty',
  _jsonp: 'argument._jsonp',
}

export function writeParameters(
  args: Arguments,
  place: 'path' | 'query',
  { openApi, examples = [] }: { readonly openApi: OpenApiContext; readonly examples?: readonly WrittenExample[] },
): readonly object[] {
  return Object.entries(args).map(([name, argument]) => {
    const schema = schemaOf(argument, openApi, { hasDefault: true })
    return {
      name,
      in: place,
      description: meaningText(argument, openApi),
      required: place === 'path' || (argument.isRequired ?? false),
      schema,
      // A list is one value with commas between its items.
      ...(schema.type === 'array' ? { style: 'form', explode: false } : {}),
      ...(argument.isExtension ? { 'x-extension': true } : {}),
      ...parameterExamples(name, examples),
    }
  })
}

/** `context`, if the table of arguments does not name it because the handler takes it from the call. */
export const contextArgument: Arguments = {
  context: {
    read: () => ({ value: undefined }),
    schema: wordSchema(['view', 'embed', 'edit']),
    about: 'argument.context',
    isExtension: true,
  },
}

/** The parameters that operations share, as components. */
export function globalComponents(openApi: OpenApiContext): Readonly<Record<string, object>> {
  const { addresses } = openApi.describing
  const [language] = writeParameters(languageArguments(openApi.describing), 'query', { openApi })
  const others = globalNames(openApi).map((name) => [
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
  const { namespace } = openApi.describing
  const { routes } = namespace
  const hasVersions = routes.some(({ validators }) => validators)
  const hasKeys = routes.some(({ endpoints }) => endpoints.some(takesIdempotencyKey))
  return {
    [addresses.languageParameter]: language as object,
    ...Object.fromEntries(others),
    ...(hasVersions ? { [ifMatch]: writeHeader(ifMatch, openApi, '"7"') } : {}),
    ...(namespace.policy.hasDryRuns ? { [dryRunName]: dryRunParameter(openApi) } : {}),
    ...(hasKeys
      ? { [idempotencyKey]: writeHeader(idempotencyKey, openApi, '"8e03978e-40d5-43dd-bc93-6894a57f9324"') }
      : {}),
  }
}

/** The header with the version of the record that a writer knows. */
export const ifMatch = 'If-Match'

/** The header under whose value a write is done only once. */
export const idempotencyKey = 'Idempotency-Key'

function writeHeader(name: typeof ifMatch | typeof idempotencyKey, { say }: OpenApiContext, example: string): object {
  return {
    ...{ name, in: 'header', description: say(`argument.${name}`), required: false },
    ...{ schema: { type: 'string' }, example },
  }
}

/** Whether a write accepts `dry_run` because its namespace does, and not by its own table. */
export function takesDryRun(endpoint: Endpoint, { hasDryRuns }: NamespacePolicy): boolean {
  return hasDryRuns && isWrite(endpoint) && !(dryRunName in endpoint.args)
}

function dryRunParameter({ say, schema }: OpenApiContext): object {
  return {
    ...{ name: dryRunName, in: 'query', description: say('argument.dry_run'), required: false },
    schema: schema(dryRunArgument.schema),
  }
}

/** Returns a reference to a parameter that operations share. */
export function parameterReference(name: string): object {
  return { $ref: `#/components/parameters/${name}` }
}

const globalSchemas: Readonly<Record<string, Schema>> = {
  _fields: { type: 'array', items: { type: 'string' } },
  _jsonp: { type: 'string', pattern: '^[A-Za-z0-9_.]+$' },
}

/** Returns references to the parameters of an operation. A parameter with an example is written in full. */
export function globalReferences(
  { hasLanguage }: Endpoint,
  openApi: OpenApiContext,
  examples: readonly WrittenExample[],
): readonly object[] {
  const { addresses, namespace } = openApi.describing
  const components = globalComponents(openApi)
  const isInLanguages = namespace.policy.document.hasSharedParameters || hasLanguage
  return [...(isInLanguages ? [addresses.languageParameter] : []), ...globalNames(openApi)].map((name) => {
    const sent = parameterExamples(name, examples)
    return sent.examples ? { ...components[name], ...sent } : parameterReference(name)
  })
}

function globalNames({ describing: { deps, namespace } }: OpenApiContext): readonly string[] {
  if (!namespace.policy.document.hasSharedParameters) return []
  return Object.keys(globalParameters).filter((name) => name !== '_jsonp' || deps.config.isJsonpAllowed)
}

export function meaningText(argument: Argument<unknown>, { describing, say }: OpenApiContext): string {
  const { about, aboutValues, description } = argument
  const key = about ?? description
  if (key === undefined) throw new Error('An argument needs a description, or a text of the document in its place.')
  return say(key, aboutValues?.(describing.deps.config))
}

/** The values that an argument accepts, with its default if the document shows it. */
export function schemaOf(
  argument: Argument<unknown>,
  openApi: OpenApiContext,
  { hasDefault }: { readonly hasDefault: boolean },
): Schema {
  const source: Schema = argument.schema
  const byDefault = hasDefault ? defaultOf(argument, source, openApi) : undefined
  // The languages depend on a setting, so the schema of the argument cannot list them.
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

/** Contract: the index sometimes writes numbers and booleans as texts, and shows dates that change by the second. */
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
