import { type DocsKey, docsTexts as englishTexts } from './en/docs.ts'
import { docsTexts as frenchTexts } from './fr/docs.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of the page of the API reference, with `{name}` replaced by the value of that name. */
export function docsText(language: TextLanguage, key: DocsKey, values: Readonly<Record<string, string>> = {}): string {
  return fillText(texts[language][key], TEXT_LANGUAGE_CODES[language], values)
}
