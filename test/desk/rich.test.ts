import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { paragraphs } from '../../src/base/text/paragraphs.ts'
import { ARTICLE_MARKUP } from '../../src/base/text/sanitize.allowed.ts'
import { sanitizeArticle } from '../../src/base/text/sanitize.ts'
import { addressOf } from '../../src/desk/rich/browser/rich.address.ts'
import { readPasted, readPlain } from '../../src/desk/rich/browser/rich.paste.ts'
import { readRich } from '../../src/desk/rich/browser/rich.read.ts'
import { nodeType, schema } from '../../src/desk/rich/browser/rich.schema.ts'
import { writeRich } from '../../src/desk/rich/browser/rich.write.ts'
import { readRichBundle } from '../../src/desk/rich/rich.bundle.ts'
import { attacks } from '../support/attacks.ts'
import { assertLinear } from '../support/linear.ts'
import { runs } from '../support/long.ts'
import { charactersOf } from '../support/visible.markup.ts'

/** Texts, and what the visual editor writes after a change; undefined if it leaves them to the editor of HTML. */
const texts: readonly (readonly [stored: string, written: string | undefined])[] = [
  ['Bach', '<p>Bach</p>'],
  ['One\n\nTwo\nlines', '<p>One</p>\n<p>Two<br>lines</p>'],
  [
    '<p>One</p><p class="x" style="text-align:center">Two</p>',
    '<p>One</p>\n<p class="x" style="text-align:center">Two</p>',
  ],
  ['<h2>Heading</h2>\nText', '<h2>Heading</h2>\n<p>Text</p>'],
  ['<ul><li>a<ul><li>b</li></ul></li></ul>', '<ul>\n<li>a\n<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>'],
  ['<ol start="3"><li><p>c</p></li></ol>', '<ol start="3">\n<li>\n<p>c</p>\n</li>\n</ol>'],
  ['<blockquote>Said</blockquote>', '<blockquote>\n<p>Said</p>\n</blockquote>'],
  ['<em><strong>x</strong></em> <i>y</i>', '<p><strong><em>x</em></strong> <i>y</i></p>'],
  [
    '<a href="https://x.example/?a=1&amp;b=2" rel="nofollow">x</a>',
    '<p><a href="https://x.example/?a=1&amp;b=2" rel="nofollow">x</a></p>',
  ],
  ['Caf&eacute; &amp; &lt;b&gt; &#8217;', '<p>Café &amp; &lt;b&gt; ’</p>'],
  ['<p>&nbsp;</p>', '<p>&nbsp;</p>'],
  ['<pre>\n  a\n\n  b</pre>', '<pre>  a\n\n  b</pre>'],
  ['<img src="/media/1.jpg" alt="" width="10">', '<p><img src="/media/1.jpg" alt="" width="10"></p>'],
  [
    '<table class="t"><tr><th>x</th><td colspan="2">y<br>z</td></tr><tr><td></td></tr></table>',
    '<table class="t">\n<tr>\n<th>x</th>\n<td colspan="2">y<br>z</td>\n</tr>\n<tr>\n<td></td>\n</tr>\n</table>',
  ],
  ['<table><tr><td><p>x</p></td></tr></table>', undefined],
  ['<table><tbody><tr><td>x</td></tr></tbody></table>', undefined],
  ['<p onclick="x()">x</p>', undefined],
  ['<a href="javascript:x">x</a>', undefined],
  ['<a id="here"></a>Text', undefined],
  ['<b>x', undefined],
  ['<!-- comment -->x', undefined],
  ['&NotEqualTilde;', undefined],
  ['<b>a<br></b><br>b', undefined],
  ['', ''],
]

for (const [stored, written] of texts) {
  test(`of ${JSON.stringify(stored)} the visual editor makes ${JSON.stringify(written)}`, () => {
    const doc = readRich(stored)

    assert.equal(doc && writeRich(doc), written)
  })
}

