import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { tokenize, withoutTags } from './markup.ts'

test('tags and texts come in order, with the names of tags in small letters', () => {
  assert.deepEqual(tokenize('a <B class="x">b</B><br/> < c'), [
    { kind: 'text', source: 'a ' },
    { kind: 'open', name: 'b', source: '<B class="x">' },
    { kind: 'text', source: 'b' },
    { kind: 'close', name: 'b', source: '</B>' },
    { kind: 'open', name: 'br', source: '<br/>' },
    { kind: 'text', source: ' ' },
    { kind: 'text', source: '<' },
    { kind: 'text', source: ' c' },
  ])
})

test('the tokens of a text are that text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '/', 'a', ' ', '"') }), (html) => {
      assert.equal(
        tokenize(html)
          .map((token) => token.source)
          .join(''),
        html,
      )
    }),
  )
})

test('without tags, text and stray signs are left, and script and style are not', () => {
  assert.equal(withoutTags('a<b>b</b> < c <script>if (a<b)</script>d<!-- e -->f <g'), 'ab < c df <g')
  assert.equal(withoutTags('a<br>b < c', ' ', '&lt;'), 'a b &lt; c')
})
