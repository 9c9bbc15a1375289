import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assertLinear } from '../../../test/support/linear.ts'
import { runs } from '../../../test/support/long.ts'
import { plainText, sanitizeArticle, sanitizeTermDescription, sanitizeTermName, sanitizeTitle } from './sanitize.ts'

type Pair = readonly [given: string, kept: string]

const articles: readonly Pair[] = [
  ['Tom & Jerry', 'Tom &amp; Jerry'],
  ['Three < five > two — dash…', 'Three &lt; five &gt; two — dash…'],
  ['Caf&eacute; &amp; &lt;b&gt; &#169; &#xE9;', 'Caf&eacute; &amp; &lt;b&gt; &#169; &#xE9;'],
  ['&bogus; &#0; &#xD800; &copy 2031', '&amp;bogus; &amp;#0; &amp;#xD800; &amp;copy 2031'],
  ['a <b', 'a &lt;b'],
  ['5<6 <3', '5&lt;6 &lt;3'],
  ['back\\slash "quotes" \'too\'', 'back\\slash "quotes" \'too\''],
  ['  blanks\n\n kept ', '  blanks\n\n kept '],
  ['[gallery ids="1"]', '[gallery ids="1"]'],
  ['<p onclick="x()">Hi</p><img src=x onerror=alert(1)>', '<p>Hi</p><img src="x">'],
  ['a<br>b<br/>c<br />d', 'a<br>b<br />c<br />d'],
  ['<img src="x" alt="" />', '<img src="x" alt="" />'],
  ['a<wbr>b<wbr/>c', 'a<wbr>b<wbr />c'],
  ['<video><source src="x"><track src=<br />x</video>', '<video><source src="x"><track src="&lt;br" />x</video>'],
  ['<p title="a />b">/> c</p>', '<p title="a /&gt;b">/&gt; c</p>'],
  ['<b>open', '<b>open</b>'],
  ['<blink>word</blink>', 'word'],
  ['<script>alert(1)</script>Kept', 'Kept'],
  ['<style>p{}</style>Kept', 'Kept'],
  ['<iframe src="https://example.com">x</iframe>Kept', 'Kept'],
  ['<form><p>x</p><input></form>Kept', 'Kept'],
  ['<a href="https://x.example/?a=1&b=2&amp;c=3">x</a>', '<a href="https://x.example/?a=1&amp;b=2&amp;c=3">x</a>'],
  ['<a href="mailto:a@b.example">m</a>', '<a href="mailto:a@b.example">m</a>'],
  ['<a href="tel:+1">t</a><a href="ftp://x/">f</a>', '<a href="tel:+1">t</a><a href="ftp://x/">f</a>'],
  ['<a href="/relative#part">r</a>', '<a href="/relative#part">r</a>'],
  ['<a href="webcal://x/">w</a>', '<a>w</a>'],
  ['<img src="mailto:a">', '<img>'],
  ['<p class="lead big">x</p>', '<p class="lead big">x</p>'],
  ['<p style="color: red; text-align:center;">x</p>', '<p style="color: red;text-align:center">x</p>'],
  ['<p style="color:rgb(1, 2, 3);position:fixed">x</p>', '<p style="color:rgb(1, 2, 3)">x</p>'],
  ['<p style="width:expression(alert(1))">x</p>', '<p>x</p>'],
  ['<p style="border:url(https://x/)">x</p>', '<p>x</p>'],
  ['a\u0000b\u0008c\ud800d', 'abc\ufffdd'],
  // Attributes that the reference allows.
  [
    '<p data-note="a &amp; b" data-a-b_2="1" DATA-X="y" title="t" lang="fr" dir="rtl">x</p>',
    '<p data-note="a &amp; b" data-a-b_2="1" data-x="y" title="t" lang="fr" dir="rtl">x</p>',
  ],
  ['<p hidden>x</p><div hidden="until-found">y</div>', '<p hidden>x</p><div hidden="until-found">y</div>'],
  ['<p data-="a" data-é="b" data-x:y="c" data-"z="d" data.x="e" data="f">x</p>', '<p>x</p>'],
  [`<p data-${'x'.repeat(51)}="1" data-x="${'y'.repeat(4097)}">x</p>`, '<p>x</p>'],
  ['a<wbr class="x" data-x="1">b<wbr></wbr>c', 'a<wbr class="x" data-x="1">b<wbr>c'],
]

