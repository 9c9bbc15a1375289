import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsLongText, exceedsTotalTextBytes, isLongLine, maxLineCharacters, maxTextBytes } from './bounds.ts'

test('a text is too long from the first byte above 64 KB on, at any depth', () => {
  const [fitting, long] = ['x'.repeat(maxTextBytes), 'x'.repeat(maxTextBytes + 1)]
  // Each letter takes two bytes.
  const [accents, tooManyAccents] = ['é'.repeat(maxTextBytes / 2), 'é'.repeat(maxTextBytes / 2 + 1)]

  assert.equal(maxTextBytes, 65_536)
  for (const value of [
    fitting,
    accents,
    [fitting, fitting],
    { a: { b: [fitting] } },
    1,
    null,
    undefined,
    true,
    {},
    [],
  ]) {
    assert.equal(containsLongText(value), false)
  }
  for (const value of [long, tooManyAccents, [1, long], { a: { b: [null, long] } }, { a: long, b: 1 }]) {
    assert.equal(containsLongText(value), true)
  }
})

test('texts together are too long from the first byte above the same limit on', () => {
  const half = 'é'.repeat(maxTextBytes / 4)

  for (const value of [[half, half], { a: half, b: { c: half } }, half, 5, null]) {
    assert.equal(exceedsTotalTextBytes(value), false)
  }
  for (const value of [[half, half, 'x'], { a: half, b: { c: [half, 'x'] } }]) {
    assert.equal(exceedsTotalTextBytes(value), true)
  }
})

test('a line has at most 16,000 characters, whatever a character takes', () => {
  assert.equal(maxLineCharacters, 16_000)
  for (const sign of ['x', 'é', '😀']) {
    assert.deepEqual([isLongLine(sign.repeat(16_000)), isLongLine(sign.repeat(16_001))], [false, true], sign)
  }
})
