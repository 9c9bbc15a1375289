import type { Catalogue } from '../../../src/base/languages/catalogue.ts'
import { english } from '../../../src/base/languages/en/catalogue.ts'
import type { Text } from '../../../src/base/languages/plural.ts'

/** Puts every text in brackets, so that a text from another source is noticed. */
function bracketed<T extends Readonly<Record<string, Text>>>(texts: T): { readonly [K in keyof T]: T[K] } {
  const inBrackets = (text: Text): Text =>
    typeof text === 'string'
      ? `⟦${text}⟧`
      : (Object.fromEntries(Object.entries(text).map(([form, said]) => [form, `⟦${said}⟧`])) as unknown as Text)
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, inBrackets(text)])) as unknown as T
}

/** A language of texts for tests: `en-XA`, the tag of Unicode CLDR for a pseudo-locale. */
export const pseudo = {
  code: 'xa',
  tag: 'en-XA',
  name: '⟦English⟧',
  path: '/xa',
  messages: bracketed(english.messages),
  descriptions: bracketed(english.descriptions),
  openApi: bracketed(english.openApi),
  desk: bracketed(english.desk),
  docs: bracketed(english.docs),
  examples: bracketed(english.examples),
  answers: {},
  feeds: bracketed(english.feeds),
  states: bracketed(english.states),
  pages: bracketed(english.pages),
  settings: bracketed(english.settings),
  dates: { ...english.dates, days: '⟦{from} … {to}⟧', hours: '⟦{from} … {to}⟧', moments: '⟦{from} … {to}⟧' },
  dateWords: { ...english.dateWords, days: { xoday: 0 } },
  zoneLetters: 'own',
  currencySign: 'after',
  stopWords: new Set(['jazz']),
} as const satisfies Catalogue