for (const [given, kept] of articles) {
  test(`of ${JSON.stringify(given)} an article keeps ${JSON.stringify(kept)}`, () => {
    assert.equal(sanitizeArticle(given), kept)
  })
}

test('of very many attributes for programs an element keeps the first', () => {
  const written = Array.from({ length: 100 }, (_, place) => ` data-n${place}="1"`)

  assert.equal(
    sanitizeArticle(`<p${written.join('')} title="t">x</p>`),
    `<p${written.slice(0, 32).join('')} title="t">x</p>`,
  )
})

const titles: readonly Pair[] = [
  ['  padded  ', 'padded'],
  ['Title with <b>bold</b> & sign', 'Title with <b>bold</b> &amp; sign'],
  ['<h1 class="x">Big</h1> <em style="color:red">x</em>', 'Big <em>x</em>'],
  ['<a href="javascript:alert(1)" title="t">x</a>', '<a title="t">x</a>'],
  ['<img src=x>', ''],
  ['<b data-x="1" hidden lang="fr">x</b>', '<b>x</b>'],
]

for (const [given, kept] of titles) {
  test(`of ${JSON.stringify(given)} a title keeps ${JSON.stringify(kept)}`, () => {
    assert.equal(sanitizeTitle(given), kept)
  })
}

test('the description of a term keeps inline markup, blanks and the text of other elements', () => {
  assert.equal(sanitizeTermDescription(' <p>One</p>\n <em>two</em> & '), ' One\n <em>two</em> &amp; ')
})

const plain: readonly Pair[] = [
  ['<b>1</b> Street', '1 Street'],
  ['  Blank  ', 'Blank'],
  ['<script>x</script>5', '5'],
  ['<STYLE>a<b</STYLE >5', '5'],
  ['not an address<x>', 'not an address'],
  ['a < b > c & d', 'a &lt; b > c & d'],
  ['one\r\n\ttwo   three', 'one two three'],
  ['a%20b %C3%A9', 'ab'],
  ['%%2020 100%', '100%'],
  ['5 <3', '5 &lt;3'],
  ['&eacute;', '&eacute;'],
]

for (const [given, kept] of plain) {
  test(`of ${JSON.stringify(given)} a line of text keeps ${JSON.stringify(kept)}`, () => {
    assert.equal(plainText(given), kept)
  })
}

const names: readonly Pair[] = [
  ['Catcrud <b>bold</b>', 'Catcrud bold'],
  ['Catcrud & more', 'Catcrud &amp; more'],
  ['Catcrud &amp; it\'s "quoted"', 'Catcrud &amp; it\'s "quoted"'],
  ['a < b > c', 'a &lt; b &gt; c'],
]

for (const [given, kept] of names) {
  test(`of ${JSON.stringify(given)} the name of a term keeps ${JSON.stringify(kept)}`, () => {
    assert.equal(sanitizeTermName(given), kept)
  })
}

