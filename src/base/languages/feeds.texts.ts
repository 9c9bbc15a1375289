import { feedTexts as englishTexts, type FeedKey } from './en/feeds.ts'
import { feedTexts as frenchTexts } from './fr/feeds.ts'
import { TEXT_LANGUAGE_CODES, type TextLanguage } from './language.ts'
import { fillText } from './plural.ts'

const texts = { en: englishTexts, fr: frenchTexts }

/** A text of a feed, with `{name}` replaced by the value of that name. */
export function feedText(language: TextLanguage, key: FeedKey, values: Readonly<Record<string, string>> = {}): string {
  return fillText(texts[language][key], TEXT_LANGUAGE_CODES[language], values)
}
