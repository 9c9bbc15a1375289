import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { hasExpiredKeys, removeExpiredKeys } from '../../src/access/idempotency/idempotency.ts'
import { startTestApp, type TestAnswer, type TestApp } from '../support/app.ts'
import { givenEvent, givenTerm, plainEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'

interface Sent {
  readonly as?: Role
  readonly method?: 'POST' | 'PATCH' | 'DELETE'
  readonly json?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a write under a key. */
const write = (app: TestApp, path: string, key: string, { as = 'editor', method = 'POST', json, headers }: Sent) =>
  app.send({ as, method, path, ...(json ? { json } : {}), headers: { 'idempotency-key': key, ...headers } })

const isReplayed = ({ headers }: TestAnswer) => headers['idempotency-replayed'] === 'true'

const countOf = async (app: TestApp) => (await app.send({ as: 'editor', path: '/events?status=any' })).body.total

test('an event that is created again under its key is created once', async (t) => {
  const app = await startTestApp(t)

  const first = await write(app, '/events', '"k-1"', { json: plainEvent })
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${first.body.id}`, json: { title: 'Later' } })
  const again = await write(app, '/events', '"k-1"', { json: plainEvent })
  const other = await write(app, '/events', '"k-2"', { json: plainEvent })

  assert.deepEqual([first.status, again.status, other.status], [201, 201, 201])
  assert.deepEqual([isReplayed(first), isReplayed(again), isReplayed(other)], [false, true, false])
  assert.equal(again.body.id, first.body.id)
  assert.equal(again.body.title, 'Later', 'as it is now')
  assert.notEqual(other.body.id, first.body.id)
  assert.equal(await countOf(app), 2)
})

test('of many requests under one key at the same time one writes', async (t) => {
  const app = await startTestApp(t)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => write(app, '/events', 'k-1', { json: { ...plainEvent, tags: ['Loud'] } })),
  )

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1)
  assert.equal(answers.filter(isReplayed).length, 7)
  assert.equal(await countOf(app), 1)
})

test('changes, removals and restorations are repeated without an effect', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const twice = async (path: string, key: string, sent: Sent) => {
    const answers = [await write(app, path, key, sent), await write(app, path, key, sent)]
    assert.deepEqual(answers.map(isReplayed), [false, true], path)
    assert.deepEqual(answers[1]?.body, answers[0]?.body, path)
    return answers.map(({ status }) => status)
  }

  const change = { method: 'PATCH', json: { title: 'New' }, headers: { 'if-match': '"0"' } } as const
  assert.deepEqual(await twice(`/events/${id}`, 'k-1', change), [200, 200], 'although its version has changed')
  assert.deepEqual(await twice(`/events/${id}`, 'k-2', { method: 'DELETE' }), [200, 200])
  assert.deepEqual(await twice(`//cal/service/v1/events/${id}/restore`, 'k-3', {}), [200, 200])
  assert.deepEqual(await twice('/venues', 'k-5', { json: { venue: 'Hall' } }), [201, 201])
  assert.deepEqual(await twice('/categories', 'k-6', { json: { name: 'Music' } }), [201, 201])
})

test('a term that is gone for good is unknown to a repeated removal, and shown as it was by a repeated creation', async (t) => {
  const app = await startTestApp(t)
  const create = () => write(app, '/tags', 'k-1', { json: { name: 'Loud' } })
  const created = await create()
  const remove = () => write(app, `/tags/${created.body.id}`, 'k-2', { method: 'DELETE' })

  const removals = [await remove(), await remove()]
  const again = await create()

  assert.deepEqual(
    removals.map(({ status }) => status),
    [200, 400],
  )
  assert.deepEqual([again.status, again.body.name, isReplayed(again)], [201, 'Loud', true])
})

test('a key belongs to one request of one user', async (t) => {
  const app = await startTestApp(t)
  await write(app, '/events', 'k-1', { json: plainEvent })

  const others = [
    await write(app, '/events', 'k-1', { json: { ...plainEvent, title: 'Other' } }),
    await write(app, '/venues', 'k-1', { json: { venue: 'Hall' } }),
    await write(app, '/events', 'k-1', { json: plainEvent, headers: { 'if-match': '"3"' } }),
  ]
  const byOther = await write(app, '/events', 'k-1', { as: 'author', json: plainEvent })

  for (const { status, body } of others) assert.deepEqual([status, body.code], [422, 'idempotency-key-reused'])
  assert.deepEqual([byOther.status, isReplayed(byOther)], [201, false])
  assert.equal(await countOf(app), 2)
})

test('a refused write is not remembered', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Loud' })
  const create = () => write(app, '/tags', 'k-1', { json: { name: 'Loud' } })
  const refused = await create()
  await app.send({ as: 'editor', method: 'DELETE', path: `/tags/${id}` })

  const accepted = await create()

  assert.deepEqual([refused.status, refused.body.code], [400, 'term_exists'])
  assert.deepEqual([accepted.status, isReplayed(accepted)], [201, false])
})

test('a picture is not fetched again for an event that is there', async (t) => {
  const asked: string[] = []
  const bytes = await picture(40, 30)
  const fetchOutbound = async (url: string) => {
    asked.push(url)
    return bytes
  }
  const app = await startTestApp(t, {}, { fetchOutbound })
  const json = { ...plainEvent, image: 'https://pictures.example/summer.jpg' }
  const first = await write(app, '/events', 'k-1', { json })
  await app.deps.storage.write((tx) => tx.updateTable('media').set({ source_url: null }).execute())

  const again = await write(app, '/events', 'k-1', { json })

  assert.deepEqual([first.status, again.body.id], [201, first.body.id])
  assert.equal(asked.length, 1)
})

test('a key is a string with or without quotes, and nothing else', async (t) => {
  const app = await startTestApp(t)
  const statusOf = async (key: string) => (await write(app, '/events', key, { json: plainEvent })).status
  const first = await write(app, '/events', '"a b\\"c"', { json: plainEvent })
  const underOldName = await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events', json: plainEvent },
    headers: { 'x-idempotency-key': '"a b\\"c"' },
  })

  assert.equal(first.status, 201)
  assert.equal(underOldName.body.id, first.body.id)
  assert.equal(await statusOf('8e03978e-40d5-43dd-bc93-6894a57f9324'), 201)
  assert.equal(await statusOf('x'.repeat(255)), 201)
  for (const key of ['', '""', 'x'.repeat(256), '"open', 'a b', 'é']) assert.equal(await statusOf(key), 400, key)
})

