import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rewriteElements } from './elements.ts'

const unchanged = (html: string) => rewriteElements(html, (element) => element)

// HTML standard, "The list of active formatting elements" and "The adoption agency algorithm", as far as texts need it.
const pairs: readonly (readonly [given: string, written: string])[] = [
  ['', ''],
  ['a & b &amp; c', 'a & b &amp; c'],
  ['a <!-- x --> b', 'a  b'],
  ['<P CLASS=x Id="a&quot;b">a</P>', '<p class="x" id="a&quot;b">a</p>'],
  ['<p a=1 a=2 é=3 b>x</p>', '<p a="1" b="">x</p>'],
  ['<p title="a>b">x</p>', '<p title="a&gt;b">x</p>'],
  ['<br>a<br/>b<hr />', '<br>a<br>b<hr>'],
  ['<b>open', '<b>open</b>'],
  ['a</b>b', 'ab'],
  ['<p><b>a</p>b', '<p><b>a</b></p><b>b</b>'],
  // Formatting stops at its own end tag, and blank text needs none.
  ['<p><b>a</p> \\n<p>b</b>c</p>', '<p><b>a</b></p> \\n<p><b>b</b>c</p>'],
  ['<p><b>a</p></b><p>b</p>', '<p><b>a</b></p><p>b</p>'],
  ['<p><b><i>a</p>b</i>c</b>d', '<p><b><i>a</i></b></p><b><i>b</i>c</b>d'],
  ['<div><u>a</div><ul><li>b</li></ul>', '<div><u>a</u></div><ul><li><u>b</u></li></ul>'],
  // Other elements end with their block.
  ['<p><span>a</p>b', '<p><span>a</span></p>b'],
  ['<p><q>a</p>b</q>', '<p><q>a</q></p>b'],
  // Links do not nest, and only the later one continues.
  ['<p><a href="/1">a</p><a href="/2">b</a>c', '<p><a href="/1">a</a></p><a href="/2">b</a>c'],
  ['<p><a href="/1">a</p>b', '<p><a href="/1">a</a></p><a href="/1">b</a>'],
]

for (const [given, written] of pairs.map((pair) => pair.map((html) => html.replaceAll('\\n', '\n')))) {
  test(`${JSON.stringify(given)} is written as ${JSON.stringify(written)}`, () => {
    assert.equal(unchanged(given ?? ''), written)
  })
}

test('each formatting element goes on after its block', () => {
  for (const name of 'a b big code em font i s small strike strong tt u'.split(' ')) {
    assert.equal(unchanged(`<p><${name}>x</p>y`), `<p><${name}>x</${name}></p><${name}>y</${name}>`, name)
  }
})

test('an element is replaced by another, by markup, or stays, and knows what surrounds it', () => {
  const seen: string[] = []
  const written = rewriteElements('<div><p><b x="1">a</b><img src="/x">c</p></div>', (element, within) => {
    seen.push([...within, element].map(({ name }) => name).join(' '))
    if (element.name === 'b') return { name: 'strong', attributes: { class: '"<' } }
    if (element.name === 'img') return { html: '<i></i>' }
    return element
  })

  assert.equal(written, '<div><p><strong class="&quot;&lt;">a</strong><i></i>c</p></div>')
  assert.deepEqual(seen, ['div', 'div p', 'div p b', 'div p img'])
})

test('formatting that goes on is limited: a short text does not become a very long one', () => {
  const html = `${'<p>'}${'<b title="x">'.repeat(500)}${'</p>x<p>'.repeat(500)}`

  assert.ok(unchanged(html).length < 4 * 64 * 1024)
})
