import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { fold, foldLatin } from './fold.ts'
import { normalize } from './normalize.ts'
import { slugFrom } from './slug.ts'

const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const

/** Pairs of marks whose order changes when they are normalized. */
const disordered = ['\u0301\u0323', '\u0345\u0301', '\uff9e\u0323\uff9f\u0301', '\u0344\u0323', '\u{1d165}\u0323\u0301']

for (const form of forms) {
  test(`normalizing to ${form} takes time in proportion to the length, whatever marks follow each other`, () => {
    for (const scrap of disordered) assertLinear(scrap, (text) => normalize(`a${text}`, form))
  })
}

test('what is compared and what slugs are made of takes time in proportion to the length', () => {
  for (const scrap of [...disordered, '\ufdfa', 'a\u0323\u0301', '%cc%81%cc%a3']) {
    assertLinear(scrap, fold)
    assertLinear(scrap, foldLatin)
    assertLinear(scrap, slugFrom)
  }
})

test('a text without thirty combining marks in a row is normalized as Unicode says', () => {
  const letter = fc.oneof(fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }), fc.constantFrom(...disordered))
  fc.assert(
    fc.property(fc.array(letter, { maxLength: 12 }), fc.constantFrom(...forms), (letters, form) => {
      const text = letters.join('')
      assert.equal(normalize(text, form), text.normalize(form))
    }),
  )
})

test('every character that is sorted as a mark once it is normalized counts as a mark', () => {
  const isSorted = (mark: string) => `a\u0345${mark}`.normalize('NFD') !== `a\u0345${mark.normalize('NFD')}`
  const missed: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const [first = ''] = character.normalize('NFKD')
    const many = character.repeat(100)
    if (isSorted(first) && normalize(many, 'NFC').length === many.normalize('NFC').length)
      missed.push(code.toString(16))
  }

  assert.deepEqual(missed, [])
})

test('of many marks the first thirty stay', () => {
  assert.equal(normalize(`a${'\u0323'.repeat(31)}b`, 'NFD'), `a${'\u0323'.repeat(30)}b`)
  assert.equal(normalize(`a${'\u0323'.repeat(30)}b`, 'NFD'), `a${'\u0323'.repeat(30)}b`)
})
