import { type ExampleName, exampleTexts as englishTexts } from './en/examples.ts'
import { exampleTexts as frenchTexts } from './fr/examples.ts'
import type { TextLanguage } from './language.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** What the example of this name shows, in this language. */
export function exampleText(language: TextLanguage, name: ExampleName): string {
  return texts[language][name]
}
