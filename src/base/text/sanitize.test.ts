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
  [
    `<p>Free <a style="mso-comment-reference:A_1">entry</a><span class="MsoCommentReference"><a class="msocomanchor" href="#_msocom_1">[A1]</a></span></p><div style='mso-element:comment-list'><div style='mso-element:comment'><p>Ask <b>Ann</b></p></div></div><!--[if gte mso 9]><xml>x</xml><![endif]--><p>End</p>`,
    '<p>Free <a>entry</a></p><p>End</p>',
  ],
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

/** Elements with all attributes that they may have besides the common ones. */
const elements = [
  '<a href="/x" hreflang="fr" name="n" rel="me" target="_blank" type="text/html" download="f">x</a>',
  '<audio controls loop muted preload="none" src="/x">x</audio>',
  '<blockquote cite="/x">x</blockquote>',
  '<br clear="all">',
  '<del cite="/x" datetime="2030-01-01">x</del>',
  '<details open><summary>x</summary></details>',
  '<font color="red" face="serif" size="2">x</font>',
  '<hr noshade size="2" width="50%">',
  '<img alt="a" border="0" decoding="async" height="9" hspace="1" loading="lazy" src="/x" vspace="1" width="9">',
  '<ins cite="/x" datetime="2030-01-01">x</ins>',
  '<ul type="disc"><li value="3">x</li></ul>',
  '<ol reversed start="2" type="a"><li>x</li></ol>',
  '<q cite="/x">x</q>',
  '<time datetime="2030-01-01">x</time>',
  '<video controls height="9" loop muted poster="/x" preload="none" src="/x" width="9">' +
    '<source src="/x" type="video/mp4"><track default kind="captions" label="l" src="/x" srclang="fr"></video>',
  '<table bgcolor="red" border="1" cellpadding="1" cellspacing="1" rules="all" summary="s" width="9">' +
    '<colgroup span="2" valign="top" width="9"><col span="2" valign="top" width="9"></colgroup><caption>x</caption>' +
    '<thead><tr bgcolor="red" valign="top">' +
    '<th abbr="a" bgcolor="red" colspan="2" headers="h" height="9" nowrap rowspan="2" scope="col" valign="top" width="9">' +
    'x</th></tr></thead><tbody><tr>' +
    '<td abbr="a" bgcolor="red" colspan="2" headers="h" height="9" nowrap rowspan="2" scope="row" valign="top" width="9">' +
    'x</td></tr></tbody><tfoot><tr><td>x</td></tr></tfoot></table>',
  '<p align="left" aria-label="l" class="c" data-x="d" dir="rtl" hidden id="i" lang="fr" role="note" style="color:red" title="t">x</p>',
  '<dl><dt>x</dt><dd>x</dd></dl>',
  '<ruby>x<rp>(</rp><rt>x</rt></ruby>',
  '<figure><figcaption>x</figcaption></figure>',
  'a<wbr>b',
]
const textElements =
  'abbr acronym address article aside b bdi bdo big cite code dfn div em figure footer h1 h2 h3 h4 h5 h6 header hgroup i ' +
  'kbd main mark nav p pre s samp section small span strike strong sub sup tt u var'

test('an article keeps the elements of texts, media and tables, each with its own attributes', () => {
  for (const html of [...elements, ...textElements.split(' ').map((name) => `<${name}>x</${name}>`)]) {
    assert.equal(sanitizeArticle(html), html)
    // Without an attribute of another element.
    const [name = ''] = /(?<=<)\w+/.exec(html) ?? []
    const given = html.replace(`<${name}`, `<${name} onclick="x()" formaction="/x" xmlns="x"`)
    assert.equal(sanitizeArticle(given), html)
  }
})

test('media have addresses of the web only, and other attributes with addresses no script', () => {
  for (const name of ['audio', 'video']) {
    assert.equal(sanitizeArticle(`<${name} src="ftp://x.example/"></${name}>`), `<${name}></${name}>`)
    assert.equal(
      sanitizeArticle(`<${name} src="https://x.example/">x</${name}>`),
      `<${name} src="https://x.example/">x</${name}>`,
    )
  }
  for (const name of ['img', 'source', 'track']) {
    assert.equal(sanitizeArticle(`<${name} src="mailto:a">`), `<${name}>`)
    assert.equal(sanitizeArticle(`<${name} src="http://x.example/">`), `<${name} src="http://x.example/">`)
  }
  for (const [name, attribute] of [
    ['a', 'href'],
    ['q', 'cite'],
    ['blockquote', 'cite'],
    ['del', 'cite'],
    ['video', 'poster'],
  ]) {
    assert.equal(sanitizeArticle(`<${name} ${attribute}="javascript:x()">x</${name}>`), `<${name}>x</${name}>`)
  }
})

test('what is code, a control or a document of its own goes with its content', () => {
  const names =
    'script style iframe form object applet svg math template noscript noembed noframes frameset ' +
    'textarea select option button xmp plaintext title head'
  for (const name of names.split(' ')) {
    for (const sanitized of [sanitizeArticle, sanitizeTitle]) {
      assert.equal(sanitized('a<embed src="/x">b'), 'ab')
      assert.equal(sanitized(`a<${name}>secret</${name}>`).replace(/<\/\w+>/g, ''), 'a', name)
    }
  }
})

