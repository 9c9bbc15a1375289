import type { TSchema } from 'typebox'
import { type DocumentKey, documentText } from '../../base/languages/texts.ts'
import type { DocContext } from './index.present.ts'
import { type OpenApiVersion, type Schema, writeSchema } from './openapi.schema.ts'
import type { LoadedSchemas } from './openapi.schemas.ts'

/** The values from which every part of the document is written. */
export interface OpenApiContext {
  readonly describing: DocContext
  /** Returns the text of this key, in the language of the document. */
  readonly say: (key: DocumentKey, values?: Readonly<Record<string, string | number>>) => string
  /** Returns the schema in the dialect of the document's version. */
  readonly schema: (schema: TSchema | Schema) => Schema
  /** The schemas of the namespace's answers. */
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