test('the editor knows no element that the sanitiser removes', () => {
  const own = [...Object.keys(schema.nodes), ...Object.keys(schema.marks)].filter(
    (tag) => !['doc', 'text'].includes(tag),
  )

  assert.deepEqual(
    own.filter((tag) => !(ARTICLE_MARKUP.allowedTags || []).includes(tag)),
    [],
  )
})

const words = fc.constantFrom(
  'x',
  'two words',
  ' ',
  '  ',
  '\n',
  '\n\n',
  '&amp;',
  '&eacute;',
  '&nbsp;',
  '\u00a0',
  '\u2003',
  '&#8195;',
  '"',
  'é',
  '&',
  '>',
  '<br>',
  '<br />',
  '<img src="/a.png" alt="a">',
  '<wbr>',
  '&bogus;',
  '<',
)
const openings = fc.constantFrom(
  ...[
    'p',
    'p class="x"',
    'h2',
    'h3 id="i"',
    'ul',
    'ol',
    'ol start="2"',
    'li',
    'li value="3"',
    'blockquote',
    'pre',
    'div',
    'table',
    'table><tr><td>a</td><td',
    'tr',
    'td',
    'th colspan="2"',
  ],
  ...[
    'b',
    'strong',
    'em',
    'i',
    'u',
    'span style="color:red"',
    'span',
    'code',
    'a href="https://x.example/"',
    'a name="n"',
    'abbr title="t"',
  ],
)
const { element } = fc.letrec<{ element: string }>((tie) => ({
  element: fc
    .tuple(openings, fc.array(fc.oneof({ weight: 2, arbitrary: words }, tie('element')), { maxLength: 4 }))
    .map(([opening, parts]) => `<${opening}>${parts.join('')}</${opening.split(' ')[0]}>`),
}))
const listed = fc
  .array(fc.tuple(fc.constantFrom('li', 'li value="3"'), fc.array(fc.oneof(words, element), { maxLength: 3 })), {
    maxLength: 3,
  })
  .map((items) => `<ul>${items.map(([opening, parts]) => `<${opening}>${parts.join('')}</li>`).join('\n')}</ul>`)
const markup = fc
  .array(fc.oneof(words, element, listed, fc.constantFrom('<p>', '</p>', '</b>', '<b>', '<li>', '<!--', '-->')), {
    maxLength: 5,
  })
  .map((parts) => parts.join(''))

test('what the visual editor takes over is written so that the server keeps it as it is and visitors see the same', () => {
  let taken = 0
  fc.assert(
    fc.property(markup, (html) => {
      const stored = sanitizeArticle(html)
      for (const text of [html, stored]) {
        const doc = readRich(text)
        if (!doc) continue
        taken += 1
        doc.check()

        const written = writeRich(doc)

        assert.equal(sanitizeArticle(written), written)
        assert.deepEqual(charactersOf(paragraphs(written)), charactersOf(paragraphs(sanitizeArticle(text))))
        const again = readRich(written)
        assert.ok(again, `not read again: ${written}`)
        assert.equal(writeRich(again), written)
      }
    }),
    { numRuns: runs(2_000, 30_000) },
  )
  assert.ok(taken > 100, `${taken}`)
})

test('text from other programs becomes what the server keeps, whatever it is', () => {
  fc.assert(
    fc.property(fc.oneof(markup, fc.constantFrom(...attacks), fc.string()), (html) => {
      for (const { content } of [readPasted(html), readPlain(html)]) {
        const doc = nodeType('doc').create(null, content.size === 0 ? nodeType('p').create() : content)
        doc.check()
        const written = writeRich(doc)

        assert.equal(sanitizeArticle(written), written)
        assert.equal(writeRich(readRich(written) ?? assert.fail(`not read again: ${written}`)), written)
      }
    }),
    { numRuns: runs(1_000, 10_000) },
  )
})

