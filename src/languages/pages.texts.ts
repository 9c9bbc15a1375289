import type { TextLanguage } from './language.ts'
import { pageTexts as englishTexts, type PageKey } from './pages.en.ts'
import { pageTexts as frenchTexts } from './pages.fr.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of the public pages, with `{name}` replaced by the value of that name. */
export function pageText(
  language: TextLanguage,
  key: PageKey,
  values: Readonly<Record<string, string | number>> = {},
): string {
  return texts[language][key].replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all))
}
