import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { guardFormulas, withoutFormulaGuards } from './formulas.ts'

const texts = fc.string({
  unit: fc.constantFrom("'", '=', '-', '+', ' ', '\t', '\n', ';', '"', 'a', '\u2028', '\uff1d'),
})

test('a text that was kept from being a formula is read back as it was', () => {
  fc.assert(fc.property(texts, (text) => assert.equal(withoutFormulaGuards(guardFormulas(text)), text)))
  assert.equal(guardFormulas("'=1"), "''=1")
  assert.equal(withoutFormulaGuards("l'été"), "l'été")
})