const pasted: readonly (readonly [program: string, html: string, written: string])[] = [
  [
    'Word',
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p { color: red }</style></head><body><!--StartFragment-->
<h1>Le <span style='mso-bidi-font-weight:bold'>programme</span><o:p></o:p></h1>
<p class=MsoNormal style='margin:0cm'>Un&nbsp;<b>concert</b> &agrave;
19 h<o:p></o:p></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·<span>&nbsp;&nbsp;</span></span><![endif]>Entr&eacute;e</p>
<p class=MsoListParagraph style='mso-list:l0 level2 lfo1'><span style='mso-list:Ignore'>o</span>Enfants</p>
<p class=MsoListParagraph style='mso-list:l1 level1 lfo2'><span style='mso-list:Ignore'>1.<span>&nbsp;</span></span>Ouverture</p>
<!--EndFragment--></body></html>`,
    '<h2>Le programme</h2>\n<p>Un&nbsp;<strong>concert</strong> à 19 h</p>\n<ul>\n<li>Entrée\n<ul>\n<li>Enfants</li>\n</ul>\n</li>\n</ul>\n<ol>\n<li>Ouverture</li>\n</ol>',
  ],
  [
    'Google Docs',
    `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:700;color:#000">Bold</span><span style="font-style:italic"> slanted</span> <a href="https://www.google.com/url?q=https://x.example/a%3Fb&amp;sa=D" style="text-decoration:none"><span style="text-decoration:underline">link</span></a></p><br><ul><li dir="ltr" aria-level="1"><p role="presentation"><span>One</span></p></li><ul><li><p>Two</p></li></ul></ul></b>`,
    '<p><strong>Bold</strong><em> slanted</em> <a href="https://x.example/a?b"><u>link</u></a></p>\n<ul>\n<li>One\n<ul>\n<li>Two</li>\n</ul>\n</li>\n</ul>',
  ],
  [
    'a page',
    '<div><script>alert(1)</script><table><tr><td>Adults</td><td>$5</td></tr><tr><td>Children</td></tr></table><img src="x"><blockquote><p>Said</p></blockquote><pre>a\n  b</pre><a href="javascript:alert(1)">x</a></div>',
    '<table>\n<tr>\n<td>Adults</td>\n<td>$5</td>\n</tr>\n<tr>\n<td>Children</td>\n</tr>\n</table>\n<blockquote>\n<p>Said</p>\n</blockquote>\n<pre>a\n  b</pre>\n<p>x</p>',
  ],
  [
    'Word with a review',
    `<p class=MsoTitle>Le titre</p><p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Gras</b> et <a style='mso-comment-reference:AB_1;mso-comment-date:20300101T1000'>gratuit</a><span class=MsoCommentReference><span style='font-size:8.0pt'><![if !supportAnnotations]><a class=msocomanchor id="_anchor_1" href="#_msocom_1" name="_msoanchor_1">[AB1]</a><![endif]><span style='mso-special-character:comment'>&nbsp;<!--[if gte mso 9]><xml>secret</xml><![endif]--></span></span></span> <ins cite="mailto:AB" datetime="2030-01-01T10:00">ici</ins><del cite="mailto:AB">ailleurs</del></p>
<div style='mso-element:comment-list'><![if !supportAnnotations]><hr class=msocomoff align=left size=1><![endif]><div style='mso-element:comment'><div id="_com_1" class=msocomtxt><span style='mso-comment-author:"A B"'><a name="_msocom_1"></a></span><p class=MsoCommentText><a href="#_msoanchor_1" class=msocomoff>[AB1]</a>Ne pas publier</p></div></div></div>`,
    '<h2>Le titre</h2>\n<p><strong>Gras</strong> et gratuit ici</p>',
  ],
  [
    'a table of Word',
    `<p>Prix</p><table class=MsoTableGrid border=1><caption>Tarifs</caption><thead><tr><th>Qui<th>Combien</tr></thead><tr style='mso-yfti-irow:0'><td width=200 rowspan=2><p class=MsoNormal>Adultes<o:p></o:p></p><p class=MsoNormal>et aînés</p></td><td><p class=MsoNormal><b>5&nbsp;$</b></p></td></tr><tr><td></td></tr></table>`,
    '<p>Prix</p>\n<p>Tarifs</p>\n<table>\n<tr>\n<th>Qui</th>\n<th>Combien</th>\n</tr>\n<tr>\n<td rowspan="2">Adultes<br>et aînés</td>\n<td><strong>5 $</strong></td>\n</tr>\n<tr>\n<td></td>\n</tr>\n</table>',
  ],
  [
    'a table of Word with a list',
    `<table class=MsoTableGrid><tr><td><p>9 h</p></td><td><p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='mso-list:Ignore'>·</span><![endif]>Café</p><p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'>Jeux</p></td></tr></table>`,
    '<table>\n<tr>\n<td>9 h</td>\n<td>Café<br>Jeux</td>\n</tr>\n</table>',
  ],
  [
    'a table of Google Docs',
    '<b style="font-weight:normal;"><div dir="ltr" align="left"><table style="border:none"><colgroup><col width="10"/><col/></colgroup><tbody><tr style="height:0pt"><td style="border-left:solid"><p dir="ltr" style="margin-top:0pt"><span style="font-weight:400;">Who</span></p></td><td><p dir="ltr"><span style="font-weight:700;">$5</span></p></td></tr></tbody></table></div></b><br class="Apple-interchange-newline">',
    '<table>\n<tr>\n<td>Who</td>\n<td><strong>$5</strong></td>\n</tr>\n</table>',
  ],
  [
    'a page whose tables are there for its look',
    '<table><tr><td><h2>News</h2><table><tr><td>a</td><td>b</td></tr></table></td><td><ul><li>c</li></ul></td></tr></table><table><tr><td>d</td></tr><tr><td>e</td></tr></table>',
    '<h2>News</h2>\n<p>a</p>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n<p>d</p>\n<p>e</p>',
  ],
  [
    'Word with its own weight beside the bold',
    "<p class=MsoNormal><b style='mso-bidi-font-weight:normal'>Gras</b> texte</p>",
    '<p><strong>Gras</strong> texte</p>',
  ],
  ['a part of a line', '<span>two <em>words</em></span>', '<p>two <em>words</em></p>'],
]

