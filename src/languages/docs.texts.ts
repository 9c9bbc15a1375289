import { type DocsKey, docsTexts as englishTexts } from './docs.en.ts'
import { docsTexts as frenchTexts } from './docs.fr.ts'
import type { TextLanguage } from './language.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of the page of the API reference, with `{name}` replaced by the value of that name. */
export function docsText(language: TextLanguage, key: DocsKey, values: Readonly<Record<string, string>> = {}): string {
  return texts[language][key].replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}
