import { directionOf, type Language, spokenLanguageOf, TEXT_LANGUAGE_CODES } from '../../../base/languages/language.ts'
import { type Html, html } from '../../../base/text/html.ts'
import type { PageCall } from './page.ts'

/**
 * Returns the attributes of a text whose language differs from that of the page: `lang`, so that screen readers change
 * their voice (WCAG 2.2, 3.1.2), and `dir` if it is written from the other side.
 */
export function langAttribute(
  { textLanguage }: Pick<PageCall, 'textLanguage'>,
  { language }: { readonly language: Language },
): Html | false {
  if (spokenLanguageOf(language) === textLanguage) return false
  const direction = directionOf(language)
  const isTurned = direction !== directionOf(TEXT_LANGUAGE_CODES[textLanguage])
  return html` lang="${language}"${isTurned && html` dir="${direction}"`}`
}
