import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../test/support/app.ts'
import { descriptions as english } from './descriptions.en.ts'
import { descriptions as french } from './descriptions.fr.ts'
import { docsTexts as englishDocs } from './docs.en.ts'
import { docsTexts as frenchDocs } from './docs.fr.ts'
import { feedTexts as englishFeeds } from './feeds.en.ts'
import { feedTexts as frenchFeeds } from './feeds.fr.ts'
import { messages as englishMessages } from './messages.en.ts'
import { messages as frenchMessages } from './messages.fr.ts'
import { openApiTexts as englishOpenApi } from './openapi.en.ts'
import { openApiTexts as frenchOpenApi } from './openapi.fr.ts'
import { message } from './texts.ts'

type Texts = Readonly<Record<string, string>>

const catalogues: readonly (readonly [english: Texts, french: Texts])[] = [
  [english, french],
  [englishMessages, frenchMessages],
  [englishOpenApi, frenchOpenApi],
  [englishDocs, frenchDocs],
  [englishFeeds, frenchFeeds],
]

const pairs = catalogues.flatMap(([one, other]) =>
  Object.entries(one).map(([key, text]) => [key, text, other[key] ?? ''] as const),
)

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

test('French is set as in Canada: no-break spaces, curved apostrophes, no space before ; ! ?', () => {
  const wrong = pairs.filter(([, , text]) => /['"]|[^\u00a0]:(?=\s)|\s[;!?]|«[^\u00a0]|[^\u00a0]»|\u202f/.test(text))

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

/** All texts of more than one word in an answer, however deep they stand. */
function sentencesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.includes(' ') ? [value] : []
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(sentencesOf) : []
}

test('errors at the French address have no sentence in English', async (t) => {
  const app = await startTestApp(t)
  const json = { 'content-type': 'application/json' }
  const requests = [
    { path: '/nowhere' },
    { path: '/events/999' },
    { path: '/events?page=0&start_date=x&venue=999&geoloc_lat=100' },
    { path: '/tags?ml_language=de' },
    { method: 'POST', path: '/events' },
    { method: 'POST', path: '/venues?venue=Hall' },
    { method: 'POST', path: '/events', form: '{', headers: json },
  ] as const

  for (const { path, ...request } of requests) {
    const english = sentencesOf((await app.send({ ...request, path })).body)
    const french = sentencesOf((await app.send({ ...request, path: `//fr/cal/events/v1${path}` })).body)
    assert.ok(english.length > 0 && english.length === french.length, path)
    assert.deepEqual(
      french.filter((text) => english.includes(text)),
      [],
      path,
    )
  }
})
