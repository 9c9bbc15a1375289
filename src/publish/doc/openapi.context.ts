import type { TSchema } from 'typebox'
import { type DocumentKey, documentText } from '../../base/languages/openapi.texts.ts'
import type { DocContext } from './index.present.ts'
import { type OpenApiVersion, type Schema, writeSchema } from './openapi.schema.ts'
import type { LoadedSchemas } from './openapi.schemas.ts'

/** What every part of the document is written with. */
export interface OpenApiContext {
  readonly describing: DocContext
  /** The text of this key, in the language of the document. */
  readonly say: (key: DocumentKey, values?: Readonly<Record<string, string | number>>) => string
  /** The schema in the form of the document's version. */
  readonly schema: (schema: TSchema | Schema) => Schema
  /** What the namespace answers. */
  readonly schemas: LoadedSchemas
}

export function openApiContext(
  describing: DocContext,
  { version, schemas }: { readonly version: OpenApiVersion; readonly schemas: LoadedSchemas },
): OpenApiContext {
  const { vendorWord, languageParameter } = describing.addresses
  const say: OpenApiContext['say'] = (key, values) =>
    documentText(describing.language, key, { vendorWord, languageParameter, ...values })
  return {
    describing,
    say,
    schemas,
    schema: (schema) => writeSchema(schema as Schema, version, (key) => say(key as DocumentKey)),
  }
}
