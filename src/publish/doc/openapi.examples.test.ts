import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Check, Errors } from 'typebox/schema'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  type DocumentedExample,
  type ExampleDocument,
  examplesIn,
  playExample,
} from '../../../test/support/example.player.ts'
import { startExampleSite } from '../../../test/support/example.site.ts'
import answers from './examples/answers.json' with { type: 'json' }
import { EXAMPLES } from './examples/examples.ts'

// The calendar of the examples has their ids, their addresses and their clock: no value of an answer may differ.

const english = '//cal/events/v1/doc'
const french = '//fr/cal/events/v1/doc'
const forConsole = '//docs/openapi.json'

async function documentAt(app: Pick<TestApp, 'send'>, path: string): Promise<ExampleDocument> {
  const { status, body, text } = await app.send({ path })
  assert.equal(status, 200, text)
  return body
}

const nameOf = ({ method, path, name, body }: DocumentedExample) =>
  [method, path, name, ...(body ? [`as ${body.type}`] : [])].join(' ')
const isSuccess = ({ answers: [answer] }: DocumentedExample) => answer !== undefined && answer.status < 300
const isReading = ({ method }: DocumentedExample) => method === 'GET'

/** Runs these examples, each on a fresh calendar, and fails if an answer differs. */
async function playAll(
  t: TestContext,
  site: Awaited<ReturnType<typeof startExampleSite>>,
  path: string,
  isPlayed: (example: DocumentedExample) => boolean = () => true,
): Promise<void> {
  const document = await documentAt(site, path)
  for (const [name, examples = []] of Object.entries(
    Object.groupBy(examplesIn(document).filter(isPlayed), (example) => `${example.method} ${example.path}`),
  )) {
    await t.test(`${name}: ${[...new Set(examples.map((example) => example.name))].join(', ')}`, async () => {
      for (const example of examples) {
        const { status, body } = await playExample(site, document, example)
        if (!isReading(example) && isSuccess(example)) await site.restore()
        const [expected] = example.answers
        assert.equal(asText(status, body), asText(expected?.status, expected?.body), nameOf(example))
      }
    })
  }
}

/** Compared as text, so that the order of keys counts. */
function asText(status: number | undefined, body: unknown): string {
  return JSON.stringify({ status, body }, undefined, 1)
}

test('every example of the document is what the service answers', async (t) => {
  await playAll(t, await startExampleSite(t), english)
})

test('every example of the French document is what the service answers there', async (t) => {
  await playAll(t, await startExampleSite(t), french)
})

test('the examples of what is read are true under other words and addresses as well', async (t) => {
  const site = await startExampleSite(t, {
    ...{ VENDOR_WORD: 'acme', LANGUAGE_PARAMETER: 'langue', REST_PREFIX: '/rest' },
    PUBLIC_URL: 'http://example.net:8080',
  })

  await playAll(t, site, '//rest/fr/acme/events/v1/doc', isReading)
})

test('an example has one answer, and what it answers and sends is as the document describes it', async (t) => {
  const app = await startTestApp(t)
  // Version 3.1, because its schemas are plain JSON Schema.
  const document = await documentAt(app, forConsole)
  const { components } = document

  for (const example of examplesIn(document)) {
    assert.equal(example.answers.length, 1, nameOf(example))
    const sent = isSuccess(example)
      ? [...example.inPath, ...example.inQuery, ...(example.body ? [example.body] : [])]
      : []
    const answered = example.answers.map(({ schema, body }) => ({ schema, value: body }))
    for (const { schema, value } of [...sent, ...answered]) {
      const whole = { ...schema, components }
      assert.ok(Check(whole, value), `${nameOf(example)}: ${JSON.stringify([value, ...Errors(whole, value)[1]])}`)
    }
  }
})

test('every operation that answers JSON has an example that succeeds', async (t) => {
  const app = await startTestApp(t)
  const document = await documentAt(app, english)
  const shown = new Set(
    examplesIn(document)
      .filter(isSuccess)
      .map(({ operationId }) => operationId),
  )

  const all = Object.values(document.paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => ('x-extension' in operation ? [] : [operation.operationId])),
  )

  assert.deepEqual(
    all.filter((operationId) => !shown.has(operationId)),
    [],
  )
})

test('the first example of each encoding of a body succeeds, and sends little', async (t) => {
  const app = await startTestApp(t)
  const document = await documentAt(app, english)
  const writes = examplesIn(document).filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
  const byBody = Object.groupBy(writes, ({ operationId, body }) => `${operationId} ${body?.type}`)
  const operations = new Set(writes.map(({ operationId }) => operationId))

  for (const [name, [first] = []] of Object.entries(byBody)) {
    assert.ok(first && isSuccess(first), name)
    assert.ok(Object.keys(first.body?.value ?? {}).length <= 3, name)
  }
  assert.equal(Object.keys(byBody).length, operations.size * 3)
})

test('the document for the console has the same answers as examples', async (t) => {
  const app = await startTestApp(t)
  const answersAt = async (path: string) =>
    Object.fromEntries(
      examplesIn(await documentAt(app, path)).map((example) => [
        `${example.operationId} ${example.name}`,
        example.answers.map(({ status, body, role }) => ({ status, body, role })),
      ]),
    )

  assert.deepEqual(await answersAt(forConsole), await answersAt(english))
})

test('no example is lost, and nothing is recorded for none', async (t) => {
  const app = await startTestApp(t)
  const shown = examplesIn(await documentAt(app, english)).map(({ operationId, name }) => `${operationId} ${name}`)
  const written = Object.entries(EXAMPLES).flatMap(([operation, examples]) =>
    Object.entries(examples).map(([name, example]) => ({ key: `${operation} ${name}`, isRecorded: !example?.problem })),
  )
  const recorded = Object.entries(answers).flatMap(([operation, bodies]) =>
    Object.keys(bodies).map((name) => `${operation} ${name}`),
  )

  assert.deepEqual(
    written.filter(({ key }) => !shown.includes(key)),
    [],
  )
  assert.deepEqual(
    recorded.sort(),
    written
      .filter(({ isRecorded }) => isRecorded)
      .map(({ key }) => key)
      .sort(),
  )
})

test('no example asks for a language that is not on offer', async (t) => {
  const app = await startTestApp(t, { LANGUAGES: 'en' })
  const examples = examplesIn(await documentAt(app, english))

  assert.deepEqual(
    examples.filter(({ inQuery }) => inQuery.some(({ value }) => value === 'fr-CA')),
    [],
  )
})

test('the document stays small enough to be read at once', async (t) => {
  const app = await startTestApp(t)

  for (const path of [english, french, forConsole]) {
    const { text } = await app.send({ path })
    assert.ok(Buffer.byteLength(text) < 600_000, `${path}: ${Buffer.byteLength(text)} bytes`)
  }
})
