import { type Language, spokenLanguageOf } from '../../base/languages/language.ts'
import { type Html, html } from './html.ts'
import type { PageCall } from './page.ts'

/**
 * The attribute that says in which language a text is, where that is another one than the page’s: screen readers then
 * change their voice (WCAG 2.2, 3.1.2).
 */
export function langAttribute(
  { textLanguage }: Pick<PageCall, 'textLanguage'>,
  { language }: { readonly language: Language },
): Html | false {
  return spokenLanguageOf(language) !== textLanguage && html` lang="${language}"`
}
