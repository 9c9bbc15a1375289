import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeRenderedEntities } from './rendered.ts'

test('typographic entities become characters', () => {
  const text = decodeRenderedEntities('Vibes&#8211;Juice &ldquo;Therapy&rdquo; &#x2026; caf&eacute;')

  assert.equal(text, 'Vibes–Juice “Therapy” … café')
})

test('what means something in HTML stays an entity, however it was written', () => {
  assert.equal(
    decodeRenderedEntities('a &amp; b &#038; c &#60;b&gt; &quot;d&#39;'),
    'a &amp; b &amp; c &lt;b&gt; &quot;d&#039;',
  )
})

test('what is no entity stays as it is', () => {
  assert.equal(decodeRenderedEntities('AT&T; &nosuchthing; & &#; 5 &lt 6'), 'AT&T; &nosuchthing; & &#; 5 &lt 6')
})

test('no text turns into markup', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('&#60;', '&lt;', '&amp;', '#60;', 'lt;', '&#x3c;', 'b')), (parts) => {
      assert.ok(!decodeRenderedEntities(parts.join('')).includes('<'))
    }),
  )
})
