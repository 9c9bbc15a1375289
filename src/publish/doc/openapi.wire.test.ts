import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { Check, Errors } from 'typebox/schema'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { addressesOf } from '../../access/http/addresses.ts'
import { contract } from '../../api.ts'
import { openApiDocument } from './openapi.ts'

// Compares the document with the responses of the service.

interface Reference {
  readonly $ref?: string
}
interface Response extends Reference {
  readonly headers?: Readonly<Record<string, object>>
  readonly content?: Readonly<Record<string, { readonly schema: object }>>
}
interface Document {
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>
}

/** The service with its document, and a request whose response is checked against it. */
async function startDescribed(t: TestContext) {
  const app = await startTestApp(t)
  const { config } = app.deps
  const describing = {
    deps: app.deps,
    addresses: addressesOf(config, 'http://calendar.test', 'en'),
    language: 'en',
    namespace: contract,
  } as const
  // Version 3.1, because its schemas are plain JSON Schema.
  const document = JSON.parse(JSON.stringify(await openApiDocument(describing, '3.1.0'))) as Document
  return { app, ask: (template: string, request: TestRequest) => ask(app, document, template, request) }
}

/** Sends a request. Fails unless status, headers and body match the document at `template`. */
async function ask(app: TestApp, document: Document, template: string, request: TestRequest): Promise<TestAnswer> {
  const answer = await app.send(request)
  const name = `${request.method ?? 'GET'} ${request.path} → ${answer.status}`

  const described = document.paths[template]?.[(request.method ?? 'GET').toLowerCase()]?.responses[answer.status]
  assert.ok(described, `${name} is not in the document: ${answer.text}`)
  const response = described.$ref ? document.components.responses[described.$ref.split('/').at(-1) ?? ''] : described
  const schema = { ...response?.content?.['application/json']?.schema, components: document.components }
  assert.ok(Check(schema, answer.body), `${name}: ${JSON.stringify(Errors(schema, answer.body))}\n${answer.text}`)
  for (const header of answer.status < 300 ? Object.keys(response?.headers ?? {}) : []) {
    assert.ok(answer.headers[header.toLowerCase()] !== undefined, `${name} has no ${header}`)
  }
  return answer
}

const when = { start_date: '2030-05-01 19:00:00', end_date: '2030-05-01 21:00:00', timezone: 'America/Toronto' }
const as = 'administrator'

test('index and document answer as described', async (t) => {
  const { ask } = await startDescribed(t)

  await ask('/', { path: '' })
  await ask('/doc', { path: '/doc' })
  const { status } = await ask('/', { path: '?namespace=other' })

  assert.equal(status, 404)
})

test('events answer as described, from creation to the trash', async (t) => {
  const { ask } = await startDescribed(t)
  const full = {
    ...when,
    title: 'Concert',
    description: 'With <b>horns</b>',
    excerpt: 'Short',
    cost: '$10 - $20',
    website: 'https://example.org/',
    categories: ['Music'],
    tags: ['brass', 'loud'],
    venue: { venue: 'Hall', city: 'Toronto', country: 'Canada', province: 'ON', geo_lat: 43.6, geo_lng: -79.4 },
    organizer: [{ organizer: 'Band', email: 'band@example.org' }],
  }

  const { body } = await ask('/events', { as, method: 'POST', path: '/events', json: full })
  const item = `/events/${body.id}`
  const bare = await ask('/events', { as, method: 'POST', path: '/events', json: { ...when, title: 'Talk' } })
  const locked = { ...full, title: 'Secret', event_password: 'open sesame' }
  const secret = await ask('/events', { as, method: 'POST', path: '/events', json: locked })
  const list = await ask('/events', { path: '/events?per_page=2' })
  await ask('/events', { path: '/events?per_page=2&page=2' })
  await ask('/events/{id}', { path: item })
  await ask('/events/{id}', { path: `/events/${bare.body.id}` })
  const closed = await ask('/events/{id}', { path: `/events/${secret.body.id}` })
  await ask('/events/by-slug/{slug}', { path: '/events/by-slug/concert' })
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    await ask('/events/{id}', { as, method, path: item, json: { description: null, image: null, venue: null } })
    await ask('/events/by-slug/{slug}', { as, method, path: '/events/by-slug/talk', json: { cost: 'free' } })
  }
  await ask('/events/by-slug/{slug}', { as, method: 'DELETE', path: '/events/by-slug/talk' })
  await ask('/events/{id}', { as, method: 'DELETE', path: item })
  const gone = await ask('/events/{id}', { as, method: 'DELETE', path: item })

  assert.equal(list.body.total, 3)
  assert.equal(closed.status, 403)
  assert.equal(gone.status, 410)
})

