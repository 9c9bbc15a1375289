import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { runBatch } from '../../src/access/batch/batch.service.ts'
import { contract, service as serviceNamespace } from '../../src/api.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenEvent, givenVenue, plainEvent } from '../support/given.ts'
import { traceOf } from '../support/trace.ts'

const service = (path: string) => `//cal/service/v1${path}`

interface Sent {
  readonly as?: Role
  readonly headers?: Readonly<Record<string, string>>
  readonly [member: string]: unknown
}

const send = (app: TestApp, operations: readonly object[], { as = 'editor', headers = {}, ...members }: Sent = {}) =>
  app.send({ as, method: 'POST', path: service('/batch'), json: { operations, ...members }, headers })

// biome-ignore lint/suspicious/noExplicitAny: results are of every shape.
const statusesOf = ({ body }: { readonly body: any }) => body.results.map(({ status }: { status: number }) => status)

const create = (title: string, others: object = {}) => ({
  method: 'POST',
  path: '/events',
  body: { ...plainEvent, title, ...others },
})

test('a batch writes what refers to each other, as each request on its own would', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  const answer = await send(app, [
    { ref: 'hall', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
    { ref: 'loud', method: 'POST', path: '/tags', body: { name: 'Loud' } },
    { ...create('Fair', { venue: { ref: 'hall' }, tags: [{ ref: 'loud' }] }), ref: 'fair' },
    { method: 'PATCH', path: `/events/${id}`, body: { title: 'Later' }, if_match: '0' },
    { method: 'DELETE', path: `/events/${id}` },
    { method: 'POST', path: `/events/${id}/restore` },
    { method: 'PATCH', path: '/events/{fair}', body: { cost: '5' } },
  ])

  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(statusesOf(answer), [201, 201, 201, 200, 200, 200, 200])
  assert.deepEqual([answer.body.succeeded, answer.body.failed], [7, 0])
  assert.deepEqual([answer.body.results[6].id, answer.body.results[6].body.cost], [answer.body.results[2].id, '$5'])
  const [hall, , fair, changed] = answer.body.results
  const single = await app.send({ as: 'editor', path: `/events/${fair.id}` })
  assert.deepEqual([fair.ref, fair.body.venue.id, fair.body.tags[0].name], ['fair', hall.id, 'Loud'])
  assert.equal(single.body.venue.venue, 'Hall')
  assert.deepEqual(
    [changed.body.title, changed.headers.ETag, changed.headers['X-Record-Version']],
    ['Later', '"1"', '1'],
  )
  const listed = await app.send({ path: '/events' })
  assert.deepEqual(listed.body.events.map((event: { title: string }) => event.title).toSorted(), ['Fair', 'Later'])
})

test('what fails does not stop the others, and is answered with its problem', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  const answer = await send(app, [
    { ...create('First'), ref: 'a' },
    { method: 'PATCH', path: `/events/${id}`, body: { title: 'X' }, if_match: 7 },
    { method: 'POST', path: '/events', body: { title: 'No date' }, ref: 'b' },
    { method: 'POST', path: '/venues', body: { venue: 'Hall', image: { ref: 'b' } } },
    { method: 'POST', path: '/nothing' },
    { method: 'POST', path: '/users', body: { name: 'x', role: 'administrator' } },
    { method: 'POST', path: '/batch', body: { operations: [] } },
    { method: 'POST', path: '/venues/1/restore' },
    create('Last'),
  ])

  assert.equal(answer.status, 207)
  assert.deepEqual(statusesOf(answer), [201, 412, 400, 424, 404, 400, 400, 404, 201])
  assert.deepEqual(
    answer.body.results.slice(1, -1).map(({ body }: { body: { code: string } }) => body.code),
    [
      ...['precondition-failed', 'rest_missing_callback_param', 'batch-reference-failed', 'rest_no_route'],
      ...['batch-operation-refused', 'batch-operation-refused', 'record-not-found'],
    ],
  )
  assert.deepEqual([answer.body.succeeded, answer.body.failed], [2, 7])
  assert.equal((await app.send({ as: 'editor', path: '/events?status=any' })).body.total, 3)
})

