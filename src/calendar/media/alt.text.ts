import { languageChain } from '../../base/languages/chain.ts'
import { knownLanguages, type Language } from '../../base/languages/language.ts'
import { withoutTags } from '../../base/text/markup.ts'

/** The content of a picture in words, by language (HTML, 4.8.4.4: text alternatives). */
export type AltTexts = Readonly<Partial<Record<Language, string>>>

/** The text for readers who cannot see a picture. A decorative picture has none. */
export interface TextAlternatives {
  readonly altTexts: AltTexts
  /** Whether the picture adds nothing to the text beside it. It then has an empty `alt`. */
  readonly isDecorative: boolean
}

/** The maximum number of characters of an alternative text. A longer text belongs in the description. */
export const maxAltTextCharacters = 1000

/** Returns an alternative text as it is stored: one line of plain text, without tags. */
export function sanitizeAltText(sent: string): string {
  return withoutTags(sent)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Returns the text for readers of a language, with the language of the text. Any text is better than none. */
export function chooseAltText(
  { altTexts, isDecorative }: TextAlternatives,
  language: Language,
): { readonly text: string; readonly language: Language } | undefined {
  if (isDecorative) return undefined
  const languages = Object.keys(altTexts)
  const found = [...languageChain(language, languages), ...knownLanguages({ languages })].find((one) => altTexts[one])
  const text = found && altTexts[found]
  return text ? { text, language: found } : undefined
}

/** Returns the text in a language or in the nearest language. Empty if there is none. */
export function altTextIn({ altTexts }: TextAlternatives, language: Language): string {
  const found = languageChain(language, Object.keys(altTexts)).find((one) => altTexts[one])
  return (found && altTexts[found]) ?? ''
}