const scraps = [
  ...['<p>', '</p>', '<b>', '</b>', '<div>', '</div>', '<foo>', '</foo>', '<a href="', '">', '<br>', '<br/>', '<li>'],
  ...['<ul>', '</ul>', '<td>', '<table>', '<script>', '</script>', '<!--', '-->', '<![CDATA[', '<', '>', '&', '&amp;'],
  ...[
    '&lt;',
    '&#60;',
    '&#',
    '"',
    "'",
    '/>',
    ' ',
    '\n',
    'x',
    '%2',
    '0',
    '=',
    '<p style="color:red;x',
    '\\',
    'é',
    '\ufdd0',
  ],
  ...['<p data-x="', '<p hidden ', ' data-y=1 ', '<wbr>'],
  ...['\ufdd1', '<img src=x ', '<svg>', '</svg>', '<form>', '<h1>', '</h1>', '<option>', "<p title='", '<source />'],
]
const markup = fc.array(fc.oneof(fc.constantFrom(...scraps), fc.string({ maxLength: 3 })), { maxLength: 30 })

for (const sanitize of [sanitizeArticle, sanitizeTitle, sanitizeTermDescription, plainText, sanitizeTermName]) {
  test(`${sanitize.name} changes nothing the second time`, () => {
    fc.assert(
      fc.property(markup, (parts) => {
        const once = sanitize(parts.join(''))

        assert.equal(sanitize(once), once)
      }),
      { numRuns: runs(200, 2_000) },
    )
  })
}

const scrap = fc.constantFrom(
  '<p data-x="1">x</p>',
  '<b hidden>x</b>',
  '<wbr>',
  'x',
  '&',
  '&amp;',
  '&bogus;',
  '"',
  '>',
  '<br>',
  '<br />',
)
const link = fc
  .constantFrom('https://x.example/?a=1#b', 'HTTP://x.example', 'javascript:x', 'https://x.example/?a=1&b', 'https://"')
  .map((address) => `a href="${address}"`)
const tag = fc.oneof(
  fc.constantFrom('<b>', '</b>', '<em>', '</em>', '<B>', '</B>', '<br/>', '</br>', '</a>'),
  link.map((opening) => `<${opening}>`),
)
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(
      fc.oneof(fc.constantFrom('p', 'b', 'h2', 'blink'), link),
      fc.array(fc.oneof(scrap, tie('element')), { maxLength: 3 }),
    )
    .map(([opening, parts]) => `<${opening}>${parts.join('')}</${opening.split(' ')[0]}>`),
}))
/** Tags that are closed in order, and tags that are not. */
const plainMarkup = fc.oneof(
  element,
  fc.array(fc.oneof(scrap, tag), { maxLength: 4 }).map((parts) => parts.join('')),
)

// A text with a horizontal rule never takes the fast path for plain texts.
test('an article keeps the same, whether there is a rule before it or not', () => {
  fc.assert(
    fc.property(plainMarkup, (html) => {
      assert.equal(sanitizeArticle(`<hr>${html}`), `<hr>${sanitizeArticle(html)}`)
    }),
    { numRuns: runs(200, 2_000) },
  )
})

test('the description of a term keeps the same, whether it begins with what is dropped or not', () => {
  fc.assert(
    fc.property(plainMarkup, (html) => {
      assert.equal(sanitizeTermDescription(`<hr>${html}`), sanitizeTermDescription(html))
    }),
    { numRuns: runs(200, 2_000) },
  )
})

test('elements nested beyond reason lose their tags, not their text', () => {
  const kept = sanitizeArticle(`${'<b>'.repeat(10_000)}deep${'</b>'.repeat(10_000)}`)

  assert.match(kept, /^(?:<b>){200}deep(?:<\/b>){200}$/)
})

const hostile = [
  ...['<', '>', '&', '"', '%', ' ', '/>', '<b>', '<p>', '<!--', '<a href="', '<ul><li>', '<b><i></b>', '</b>', '<x '],
  ...[
    '<p data-x=1 ',
    ' data-x',
    '<wbr hidden>',
    '<script>',
    '<svg>',
    '<b><!--</b>-->',
    "<a title='",
    '&amp;',
    '<p style="a:',
    '<div><p>',
  ],
]

for (const scrap of hostile) {
  test(`sanitising a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, (text) => [sanitizeArticle(text), plainText(text)])
  })
}