for (const [program, html, written] of pasted) {
  test(`text from ${program} keeps its structure and loses its look`, () => {
    assert.equal(writeRich(nodeType('doc').create(null, readPasted(html).content)), written)
  })
}

test('the address of a link is completed, or refused if it is none', () => {
  const typed = [
    ...['https://x.example/a?b#c', 'x.example', 'www.ville.québec/été', 'x.example:8080/a', 'info@x.example'],
    ...['mailto:a@b.example', 'tel:+15145550100', '/events/', '#top', ' https://x.example '],
    ...[
      'javascript:alert(1)',
      'JaVaScript:x',
      'data:text/html,x',
      'https://',
      'two words',
      'word',
      '',
      '\u0001javascript:x',
    ],
  ]

  assert.deepEqual(typed.map(addressOf), [
    ...['https://x.example/a?b#c', 'https://x.example', 'https://www.ville.québec/été', 'https://x.example:8080/a'],
    ...['mailto:info@x.example', 'mailto:a@b.example', 'tel:+15145550100', '/events/', '#top', 'https://x.example'],
    ...Array(8).fill(undefined),
  ])
})

for (const scrap of [
  '<p>',
  '<ul><li>',
  '</p>',
  '<b>',
  '<span style="',
  '<!--',
  '<!',
  '<',
  '&',
  ' ',
  '<br>',
  '<table><tr><td>x',
  '<td>x',
  "<a href='",
  '<p style="mso-list:l0 level9">x',
]) {
  test(`reading a long run of ${scrap} takes time in proportion`, () => {
    assertLinear(scrap, (text) => [readRich(text), readPasted(text)])
  })
}

test('reading a table of many rows takes time in proportion', () => {
  for (const row of ['<tr><td>x<td>y', '<tr><td>x', '<tr>']) assertLinear(row, (text) => readPasted(`<table>${text}`))
})

test('if the script is missing, the error says what to run', async () => {
  await assert.rejects(readRichBundle('/nowhere/rich.js'), /missing: \/nowhere\/rich\.js\. Run “npm run bundle”\./)
})
