import { languageChain } from '../../base/languages/chain.ts'
import { knownLanguages, type Language } from '../../base/languages/language.ts'
import { withoutTags } from '../../base/text/markup.ts'

/** What a picture shows, in words, by language (HTML, 4.8.4.4: text alternatives). */
export type AltTexts = Readonly<Partial<Record<Language, string>>>

/** Who cannot see a picture is told what it shows, or nothing where it only decorates. */
export interface TextAlternatives {
  readonly altTexts: AltTexts
  /** The picture says nothing that the text beside it does not say: it has an empty `alt`. */
  readonly isDecorative: boolean
}

/** Most characters of an alternative text. Anything longer belongs in the description. */
export const maxAltTextCharacters = 1000

/** An alternative text as it is stored: one line of plain text, without tags. */
export function sanitizeAltText(sent: string): string {
  return withoutTags(sent)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** The text for readers of a language, with the language that it is written in. Any text is better than none. */
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

/** The text that was written for a language or the nearest to it; empty where there is none. */
export function altTextIn({ altTexts }: TextAlternatives, language: Language): string {
  const found = languageChain(language, Object.keys(altTexts)).find((one) => altTexts[one])
  return (found && altTexts[found]) ?? ''
}
