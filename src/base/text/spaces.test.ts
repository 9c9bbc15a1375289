import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withNonBreakingSpaces } from './spaces.js'

test('no line ends before : ; ! ? » or after «', () => {
  for (const [text, expected] of [
    ['Glass on the Beach / : l’œuvre', 'Glass on the Beach /~: l’œuvre'],
    ['« Où ? » : ici !', '«~Où~?~»~: ici~!'],
    ['Quoi ?! (Vraiment ?)', 'Quoi~?! (Vraiment~?)'],
    ['Un ; deux', 'Un~; deux'],
    ['fin :', 'fin~:'],
  ] as const) {
    assert.equal(withNonBreakingSpaces(text).replaceAll('\u00a0', '~'), expected)
  }
})

test('what is no punctuation stays as it is', () => {
  for (const text of ['a :b', 'say ?q=1', 'word: next', 'x  y', 'a : '.trim().slice(0, 1)]) {
    assert.equal(withNonBreakingSpaces(text), text)
  }
})

test('a long text costs in proportion to its length', () => {
  const long = ' !'.repeat(200_000) + '!'.repeat(200_000)

  assert.equal(withNonBreakingSpaces(long).length, long.length)
})
