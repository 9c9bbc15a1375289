import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TEXT_LANGUAGES } from '../../base/languages/language.ts'
import { sayIn } from './desk.call.ts'
import { DESK_KEYS, partsOfKey } from './shortcuts.ts'

const all = Object.values(DESK_KEYS).flat()

test('each key of the desk is in the table once', () => {
  assert.deepEqual([...new Set(all.map(([press]) => press))], [...all.map(([press]) => press)])
})

test('each key has a text of its own in every language', () => {
  for (const language of TEXT_LANGUAGES) {
    const texts = all.map(([, text]) => sayIn(language)(text))
    assert.deepEqual([...new Set(texts)], texts)
  }
  const names = (language: (typeof TEXT_LANGUAGES)[number]) => partsOfKey({ say: sayIn(language) }, 'Control+Shift+p')
  assert.deepEqual([names('en'), names('fr')], [[['Ctrl', 'Shift', 'P']], [['Ctrl', 'Maj', 'P']]])
  assert.deepEqual(partsOfKey({ say: sayIn('en') }, 'g e'), [['g'], ['e']])
})

test('the manual has the table of keys', () => {
  const page = readFileSync(new URL('../../../docs/how-to/desk.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('\n## Use the keyboard\n')
  const rows = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| (`[^|]*) \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, ...row]) => row,
  )
  const say = sayIn('en')
  const expected = Object.entries(DESK_KEYS).flatMap(([group, keys]) =>
    keys.map(([press, text]) => [
      partsOfKey({ say }, press)
        .map((parts) => `\`${parts.join('+')}\``)
        .join(` ${say('shortcuts.then')} `),
      say(text),
      say(`shortcuts.${group as keyof typeof DESK_KEYS}`),
    ]),
  )
  assert.deepEqual(rows, expected)
})