test('an atomic batch is kept as a whole or not at all', async (t) => {
  const app = await startTestApp(t)
  const before = await traceOf(app)

  const failed = await send(app, [create('First'), { method: 'DELETE', path: '/events/99' }, create('Last')], {
    atomic: true,
  })
  const trace = await traceOf(app)
  const kept = await send(app, [create('First'), create('Last')], { atomic: true })

  assert.deepEqual([failed.status, failed.body.code, failed.body.succeeded], [422, 'batch-failed', 0])
  assert.deepEqual(statusesOf(failed), [201, 404])
  assert.deepEqual(trace, before)
  assert.deepEqual([kept.status, kept.body.succeeded], [200, 2])
})

test('the rights of each operation are those of its own request', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  const byContributor = await send(
    app,
    [
      create('Mine', { status: 'publish' }),
      { method: 'PATCH', path: `/events/${id}`, body: { title: 'X' } },
      { method: 'POST', path: '/categories', body: { name: 'Mine' } },
    ],
    { as: 'contributor' },
  )
  const bySubscriber = await send(app, [create('Mine')], { as: 'subscriber' })
  const byVisitor = await app.send({ method: 'POST', path: service('/batch'), json: { operations: [create('x')] } })

  assert.deepEqual(statusesOf(byContributor), [201, 403, 403])
  assert.equal(byContributor.body.results[0].body.status, 'pending')
  assert.deepEqual([bySubscriber.status, byVisitor.status], [403, 401])
})

test('a batch answers in the language of its address', async (t) => {
  const app = await startTestApp(t)
  const json = {
    operations: [
      { method: 'DELETE', path: '/events/99' },
      { method: 'POST', path: '/x' },
    ],
  }

  const answer = await app.send({ as: 'editor', method: 'POST', path: '//fr/cal/service/v1/batch', json })
  const single = await app.send({ as: 'editor', method: 'DELETE', path: '//fr/cal/events/v1/events/99' })

  assert.deepEqual(answer.body.results[0].body, single.body)
  assert.match(answer.body.results[1].body.title, /route/)
})

test('a malformed batch is refused before anything is written', async (t) => {
  const app = await startTestApp(t)
  const before = await traceOf(app)
  const tag = { method: 'POST', path: '/tags', body: { name: 'Loud' } }
  const wrong: readonly (readonly unknown[])[] = [
    [],
    Array(201).fill(tag),
    ['x'],
    [tag, { ...tag, ifmatch: '3' }],
    [tag, { ...tag, method: 'GET' }],
    [tag, { ...tag, path: 'tags' }],
    [tag, { ...tag, path: '/tags?force=1' }],
    [tag, { ...tag, body: [] }],
    [tag, { ...tag, ref: '' }],
    [
      { ...tag, ref: 'a' },
      { ...tag, ref: 'a' },
    ],
    [
      { ...tag, body: { name: { ref: 'later' } } },
      { ...tag, ref: 'later' },
    ],
    [{ ...tag, if_match: {} }],
    [{ method: 'PATCH', path: '/tags/{none}', body: {} }],
  ]

  for (const operations of wrong) {
    const { status, body } = await send(app, operations as readonly object[])
    assert.deepEqual([status, Object.keys(body.errors ?? {})], [400, ['operations']], JSON.stringify(operations[1]))
  }
  const large = await send(app, [{ ...tag, body: { name: 'x', description: 'x'.repeat(1024 * 1024) } }])
  assert.equal(large.status, 413)
  assert.deepEqual(await traceOf(app), before)
})

