import { feedTexts as englishTexts, type FeedKey } from './feeds.en.ts'
import { feedTexts as frenchTexts } from './feeds.fr.ts'
import type { TextLanguage } from './language.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of a feed, with `{name}` replaced by the value of that name. */
export function feedText(language: TextLanguage, key: FeedKey, values: Readonly<Record<string, string>> = {}): string {
  return texts[language][key].replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all)
}
