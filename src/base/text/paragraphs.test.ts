import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { runs } from '../../../test/support/long.ts'
import { paragraphs } from './paragraphs.ts'

type Pair = readonly [typed: string, set: string]

const pairs: readonly Pair[] = [
  ['', ''],
  [' \n\n ', ''],
  ['One', '<p>One</p>'],
  ['One\nTwo', '<p>One<br />\nTwo</p>'],
  ['One\n\nTwo\n\n\nThree', '<p>One</p>\n<p>Two</p>\n<p>Three</p>'],
  ['One\r\n\r\nTwo\r\nThree\rFour', '<p>One</p>\n<p>Two<br />\nThree<br />\nFour</p>'],
  ['One\n  \nTwo', '<p>One</p>\n<p>Two</p>'],
  ['  Words  ', '<p>  Words  </p>'],
  ['One  \n  Two', '<p>One<br />\n  Two</p>'],
  ['a<br>b<br />\nc', '<p>a<br />b<br />\nc</p>'],
  ['a<br /><br>b', '<p>a</p>\n<p>b</p>'],
  ['a<b>b\nc</b>', '<p>a<b>b<br />\nc</b></p>'],
  ['<a\nhref="x">q</a>', '<p><a\nhref="x">q</a></p>'],
  ['<img src="x">', '<p><img src="x"></p>'],
  // Existing paragraphs.
  ['<p>a</p><p>b</p>', '<p>a</p>\n<p>b</p>'],
  ['<p>a</p>\n\n<p>b</p>\n', '<p>a</p>\n<p>b</p>'],
  ['<p class="x">a\n\nb</p>', '<p class="x">a</p>\n<p>b</p>'],
  ['<p></p>a<p> </p>', '<p>a</p>'],
  ['<p>&nbsp;</p>', '<p>&nbsp;</p>'],
  ['<p>Hi</p>there<img src="x">', '<p>Hi</p>\n<p>there<img src="x"></p>'],
  ['<p>\na<br />\n</p>', '<p>\na\n</p>'],
  // Line breaks of Google Docs make no paragraphs.
  ['<p>a</p><br />', '<p>a</p>'],
  ['<p>a</p>\n<br>\n', '<p>a</p>'],
  ['<p>a</p><br/>  ', '<p>a</p>'],
  ['<p>a</p><br class="x"><p>b</p>', '<p>a</p>\n<p>b</p>'],
  ['<br /><p>b</p>', '<p>b</p>'],
  ['a\n\n<br />', '<p>a</p>'],
  ['<ul><li>a</li></ul><br />', '<ul>\n<li>a</li>\n</ul>'],
  ['<b><p>a</p></b><br />', '<b>\n<p>a</p>\n</b>'],
  ['<br />', ''],
  ['<br />\u2003<p></p>', '<p>\u2003</p>'],
  ['<div><br /></div>', '<div></div>'],
  // Blocks.
  [
    '<h2>head</h2>\ntext\n<ul><li>a</li><li>b</li></ul>',
    '<h2>head</h2>\n<p>text</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>',
  ],
  ['a<hr>b', '<p>a</p>\n<hr>\n<p>b</p>'],
  ['<div>one\ntwo</div>', '<div>one<br />\ntwo</div>'],
  ['<div>\none\n</div>', '<div>\none\n</div>'],
  ['<div>\n\none\n\n</div>', '<div>\n<p>one</p>\n</div>'],
  ['<div>one\n\ntwo</div>', '<div><p>one</p>\n<p>two</p></div>'],
  ['<div></div>', '<div></div>'],
  ['<blockquote>a</blockquote>b', '<blockquote><p>a</p></blockquote>\n<p>b</p>'],
  ['<blockquote><p>a</p></blockquote>', '<blockquote>\n<p>a</p>\n</blockquote>'],
  ['<blockquote>a\n\nb</blockquote>', '<blockquote><p>a</p>\n<p>b</p></blockquote>'],
  ['<ul><li>one<ul><li>two</li></ul></li></ul>', '<ul>\n<li>one\n<ul>\n<li>two</li>\n</ul>\n</li>\n</ul>'],
  ['<table><tr><td>a</td></tr></table>', '<table>\n<tr>\n<td>a</td>\n</tr>\n</table>'],
  ['<a href="x"><div>q</div></a>', '<a href="x">\n<div>q</div>\n</a>'],
  [
    '<figure>\n<img src="x">\n<figcaption>c</figcaption>\n</figure>',
    '<figure>\n<img src="x"><figcaption>c</figcaption></figure>',
  ],
  ['<figure>a \n<figcaption>c</figcaption> \nb</figure>', '<figure>a<figcaption>c</figcaption>b</figure>'],
  ['a\ufdd4b', '<p>ab</p>'],
  ['</pre>a\n\nb', '</pre>\n<p>a</p>\n<p>b</p>'],
  ['<figcaption>c</figcaption>', '<p><figcaption>c</figcaption></p>'],
  ['<pre>a\n\n<b>b</b>\n</pre>x', '<pre>a\n\n<b>b</b>\n</pre>\n<p>x</p>'],
]

for (const [typed, set] of pairs) {
  test(`${JSON.stringify(typed)} is set as ${JSON.stringify(set)}`, () => {
    assert.equal(paragraphs(typed), set)
  })
}

const hostile = [
  '<',
  '"',
  '&',
  ' ',
  '\n',
  '\n ',
  '<br>',
  '<p>',
  '<div>',
  '<pre>',
  '<figcaption>',
  '<b>',
  '<li>',
  '<a href="',
]

for (const scrap of hostile) {
  test(`setting a long run of ${JSON.stringify(scrap)} takes time in proportion`, () => {
    assertLinear(scrap, (text) => paragraphs(`${text}x`))
  })
}

test('each element that is a block stands on lines of its own, and no other', () => {
  const blocks =
    'address article aside caption colgroup dd details div dl dt fieldset figure footer h1 h2 h3 h4 h5 h6 header hgroup ' +
    'legend li main menu nav ol section summary table tbody td tfoot th thead tr ul'
  for (const name of blocks.split(' ')) {
    assert.equal(paragraphs(`a<${name}>b</${name}>c`), `<p>a</p>\n<${name}>b</${name}>\n<p>c</p>`, name)
  }
  for (const name of ['hr', 'col']) assert.equal(paragraphs(`a<${name}>b`), `<p>a</p>\n<${name}>\n<p>b</p>`)
  for (const name of 'a b span em img br wbr video audio q cite del ins'.split(' ')) {
    assert.match(paragraphs(`a<${name}>b`), /^<p>a.*b<\/p>$/, name)
  }
})

test('a text that is in paragraphs already stays as it would within another text', () => {
  const part = fc.constantFrom(
    ...['a', ' ', '\n', '\r', '\ufdd4', '<p>', '</p>', '<p>a</p>', '<p>b', '</p>\n', '<b>', '</b>', '<a href="x">'],
    ...['</a>', '<br>', '<img src="x">', '<ul>', '</ul>', '<pre>', '</pre>', '<', '<article>', '<bdo>'],
  )
  // The rule is in no paragraph, so the whole text takes the long way.
  const end = '<hr>'
  fc.assert(
    fc.property(fc.array(part, { maxLength: 10 }), (parts) => {
      const html = parts.join('')
      fc.pre(!/<pre>(?!.*<\/pre>)/s.test(html) && !/<[^>]*$/.test(html))
      assert.equal([paragraphs(html), end].filter((line) => line !== '').join('\n'), paragraphs(html + end))
    }),
    { numRuns: runs(1000, 20_000) },
  )
})