test('a batch is done once under its key, and its repetition shows what each operation did', async (t) => {
  const app = await startTestApp(t)
  const headers = { 'idempotency-key': 'k-1' }
  const operations = [create('Fair'), { method: 'DELETE', path: '/events/99' }]

  const first = await send(app, operations, { headers })
  const again = await send(app, operations, { headers })
  const other = await send(app, [create('Other')], { headers })
  const nothing = [{ method: 'DELETE', path: '/events/99' }]
  const failing = [
    await send(app, nothing, { headers: { 'idempotency-key': 'k-2' } }),
    await send(app, nothing, { headers: { 'idempotency-key': 'k-2' } }),
  ]

  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [207, 207, 'true'])
  assert.deepEqual(
    again.body.results,
    first.body.results.map(({ body: _, ...result }: { body: unknown }) => result),
  )
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused'])
  assert.deepEqual(
    failing.map((answer) => answer.headers['idempotency-replayed']),
    [undefined, undefined],
    'nothing was done',
  )
  assert.equal((await app.send({ as: 'editor', path: '/events?status=any' })).body.total, 1)
})

test('the rate limit counts operations', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '20/600', RATE_LIMIT_EXEMPT: '' })
  const tags = Array.from({ length: 18 }, (_, index) => ({
    method: 'POST',
    path: '/tags',
    body: { name: `t${index}` },
  }))

  const first = await send(app, tags)
  const second = await send(app, tags.slice(0, 10))
  const third = await send(app, tags.slice(0, 1))

  assert.deepEqual([first.status, second.status, third.status], [200, 207, 429])
  assert.match(first.headers.ratelimit ?? '', /r=2/)
})

test('pictures are not fetched within a batch', async (t) => {
  const asked: string[] = []
  const fetchOutbound = async (url: string) => {
    asked.push(url)
    return Buffer.alloc(0)
  }
  const app = await startTestApp(t, {}, { fetchOutbound })

  const answer = await send(app, [create('Fair', { image: 'https://pictures.example/a.png' })])

  assert.deepEqual([statusesOf(answer), answer.body.results[0].body.code, asked], [[422], 'picture-not-fetched', []])
})

test('operations that would hold other writers for too long are not done', async (t) => {
  const app = await startTestApp(t, { BATCH_SECONDS: '5' })
  const { id } = await givenVenue(app)
  // Each operation takes a second and a half: a third one would end after the time of a batch, with its commit.
  const at = [0, 0, 0, 1500, 1500, 1500, 3000, 3000, 3000]
  const operations = ['A', 'B', 'C'].map((title) => ({
    ...{ ref: undefined, method: 'PATCH' as const, path: `/venues/${id}`, body: { venue: title }, preconditions: {} },
  }))
  const call = {
    ...{ deps: app.deps, actor: { kind: 'user', id: 4, role: 'editor' }, headers: {}, textLanguage: 'en' },
    ...{ addresses: { base: 'http://calendar.test', site: 'http://calendar.test', namespace: 'cal/events/v1' } },
  } as never

  const results = await app.deps.storage.write((tx) =>
    runBatch(call, tx, {
      ...{ operations, isAtomic: false, namespaces: { contract, service: serviceNamespace } },
      clock: () => at.shift() ?? 0,
    }),
  )

  assert.deepEqual(
    results.map(({ status }) => status),
    [200, 200, 503],
  )
  assert.equal((await app.send({ path: `/venues/${id}` })).body.venue, 'B')
})

test('the audit log has an entry for each record of a batch, with one request', async (t) => {
  const app = await startTestApp(t)
  await send(app, [create('First'), { method: 'DELETE', path: '/events/99' }, create('Last')], {
    headers: { 'x-request-id': 'batch-1' },
  })

  const { body } = await app.send({ as: 'administrator', path: service('/audit?kind=event') })

  assert.deepEqual(
    body.entries.map((entry: { action: string; actor: { name: string } }) => [entry.action, entry.actor.name]),
    [
      ['create', 'editor'],
      ['create', 'editor'],
    ],
  )
})
