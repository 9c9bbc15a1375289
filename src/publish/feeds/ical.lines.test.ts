import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { foldedBytes, line, textLine } from './ical.lines.ts'

/** Folds one line in the plain way: character by character, and escape by escape. */
function foldedPlainly(text: string): string {
  const lines = ['']
  for (const character of text.match(/\\.|./gsu) ?? []) {
    const last = lines.at(-1) ?? ''
    if (Buffer.byteLength(last) + Buffer.byteLength(character) <= 75) lines[lines.length - 1] = last + character
    else lines.push(` ${character}`)
  }
  return lines.join('\r\n')
}

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'x',
        'é',
        '漢',
        '😀',
        ',',
        ';',
        '\\',
        '\u0085',
        '\u2028',
        '\n',
        '\r\n',
        '\ud83d',
        '\u0001',
        '\ufffe',
        'x'.repeat(70),
      ),
      fc.string({ unit: 'binary', maxLength: 20 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''))

test('lines that are folded together are those that are folded one by one, and no character and no escape is split', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(line, textLine), texts, texts), { maxLength: 6 }), (drawn) => {
      const lines = drawn.map(([lineOf, text, parameter]) => lineOf('X-TEST', text, { CN: parameter }))

      const folded = foldedBytes(lines).toString()

      assert.equal(folded, lines.map((text) => `${foldedPlainly(text.slice(0, -2))}\r\n`).join(''))
      for (const text of folded.split('\r\n')) assert.ok(Buffer.byteLength(text) <= 75, text)
      assert.doesNotMatch(folded, /[\u0085\u2028\u2029]/)
    }),
    { numRuns: 1000 },
  )
})