for (const [plural, kind] of [
  ['venues', 'venue'],
  ['organizers', 'organizer'],
] as const) {
  test(`${plural} answer as described, from creation to the trash`, async (t) => {
    const { ask } = await startDescribed(t)
    const list = `/${plural}`
    const bySlug = `/${plural}/by-slug/{slug}`

    const json = { [kind]: 'Some name', description: 'Words', phone: '123', website: 'https://example.org/', city: 'X' }
    const { body } = await ask(list, { as, method: 'POST', path: list, json })
    const item = `${list}/${body.id}`
    await ask(list, { as, method: 'POST', path: list, json: { [kind]: 'Other name' } })
    await ask(list, { path: `${list}?per_page=1` })
    await ask(`${list}/{id}`, { path: item })
    await ask(bySlug, { path: `${list}/by-slug/some-name` })
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      await ask(`${list}/{id}`, { as, method, path: item, json: { phone: '' } })
      await ask(bySlug, { as, method, path: `${list}/by-slug/other-name`, json: { phone: '1' } })
    }
    await ask(bySlug, { as, method: 'DELETE', path: `${list}/by-slug/other-name` })
    await ask(`${list}/{id}`, { as, method: 'DELETE', path: item })
    const gone = await ask(`${list}/{id}`, { as, method: 'DELETE', path: item })
    const hidden = await ask(`${list}/{id}`, { path: item })
    const far = await ask(list, { path: `${list}?page=9` })

    assert.deepEqual([gone.status, hidden.status, far.status], [410, 403, 404])
  })
}

for (const plural of ['categories', 'tags'] as const) {
  test(`${plural} answer as described, from creation to the end`, async (t) => {
    const { ask } = await startDescribed(t)
    const list = `/${plural}`

    const { body } = await ask(list, { as, method: 'POST', path: list, json: { name: 'First', description: 'Words' } })
    const item = `${list}/${body.id}`
    const below = plural === 'categories' ? { parent: body.id } : {}
    await ask(list, { as, method: 'POST', path: list, json: { name: 'Second', ...below } })
    await ask(list, { path: `${list}?hide_empty=0&per_page=1` })
    await ask(list, { path: `${list}?hide_empty=0&context=embed` })
    await ask(`${list}/{id}`, { path: item })
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      await ask(`${list}/{id}`, { as, method, path: item, json: { description: '' } })
    }
    const twice = await ask(list, { as, method: 'POST', path: list, json: { name: 'First' } })
    const taken = await ask(`${list}/{id}`, { as, method: 'PATCH', path: item, json: { slug: 'second' } })
    const parent = { name: 'Third', parent: 999 }
    const wrong = await ask(list, { as, method: 'POST', path: list, json: parent })
    await ask(`${list}/{id}`, { as, method: 'DELETE', path: item })

    assert.deepEqual([twice.status, taken.status, wrong.status], [400, 400, 400])
  })
}

test('every kind of failure answers as described', async (t) => {
  const { ask } = await startDescribed(t)
  const post = { method: 'POST', path: '/events' } as const
  const headers = { 'content-type': 'application/json' }

  const answers = [
    await ask('/events', { ...post, as, json: {} }),
    await ask('/events', { ...post, as, json: { ...when, title: 'A', author: 'x', ml_language: 'de' } }),
    await ask('/events', { path: '/events?ml_language=de' }),
    await ask('/events', { ...post, as, form: '{', headers }),
    await ask('/events', { path: '/events?_jsonp=%28' }),
    await ask('/events', { ...post, json: { ...when, title: 'A' } }),
    await ask('/events', { ...post, as: 'subscriber', json: { ...when, title: 'A' } }),
    await ask('/events', { path: '/events', headers: { authorization: `Basic ${btoa('nobody:nothing')}` } }),
    await ask('/events', { path: '/events?_wpnonce=1' }),
    await ask('/events', { path: '/events?page=9' }),
    await ask('/events/{id}', { path: '/events/999' }),
    await ask('/venues/{id}', { path: '/venues/999' }),
    await ask('/tags/{id}', { path: '/tags/999' }),
    await ask('/tags', { path: '/tags?context=edit' }),
  ]

  assert.deepEqual(
    answers.map(({ status }) => status),
    [400, 400, 400, 400, 400, 401, 403, 401, 403, 404, 404, 400, 400, 401],
  )
})
