import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { runs } from '../../../test/support/long.ts'
import { typography } from './typography.ts'

type Pair = readonly [typed: string, printed: string]

const pairs: readonly Pair[] = [
  // Quotes.
  ['"Quotes" and \'single\'', '&#8220;Quotes&#8221; and &#8216;single&#8217;'],
  ['("x") ["y"]', '(&#8220;x&#8221;) [&#8220;y&#8221;]'],
  ['"a \'b\' c"', '&#8220;a &#8216;b&#8217; c&#8221;'],
  ['\'"x"\'', '&#8216;&#8220;x&#8221;&#8217;'],
  ['"42" and \'0.42\'', '&#8220;42&#8221; and &#8216;0.42&#8217;'],
  ["``x''", '&#8220;x&#8221;'],
  ['said: "yes," and left', 'said: &#8220;yes,&#8221; and left'],
  ['“x” ‘y’', '“x” ‘y’'],
  ['"<b>bold</b>" it is', '&#8220;<b>bold</b>&#8221; it is'],
  ['<p>"a"</p><p>"b"</p>', '<p>&#8220;a&#8221;</p><p>&#8220;b&#8221;</p>'],
  // Apostrophes.
  ["It's the dogs' don't", 'It&#8217;s the dogs&#8217; don&#8217;t'],
  ["<b>Bob</b>'s", '<b>Bob</b>&#8217;s'],
  ["the '90s, in '99", 'the &#8217;90s, in &#8217;99'],
  ["'twas 'tis", '&#8217;twas &#8217;tis'],
  // French.
  ["l'été d'hiver", 'l&#8217;été d&#8217;hiver'],
  ['l\'"été"', 'l&#8217;&#8220;été&#8221;'],
  ["«\u00a0l'eau\u00a0»", '«\u00a0l&#8217;eau\u00a0»'],
  ['dit "oui"\u00a0! "non"\u202f?', 'dit &#8220;oui&#8221;\u00a0! &#8220;non&#8221;\u202f?'],
  ['"oui"&nbsp;!', '&#8220;oui&#8221;&nbsp;!'],
  // Primes.
  ['a 10" wheel', 'a 10&#8243; wheel'],
  ['"a 10" wheel"', '&#8220;a 10&#8243; wheel&#8221;'],
  ['"10" of 26".', '&#8220;10&#8221; of 26&#8243;.'],
  ['"wheels of 10" or 26"', '&#8220;wheels of 10&#8243; or 26&#8221;'],
  ["about 6' tall", 'about 6&#8242; tall'],
  // Dashes, dots, signs.
  ['a - b', 'a &#8211; b'],
  ['a -- b --- c', 'a &#8212; b &#8212; c'],
  ['a--b x---y', 'a&#8211;b x&#8212;y'],
  ['well-known xn--caf-dma', 'well-known xn--caf-dma'],
  ['– and — stay', '– and — stay'],
  // Next to a blank that is written as a numeric entity, a hyphen stays.
  ['<strong>x&#160;</strong>-&#160;y', '<strong>x&#160;</strong>-&#160;y'],
  ['x&#160;-&#160;y, x&#160;-- y', 'x&#160;-&#160;y, x&#160;&#8211; y'],
  ['x&nbsp;-&nbsp;y x\u00a0- y', 'x&nbsp;&#8211;&nbsp;y x\u00a0&#8211; y'],
  ['<strong>x </strong>- y', '<strong>x </strong>&#8211; y'],
  ['em...', 'em&#8230;'],
  ['Name (tm) (c)', 'Name &#8482; (c)'],
  ['5x3 10x20x30', '5&#215;3 10&#215;20&#215;30'],
  ['10 x 20, 0x10, 10x20px, ax5', '10 x 20, 0x10, 10x20px, ax5'],
  ['Tom & Jerry &amp; &#169; &eacute;', 'Tom &#038; Jerry &amp; &#169; &eacute;'],
  // Consecutive tags have the same effect as one.
  ['<i><b>"a"</b></i>', '<i><b>&#8220;a&#8221;</b></i>'],
  ["<i></i><b></b>'a'<i></i><b></b>!", '<i></i><b></b>&#8216;a&#8217;<i></i><b></b>!'],
  ['6<i></i><b></b>"', '6<i></i><b></b>&#8243;'],
  // Left unchanged.
  ['<a href="?a=1&b=2" title="it\'s -- x">"x"</a>', '<a href="?a=1&#038;b=2" title="it\'s -- x">&#8220;x&#8221;</a>'],
  ['<code>"a" -- b</code>\'s "c"', '<code>"a" -- b</code>&#8217;s &#8220;c&#8221;'],
  ['<pre>"a" <b>it\'s</b></pre>"b"', '<pre>"a" <b>it\'s</b></pre>&#8220;b&#8221;'],
  ['5 &lt; 6', '5 &lt; 6'],
  ['', ''],
]

for (const [typed, printed] of pairs) {
  test(`${JSON.stringify(typed)} is printed ${JSON.stringify(printed)}`, () => {
    assert.equal(typography(typed), printed)
  })
}

