import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedLanguage } from './accept.ts'

test('the language wanted most is accepted, of several wanted alike the first', () => {
  const cases: readonly [header: string, language: string | undefined][] = [
    ['fr', 'fr'],
    ['FR-ca', 'fr'],
    ['en-GB, fr', 'en'],
    ['fr, en', 'fr'],
    ['en;q=0.5, fr;q=0.8', 'fr'],
    ['fr; q=0.2 , en;q=1.000', 'en'],
    ['de, fr;q=0.1', 'fr'],
    ['fr;q=0, en;q=0.001', 'en'],
    ['fr;q=0', undefined],
    ['de, *', undefined],
    ['french, fra, fr_CA', undefined],
    ['fr;q=high', undefined],
    ['', undefined],
  ]

  for (const [header, language] of cases) assert.equal(acceptedLanguage(header), language, header)
})