test('a key is forgotten after its time', async (t) => {
  const app = await startTestApp(t, { IDEMPOTENCY_HOURS: '2' })
  const first = await write(app, '/events', 'k-1', { json: plainEvent })
  app.pass(2 * 3600)
  const within = await write(app, '/events', 'k-1', { json: plainEvent })
  assert.equal(within.body.id, first.body.id)
  assert.equal(await hasExpiredKeys(app.deps), false)

  app.pass(1)
  assert.equal(await hasExpiredKeys(app.deps), true)
  const after = await write(app, '/events', 'k-1', { json: plainEvent })
  app.pass(2 * 3600 + 1)
  await removeExpiredKeys(app.deps)

  assert.deepEqual([after.status, isReplayed(after)], [201, false])
  assert.notEqual(after.body.id, first.body.id)
  assert.deepEqual(await app.deps.storage.db.selectFrom('idempotency_keys').selectAll().execute(), [])
})

test('what somebody may no longer see is not shown to them again', async (t) => {
  const app = await startTestApp(t)
  const { body } = await write(app, '/events', 'k-1', { as: 'contributor', json: { ...plainEvent, status: 'draft' } })
  await app.send({
    ...{ as: 'administrator', method: 'PATCH', path: `/events/${body.id}` },
    json: { author: 3, status: 'private', title: 'Secret' },
  })

  const again = await write(app, '/events', 'k-1', { as: 'contributor', json: { ...plainEvent, status: 'draft' } })

  assert.equal(again.status, 403, again.text)
})

test('without hours to remember them, keys are ignored', async (t) => {
  const app = await startTestApp(t, { IDEMPOTENCY_HOURS: '0' })

  const answers = [
    await write(app, '/events', 'k-1', { json: plainEvent }),
    await write(app, '/events', 'k-1', { json: plainEvent }),
    await write(app, '/events', '', { json: plainEvent }),
  ]

  assert.equal(new Set(answers.map(({ body }) => body.id)).size, 3)
})

test('a visitor may not write, with a key or without', async (t) => {
  const app = await startTestApp(t)
  const headers = { 'idempotency-key': '"k-1"' }

  assert.equal((await app.send({ method: 'POST', path: '/events', json: plainEvent, headers })).status, 401)
})

