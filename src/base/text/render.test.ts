import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertLinear } from '../../../test/support/linear.ts'
import { renderArticle, renderExcerpt, renderTitle } from './render.ts'
import { sanitizeArticle } from './sanitize.ts'

test('a title is trimmed and has typographic signs', () => {
  assert.equal(renderTitle(' Rock &amp; "Roll" -- <b>live</b> '), 'Rock &amp; &#8220;Roll&#8221; &#8212; <b>live</b>')
})

test('a description is signs and paragraphs', () => {
  const stored = 'First with <a href="https://x.example/">link</a>.\n\nSecond "para" -- it\'s <b>bold</b>...\nnew line'

  assert.equal(
    renderArticle(stored),
    '<p>First with <a href="https://x.example/">link</a>.</p>\n' +
      '<p>Second &#8220;para&#8221; &#8212; it&#8217;s <b>bold</b>&#8230;<br />\nnew line</p>',
  )
})

test('what is blank is rendered as nothing', () => {
  assert.deepEqual([renderTitle(' '), renderArticle(' \n '), renderExcerpt('')], ['', '', ''])
})

test('macros in brackets and smileys stay as text', () => {
  assert.equal(renderArticle('Before [gallery] :)'), '<p>Before [gallery] :)</p>')
})

test('pictures are decoded late, and load late where their size is known', () => {
  assert.equal(renderArticle('<img src="x">'), '<p><img decoding="async" src="x"></p>')
  assert.equal(
    renderArticle('<img src="x" width="1" height="2" />'),
    '<p><img loading="lazy" decoding="async" src="x" width="1" height="2" /></p>',
  )
  assert.equal(
    renderArticle('<img src="x" width="1" height="2" loading="eager" decoding="sync">'),
    '<p><img src="x" width="1" height="2" loading="eager" decoding="sync"></p>',
  )
})

test('a value of a picture that looks like another attribute is none', () => {
  const value = 'loading=&quot;eager&quot; decoding=&quot;sync&quot; src=&quot;x&quot; width= height='

  assert.equal(renderArticle(`<img alt=" ${value}">`), `<p><img decoding="async" alt=" ${value}"></p>`)
  assert.equal(
    renderArticle('<img alt=" loading=" title=" decoding=" src="x" width="1" height="2">'),
    '<p><img loading="lazy" decoding="async" alt=" loading=" title=" decoding=" src="x" width="1" height="2"></p>',
  )
})

test('a picture in an excerpt stays as it is', () => {
  assert.equal(renderExcerpt('One <img src="x">'), '<p>One <img src="x"></p>')
})

test('what a contributor sends is rendered without what it must not hold', () => {
  const stored = sanitizeArticle('<p onclick="x()">Hi</p><script>alert(1)</script>there<img src=x onerror=alert(1)>')

  assert.equal(renderArticle(stored), '<p>Hi</p>\n<p>there<img decoding="async" src="x"></p>')
})

for (const scrap of ['<b></b>', '<q></q>', '<wbr>', '1" ', "'1' "]) {
  test(`long runs of ${scrap} take time in proportion to their length, whatever ends them`, () => {
    const endings = scrap === '<b></b>' ? ["'1'", '"1"', "'a'", '...', '--'] : ["'1'"]
    for (const ending of endings) assertLinear(scrap, (text) => renderArticle(`"${text}${ending}`))
    assertLinear(scrap, (text) => [renderTitle(`x${text}'1'`), renderExcerpt(`x${text}"1"`)])
  })
}
