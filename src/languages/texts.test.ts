import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { descriptions as english } from './descriptions.en.ts'
import { descriptions as french } from './descriptions.fr.ts'
import { messages as englishMessages } from './messages.en.ts'
import { messages as frenchMessages } from './messages.fr.ts'
import { message } from './texts.ts'

const pairs = [
  ...Object.entries(english).map(([key, text]) => [key, text, french[key as keyof typeof french]] as const),
  ...Object.entries(englishMessages).map(
    ([key, text]) => [key, text, frenchMessages[key as keyof typeof frenchMessages]] as const,
  ),
]

test('no text is the same in both languages', () => {
  assert.deepEqual(
    pairs.filter(([, one, other]) => one === other).map(([key]) => key),
    [],
  )
})

test('both languages name the same values', () => {
  const named = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()

  for (const [key, one, other] of pairs) assert.deepEqual(named(one), named(other), key)
})

test('French is set as in Canada: no-break spaces, curved apostrophes, no space before a semicolon', () => {
  const wrong = pairs.filter(([, , text]) => /['"]| :|\u00a0;| ;|« |[^\u00a0]»/.test(text))

  assert.deepEqual(
    wrong.map(([key]) => key),
    [],
  )
})

test('a value that a message does not get stays visible', () => {
  assert.equal(message('en', 'fault.text', { name: 'title' }), '“title” must be a text that is not empty.')
  assert.match(message('en', 'fault.text'), /\{name\}/)
})

test('the French index has no description in English', async (t) => {
  const app = await startTestApp(t)
  const describedAt = async (path: string) =>
    [...(await app.send({ path })).text.matchAll(/"description":"([^"]+)"/g)].map(([, text]) => text)

  const [one, other, asked] = [
    await describedAt(''),
    await describedAt('//fr/cal/events/v1'),
    await describedAt('?ml_language=fr-CA'),
  ]

  assert.equal(one.length, other.length)
  assert.ok(one.length > 200)
  assert.deepEqual(
    other.filter((text, index) => text === one[index]),
    [],
  )
  assert.deepEqual(asked, other)
})