test('a title keeps the elements within a line, with few attributes', () => {
  for (const html of [
    '<a href="/x" title="t">x</a>',
    '<abbr title="t">x</abbr>',
    '<acronym title="t">x</acronym>',
    '<blockquote cite="/x">x</blockquote>',
    '<del datetime="2030">x</del>',
    '<q cite="/x">x</q>',
    ...'b cite code em i s strike strong'.split(' ').map((name) => `<${name}>x</${name}>`),
  ]) {
    assert.equal(sanitizeTitle(html), html)
    assert.equal(sanitizeTermDescription(html), html)
    assert.equal(sanitizeTitle(html.replace(/<\w+/, '$& class="c" style="color:red" id="i"')), html)
  }
  for (const name of 'p div img span br h1 u font table'.split(' ')) {
    assert.doesNotMatch(sanitizeTitle(`a<${name}>b`), /</, name)
  }
})

test('a style keeps what changes the look of a text, and nothing else', () => {
  const properties =
    'background-color border border-bottom border-collapse border-color border-left border-radius border-right ' +
    'border-spacing border-style border-top border-width caption-side clear color direction float font font-family ' +
    'font-size font-style font-variant font-weight height letter-spacing line-height list-style-type margin ' +
    'margin-bottom margin-left margin-right margin-top max-height max-width min-height min-width padding ' +
    'padding-bottom padding-left padding-right padding-top text-align text-decoration text-indent text-transform ' +
    'vertical-align white-space width word-spacing'
  for (const property of properties.split(' ')) {
    const html = `<p style="${property}:1px">x</p>`
    assert.equal(sanitizeArticle(html), html)
  }
  for (const declaration of [
    'position:fixed',
    'display:none',
    'background:red',
    'content:x',
    '--x:1',
    'color:red:blue',
    'color',
    'color:',
    'color:url(x)',
    'color:\\72 ed',
    'color:{}',
    'color:rgb(expression(1))',
    'color:rgb(1, 2, 3) url(x)',
    'color:rgb(1, 2, 3) expression(1)',
    ':red',
  ]) {
    assert.equal(sanitizeArticle(`<p style="${declaration}">x</p>`), '<p>x</p>', declaration)
    assert.equal(
      sanitizeArticle(`<p style="width:1px; ${declaration};COLOR: hsla(1, 2%, 3% / .5)">x</p>`),
      '<p style="width:1px;COLOR: hsla(1, 2%, 3% / .5)">x</p>',
      declaration,
    )
  }
})

test('of attributes with data an element keeps thirty-two, in the names that pages use', () => {
  const data = (count: number) => Array.from({ length: count }, (_, place) => ` data-x${place}="1"`).join('')

  assert.equal(sanitizeArticle(`<p${data(40)} title="t">x</p>`), `<p${data(32)} title="t">x</p>`)
  assert.equal(sanitizeArticle(`<p data-${'x'.repeat(50)}="1">x</p>`), `<p data-${'x'.repeat(50)}="1">x</p>`)
  const parts = (count: number) => `data${'-x'.repeat(count)}`
  assert.equal(sanitizeArticle(`<p ${parts(11)}="1" ${parts(10)}="2">x</p>`), `<p ${parts(10)}="2">x</p>`)
  assert.equal(sanitizeArticle(`<p title="${'x'.repeat(4096)}">x</p>`).length, 4096 + '<p title="">x</p>'.length)
  assert.equal(sanitizeArticle(`<p title="${'x'.repeat(4097)}">x</p>`), '<p>x</p>')
})

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

test('other sizes of a picture stay, each if it is well formed and its address is allowed', (t) => {
  const log = t.mock.method(console, 'log', () => {})
  const cases: readonly (readonly [sent: string, kept: string | undefined])[] = [
    ['a.jpg 1x, b.jpg 2x', 'a.jpg 1x, b.jpg 2x'],
    ['a.jpg 1x,b.jpg 2.5x,c.jpg', 'a.jpg 1x, b.jpg 2.5x, c.jpg'],
    [
      'https://a.example/x,y.jpg 300w,\n //b.example/z.jpg 600w',
      'https://a.example/x,y.jpg 300w, //b.example/z.jpg 600w',
    ],
    ['JAVASCRIPT:alert(1) 1x, ok.jpg 300w', 'ok.jpg 300w'],
    ['java\tscript:alert(1) 1x', undefined],
    ['&#106;avascript:alert(1) 1x, ok.jpg 2x', 'ok.jpg 2x'],
    ['data:image/png;base64,AA== 1x', undefined],
    ['a.jpg 1x 2x, b.jpg foo, c.jpg 0w, d.jpg 1.5w, e.jpg -1x, ok.jpg 2x', 'ok.jpg 2x'],
    ['a&quot; onerror=alert(1) 1x', undefined],
    [', , ,a.jpg', 'a.jpg'],
    ['', undefined],
  ]
  for (const [sent, kept] of cases) {
    const srcset = kept === undefined ? '' : ` srcset="${kept}"`
    assert.equal(
      sanitizeArticle(`<img src="x" srcset="${sent}" sizes="50vw">`),
      `<img src="x"${srcset} sizes="50vw">`,
      sent,
    )
  }
  // The library would write texts of clients there.
  assert.equal(log.mock.callCount(), 0)
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
    '<img srcset="',
    '<img srcset=" 1,',
    ' 1w,a',
    '<div><p>',
  ],
]

for (const scrap of hostile) {
  test(`sanitising a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, (text) => [sanitizeArticle(text), plainText(text)])
  })
}
