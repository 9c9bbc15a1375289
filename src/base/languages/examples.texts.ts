import type { ExampleName } from './en/examples.ts'
import { catalogueOf, type TextLanguage } from './language.ts'

/** What the example of this name shows, in this language. */
export function exampleText(language: TextLanguage, name: ExampleName): string {
  return catalogueOf(language).examples[name]
}