test('users, keys and cancellations are written once under a key, and no secret is shown twice', async (t) => {
  const app = await startTestApp(t)
  const as = 'administrator'
  const service = (path: string) => `//cal/service/v1${path}`
  await givenEvent(app)
  const twice = async (path: string, key: string, sent: Sent) => {
    const [first, again] = [
      await write(app, service(path), key, { as, ...sent }),
      await write(app, service(path), key, { as, ...sent }),
    ]
    assert.deepEqual([again.status, isReplayed(first), isReplayed(again)], [first.status, false, true], first.text)
    const { secret, application_password, ...rest } = first.body
    assert.deepEqual(again.body, rest, path)
    assert.equal(again.headers.location, first.headers.location)
    return first.body
  }

  const user = await twice('/users', 'k-1', { json: { name: 'eve', role: 'author' } })
  await twice(`/users/${user.id}`, 'k-2', { method: 'PATCH', json: { email: 'eve@example.org' } })
  const key = await twice(`/users/${user.id}/keys`, 'k-3', { json: { label: 'newsletter' } })
  const rotated = await twice(`/users/${user.id}/keys/${key.id}/rotate`, 'k-4', { json: {} })
  const opened = await app.send({ path: service('/users/me'), headers: { authorization: `Bearer ${rotated.secret}` } })
  await twice(`/users/${user.id}/keys/${key.id}`, 'k-5', { method: 'DELETE' })
  await twice(`/users/${user.id}`, 'k-6', { method: 'DELETE' })
  const canceled = await twice('/events/cancel', 'k-7', { json: { where: { to: '2030-01-31' } } })
  await twice(`/events/cancel/${canceled.undo.id}/undo`, 'k-8', { json: {} })

  assert.ok(user.application_password && key.secret && rotated.secret)
  assert.deepEqual([opened.status, opened.body.name, canceled.count], [200, 'eve', 1])
  const stored = await app.deps.storage.db.selectFrom('idempotency_keys').select('result').execute()
  for (const secret of [user.application_password, key.secret, rotated.secret]) {
    assert.ok(!stored.some(({ result }) => result.includes(secret)))
  }
  const reused = await write(app, service('/users'), 'k-1', { as, json: { name: 'bob', role: 'author' } })
  assert.deepEqual([reused.status, reused.body.code], [422, 'idempotency-key-reused'])
})

test('of many new keys requested under one idempotency key at the same time one is made', async (t) => {
  const app = await startTestApp(t)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => write(app, '//cal/service/v1/users/me/keys', 'k-1', { json: { label: 'a' } })),
  )
  const listed = await app.send({ as: 'editor', path: '//cal/service/v1/users/me/keys' })

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
  assert.equal(answers.filter(({ body }) => body.secret !== undefined).length, 1)
  assert.equal(listed.body.length, 2)
})

test('a picture is uploaded, changed and removed once under a key, by its bytes', async (t) => {
  const app = await startTestApp(t)
  const path = '//cal/service/v1/media'
  const upload = async (key: string, bytes: Buffer) => {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes)], 'a.png'))
    const encoded = new Response(form)
    return app.send({
      ...{ as: 'editor', method: 'POST', path, payload: Buffer.from(await encoded.arrayBuffer()) },
      headers: { 'content-type': encoded.headers.get('content-type') ?? '', 'idempotency-key': key },
    })
  }
  const [bytes, others] = [await picture(40, 30, 'png'), await picture(30, 40, 'png')]
  const filesOf = async () => (await Array.fromAsync(app.deps.pictures.store.list())).length

  const first = await upload('k-1', bytes)
  const files = await filesOf()
  const again = await upload('k-1', bytes)
  const other = await upload('k-1', others)
  const one = `${path}/${first.body.id}`
  const changed = [1, 2].map(() => () => write(app, one, 'k-2', { method: 'PATCH', json: { alt_text: 'A dot' } }))
  const removed = [1, 2].map(() => () => write(app, one, 'k-3', { method: 'DELETE' }))
  const answers = []
  for (const ask of [...changed, ...removed]) answers.push(await ask())

  assert.deepEqual([first.status, again.status, again.body.id, isReplayed(again)], [201, 201, first.body.id, true])
  assert.ok(files > 0)
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused'])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.deepEqual(answers.map(isReplayed), [false, true, false, true])
  assert.equal(await filesOf(), 0, 'the files of repetitions are gone too')
})
