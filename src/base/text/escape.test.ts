import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import {
  decodeEntities,
  escapeHtml,
  htmlToText,
  jsonLdDescription,
  jsonLdName,
  jsonLdText,
  summaryOf,
} from './escape.ts'

test('escaped text is safe in tags and attributes', () => {
  assert.equal(escapeHtml(`<a b="c" d='e'> & &amp;`), '&lt;a b=&quot;c&quot; d=&#039;e&#039;&gt; &amp; &amp;amp;')
})

test('decoding gives back what was escaped', () => {
  fc.assert(fc.property(fc.string(), (text) => assert.equal(decodeEntities(escapeHtml(text)), text)))
})

test('entities are decoded once, and only whole ones', () => {
  assert.equal(decodeEntities('Caf&eacute; &#169; &#x41; &amp;lt; &copy 1 & x'), 'Café © A &lt; &copy 1 & x')
})

test('the text of HTML has no tags, no entities and single blanks', () => {
  assert.equal(htmlToText('<p>One <b>w</b>ord</p><p>two &amp;\n three</p><script>x</script>'), 'One word two & three')
  assert.equal(htmlToText('a<br>b<ul><li>c</li><li>d</li></ul>'), 'a b c d')
  assert.equal(htmlToText('5 &lt; 6 < 7'), '5 < 6 < 7')
})

test('a summary is the first words, marked where there are more', () => {
  const thirty = Array.from({ length: 30 }, (_, n) => `w${n}`).join(' ')

  assert.equal(summaryOf(thirty), thirty)
  assert.equal(summaryOf(`<p>${thirty}</p>\n<p>more</p>`), `${thirty} [&hellip;]`)
  assert.equal(summaryOf('<b>a</b> &lt; b c', 3), 'a &lt; b [&hellip;]')
  assert.equal(summaryOf(''), '')
})

test('JSON-LD describes an event in plain text, by its excerpt or else by its first words', () => {
  assert.equal(
    jsonLdDescription('<p>Long</p>', '<p>A short &#8220;one&#8221; &amp; more</p>'),
    'A short “one” &amp; more',
  )
  assert.equal(jsonLdDescription('<p>Some <em>styled</em> words &amp; more</p>'), 'Some styled words &amp; more')
  assert.equal(jsonLdDescription('w '.repeat(31)), `${'w '.repeat(30)}[…]`)
  assert.equal(jsonLdDescription(''), '')
})

test('a text in JSON-LD cannot end the script element that it stands in', () => {
  assert.equal(jsonLdText('"A" &amp; B </script>'), '&quot;A&quot; &amp; B &lt;/script&gt;')
  assert.equal(jsonLdDescription('<p>&lt;/script&gt;</p>'), '&lt;/script&gt;')
})

test('the name in JSON-LD keeps its entities and has no markup', () => {
  assert.equal(jsonLdName('Rock &#038; <b class="x">R</b>'), 'Rock &#038; &lt;b class=&quot;x&quot;&gt;R&lt;/b&gt;')
})

for (const scrap of ['<', '&', '"', ' ', '<p>', '&amp', '<script>']) {
  test(`reading a long run of ${JSON.stringify(scrap)} takes time in proportion`, () => {
    assertLinear(scrap, (text) => [jsonLdDescription(text), escapeHtml(text)])
  })
}
