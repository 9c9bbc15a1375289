import { pageTexts as englishTexts, type PageKey } from './en/pages.ts'
import { pageTexts as frenchTexts } from './fr/pages.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText, type Text } from './plural.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of the public pages as its catalogue has it. */
export function pageEntry(language: TextLanguage, key: PageKey): Text {
  return texts[language][key]
}

/** A text of the public pages, in the form that `count` asks for, with `{name}` replaced by the value of that name. */
export function pageText(
  language: TextLanguage,
  key: PageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return fillText(texts[language][key], TEXT_LANGUAGE_CODES[language], values)
}
