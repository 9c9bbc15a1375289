import assert from 'node:assert/strict'
import { test } from 'node:test'
import { linesOf, withoutControlCharacters } from './lines.ts'

test('paragraphs stay apart, lines of one stay together, and items of lists have dashes', () => {
  const html = '<p>One &amp;\n<b>t</b>wo<br />three</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<h2>End</h2>'

  assert.equal(linesOf(html), 'One & two\nthree\n\n- a\n- b\n\nEnd')
})

test('a text without markup is itself, and no-break spaces stay', () => {
  assert.equal(linesOf('5 < 6 «\u00a0oui\u00a0»'), '5 < 6 «\u00a0oui\u00a0»')
  assert.equal(linesOf(''), '')
})

test('what cannot be printed is left out, lines and tabs are not', () => {
  assert.equal(withoutControlCharacters('a\u0000b\tc\r\nd\u007f\ufffe\ud83d'), 'ab\tc\r\nd\ufffd')
})
