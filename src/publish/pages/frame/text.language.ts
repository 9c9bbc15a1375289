import { type Language, spokenLanguageOf } from '../../../base/languages/language.ts'
import { type Html, html } from '../html.ts'
import type { PageCall } from './page.ts'

/**
 * Returns the `lang` attribute of a text whose language differs from that of the page. Screen readers then change their
 * voice (WCAG 2.2, 3.1.2).
 */
export function langAttribute(
  { textLanguage }: Pick<PageCall, 'textLanguage'>,
  { language }: { readonly language: Language },
): Html | false {
  return spokenLanguageOf(language) !== textLanguage && html` lang="${language}"`
}
