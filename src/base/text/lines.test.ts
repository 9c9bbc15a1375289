import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyMarkupText, linesOf, plainMarkupText, withoutControlCharacters } from './lines.ts'

test('paragraphs stay apart, lines of one stay together, and items of lists have dashes', () => {
  const html = '<p>One &amp;\n<b>t</b>wo<br />three</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<h2>End</h2>'

  assert.equal(linesOf(html), 'One & two\nthree\n\n- a\n- b\n\nEnd')
})

test('links keep their targets, unless they show them or lead nowhere outside of the page', () => {
  const targets = [
    ['<a href="https://a.example/x?y=1&amp;z">the <b>site</b></a>!', 'the site (https://a.example/x?y=1&z)!'],
    ["<a class='b' HREF='mailto:a@b.example'>write</a>", 'write (mailto:a@b.example)'],
    ['<a href="https://a.example/">https://a.example</a>', 'https://a.example'],
    ['<a href="https://a.example/x">a.example/x</a>', 'a.example/x'],
    ['<a href="tel:+15551234">+15551234</a>', '+15551234'],
    [
      '<a href="/about">us</a> <a href="?page=2">more</a>',
      'us (https://site.example/about) more (https://site.example/?page=2)',
    ],
    ['<a href="#top">up</a><a name="x">here</a><a href="javascript:x()">run</a>', 'uphererun'],
    ['<p><a href="https://a.example/"><img src="x"></a></p><p>Next</p>', '(https://a.example/)\n\nNext'],
    ['<a href="https://a.example/">open', 'open'],
  ]
  for (const [html = '', text] of targets) assert.equal(linesOf(html, '-', 'https://site.example/'), text)
  assert.equal(linesOf('<a href="/about">us</a>'), 'us')
})

test('many links that never end take no time', () => {
  const html = '<a href="https://a.example/">x'.repeat(20_000)
  const begun = performance.now()
  linesOf(html)
  assert.ok(performance.now() - begun < 2000)
})

test('a text without markup is itself, and no-break spaces stay', () => {
  assert.equal(linesOf('5 < 6 «\u00a0oui\u00a0»'), '5 < 6 «\u00a0oui\u00a0»')
  assert.equal(linesOf(''), '')
})

test('what cannot be printed is left out, lines and tabs are not', () => {
  assert.equal(withoutControlCharacters('a\u0000b\tc\r\nd\u007f\ufffe\ud83d'), 'ab\tc\r\nd\ufffd')
})

test('plain markup, which is read in one pass, gives the same text as the way that reads any markup', () => {
  const usual = [
    '<p>',
    '</p>',
    '\n',
    '<br>',
    '<br />',
    '<ul>',
    '<li>',
    '</li>',
    '</ul>',
    '<strong>',
    '</strong>',
    'été ',
  ]
  const odd = [
    ...['<P>', '<p/x>', '<p-x>', '<p\n>', '<p class="a">', '<a href="?a>b">', '</a>', '<td\u00a0x>', '<br\f>', '<p//>'],
    ...['<script>', '</script>', '<style>a', '<scripty>', '<!-- x -->', '<', '>', '</>', '<1>', '<p>a</p', '&lt;p&gt;'],
    ...['&nbsp;', '  ', '\t', '\r\n', '\u00a0', '\u2028', '😀'],
  ]
  const parts = [fc.constantFrom(...usual), fc.constantFrom(...odd), fc.string({ maxLength: 3 })]
  const plain = fc.array(fc.constantFrom(...usual)).map((some) => some.join(''))
  const any = fc.array(fc.oneof(...parts)).map((some) => some.join(''))
  fc.assert(
    fc.property(fc.oneof(plain, any), fc.constantFrom('-', '•'), (html, mark) => {
      const text = plainMarkupText(html, mark)
      if (text !== undefined) assert.equal(text, anyMarkupText(html, mark))
    }),
    { numRuns: 2000 },
  )
  fc.assert(fc.property(plain, (html) => assert.notEqual(plainMarkupText(html, '-'), undefined)))
})
