import type { Catalogue, Texts } from '../../../src/base/languages/catalogue.ts'
import { english } from '../../../src/base/languages/en/catalogue.ts'

/** Puts every text in brackets, so that a text from another source is noticed. */
function bracketed(texts: Texts): Texts {
  const inBrackets = (_key: string, text: unknown) => (typeof text === 'string' ? `⟦${text}⟧` : text)
  return JSON.parse(JSON.stringify(texts, inBrackets))
}

/** A language of texts for tests: `en-XA`, the tag of Unicode CLDR for a pseudo-locale. */
export const pseudo = {
  code: 'xa',
  tag: 'en-XA',
  name: '⟦English⟧',
  path: '/xa',
  texts: bracketed(english.texts),
  answers: {},
  dates: { ...english.dates, days: '⟦{from} … {to}⟧', hours: '⟦{from} … {to}⟧', moments: '⟦{from} … {to}⟧' },
  dateWords: { ...english.dateWords, days: { xoday: 0 } },
  zoneLetters: 'own',
  currencySign: 'after',
  stopWords: new Set(['jazz']),
} as const satisfies Catalogue