test('tags stay in place, and no text has a straight double quote left', () => {
  const part = fc.constantFrom(
    '"',
    "'",
    '5',
    'a',
    ' ',
    '-',
    '<b>',
    '</b>',
    '<p>',
    '</p>',
    '<br />',
    '.',
    '&lt;',
    'x',
    'é',
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const typed = parts.join('')
      const printed = typography(typed)

      assert.deepEqual(printed.match(/<[^>]*>/g), typed.match(/<[^>]*>/g))
      assert.doesNotMatch(printed, /"/)
    }),
    { numRuns: runs(100, 1_000) },
  )
})

/** All signs that typography changes, before and after. Everything else stays unchanged. */
const changedSigns = /&#(?:82(?:1[1267]|2[01]|30|42|43)|8482|215|038);|\(tm\)|["'`&x.-]/g

test('no character is lost, and none comes that is not printed for a typed one', () => {
  const part = fc.constantFrom(
    ...[
      '"',
      "'",
      '-',
      '--',
      '---',
      '...',
      '``',
      "''",
      ' (tm)',
      '5x3',
      "6'",
      '&',
      '&amp;',
      '&#160;',
      '&nbsp;',
      '\u00a0',
    ],
    ...[
      ' ',
      'a',
      'é',
      'l',
      '9',
      '<strong>',
      '</strong>',
      '<code>',
      '</code>',
      '<br />',
      '<p>',
      '</p>',
      '(',
      ')',
      ',',
      '!',
    ],
  )
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const typed = parts.join('')

      assert.equal(typography(typed).replaceAll(changedSigns, ''), typed.replaceAll(changedSigns, ''))
    }),
    { numRuns: runs(200, 2_000) },
  )
})

const hostile = [
  '<',
  '>',
  '&',
  '"',
  "'",
  `"'`,
  ' ',
  '-',
  '.',
  '1.',
  '1x',
  '5"',
  ' "a',
  '<b>"',
  '<code>',
  '&nbsp;',
  "'1",
  '"1,',
]

for (const scrap of hostile) {
  test(`printing a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, typography)
  })
}

test('a quote opens before each element within a line, and closes after it', () => {
  const names =
    'a abbr acronym b bdi bdo big cite del dfn em font i ins mark q s small span strike strong sub sup time u var'
  for (const name of names.split(' ')) {
    assert.equal(typography(`"<${name}>x</${name}>"`), `&#8220;<${name}>x</${name}>&#8221;`, name)
    assert.equal(typography(`<${name}>"x</${name}>"`), `<${name}>&#8220;x</${name}>&#8221;`, name)
  }
  // Other elements end the sentence.
  for (const name of ['p', 'div', 'li', 'td', 'h2']) {
    assert.equal(typography(`<${name}>"x"</${name}>"y"`), `<${name}>&#8220;x&#8221;</${name}>&#8220;y&#8221;`, name)
  }
})

test('code stays as it was written, and counts as a letter', () => {
  for (const name of ['code', 'kbd', 'samp', 'tt', 'pre']) {
    const code = `<${name}>"x" -- <b>'y'</b>...</${name}>`
    assert.equal(typography(code), code)
    assert.equal(typography(`${code} "z"`), `${code} &#8220;z&#8221;`)
    const nested = `<${name}>"<${name}>"</${name}>"</${name}>`
    assert.equal(typography(`${nested}"x"`).slice(0, nested.length), nested)
    assert.equal(typography(`<${name}>"open`), `<${name}>"open`)
  }
  assert.equal(typography('"<code>x</code>"'), '&#8220;<code>x</code>&#8221;')
})

test('an apostrophe begins the words that have lost their beginning, and years', () => {
  for (const word of ["tain't", ...'twere twas tis twill til bout nuff round cause em'.split(' ')]) {
    assert.equal(typography(`'${word} x`), `&#8217;${word.replace("'", '&#8217;')} x`, word)
    // Not words that only begin like them.
    if (word !== "tain't") assert.equal(typography(`'${word}zz'`), `&#8216;${word}zz&#8217;`, word)
  }
  for (const [typed, printed] of [
    ["the '99 tour", 'the &#8217;99 tour'],
    ["'99'", '&#8217;99&#8217;'],
    ["'5'", '&#8216;5&#8217;'],
    ["'1,200.50'", '&#8216;1,200.50&#8217;'],
    ['"5"', '&#8220;5&#8221;'],
    ["l'été", 'l&#8217;été'],
    ["``a''", '&#8220;a&#8221;'],
  ] as const) {
    assert.equal(typography(typed), printed, typed)
  }
})

test('a text without signs to replace is printed as it would be within another text', () => {
  const part = fc.constantFrom(
    ...['a', '5', 'x', '.', ' ', '(tm)', '`', '\ufdd2', '\ufdd3', '-', '<', '>'],
    ...['<b>', '</b>', '<p>', '<code>a</code>', '</code>'],
  )
  // The quote is replaced, so the whole text takes the long way. Nothing crosses the rule before it.
  const end = '<hr>"'
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const html = parts.join('')
      assert.equal(typography(html) + typography(end), typography(html + end))
    }),
    { numRuns: runs(1000, 20_000) },
  )
})
