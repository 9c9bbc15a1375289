import type { DescriptionKey } from './en/descriptions.ts'
import { openApiTexts as englishTexts, type OpenApiKey } from './en/openapi.ts'
import { catalogueOf, TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'
import { description } from './texts.ts'

/** The key of a text of the OpenAPI document: one of its own, or the meaning of an argument. */
export type DocumentKey = OpenApiKey | DescriptionKey

/** Returns the text in this language, with `{name}` replaced by the value of that name. */
export function documentText(
  language: TextLanguage,
  key: DocumentKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const text = isOpenApiKey(key) ? catalogueOf(language).openApi[key] : description(language, key)
  return fillText(text, TEXT_LANGUAGE_CODES[language], values)
}

function isOpenApiKey(key: DocumentKey): key is OpenApiKey {
  return Object.hasOwn(englishTexts, key)
}
