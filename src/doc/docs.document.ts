import type { Deps } from '../deps.ts'
import { addressesOf } from '../http/addresses.ts'
import type { Route } from '../http/route.ts'
import type { TextLanguage } from '../languages/language.ts'
import { openApiDocument } from './openapi.ts'

/** What is read of a parameter here. */
interface OptionalParameter {
  readonly schema: {
    readonly default?: unknown
    readonly enum?: readonly unknown[]
    readonly examples?: readonly unknown[]
  }
}

/**
 * The OpenAPI document as the console reads it, as JSON.
 *
 * @param api Path of the interface. As the address of the server it means that of whatever host the document came from
 * (OpenAPI 3.1, "Server Object").
 */
export function consoleDocument(deps: Deps, routes: readonly Route[], language: TextLanguage, api: string): string {
  const addresses = addressesOf(deps.config, 'http://localhost', language)
  const document = openApiDocument(routes, { deps, addresses, language }, '3.1.0')
  return JSON.stringify({ ...document, servers: [{ url: api }] }, (_key, value: unknown) =>
    isOptionalParameter(value) ? unsent(value) : value,
  )
}

function isOptionalParameter(value: unknown): value is OptionalParameter {
  const { in: place, required } = Object(value)
  return place === 'query' && required === false
}

/** The parameter with its example switched off: the console would send every parameter that has one. */
function unsent(parameter: OptionalParameter): object {
  const { default: byDefault, enum: allowed, examples } = parameter.schema
  const value = byDefault ?? allowed?.[0] ?? examples?.[0]
  return value === undefined ? parameter : { ...parameter, examples: { default: { value, 'x-disabled': true } } }
}
