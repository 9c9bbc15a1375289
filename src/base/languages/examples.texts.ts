import type { ExampleName } from './en/examples.ts'
import { catalogueOf, type TextLanguage } from './language.ts'

/** Returns the description of an example, in this language. */
export function exampleText(language: TextLanguage, name: ExampleName): string {
  return catalogueOf(language).examples[name]
}
