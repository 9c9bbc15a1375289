import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { service } from '../../../test/support/signing.ts'
import type { Role } from '../auth/actor.ts'

const send = (app: TestApp, as: Role, path: string, request: Partial<TestRequest> = {}) =>
  app.send({ as, ...request, path: service(path) } as TestRequest)

const create = (app: TestApp, as: Role, json: object) => send(app, as, '/saved-views', { method: 'POST', json })

test('each user keeps views with names of their own, which nobody else reads or changes', async (t) => {
  const app = await startTestApp(t)
  const made = await create(app, 'editor', { name: ' Reviews ', query: 'status=pending&category=12' })
  const { id } = made.body
  const twice = await create(app, 'editor', { name: 'Reviews', query: '' })
  const others = await create(app, 'author', { name: 'Reviews', query: '' })
  const list = await send(app, 'editor', '/saved-views')
  const ofAuthor = await send(app, 'author', '/saved-views')
  const stolen = await send(app, 'administrator', `/saved-views/${id}`, { method: 'PATCH', json: { name: 'Mine' } })
  const removed = await send(app, 'administrator', `/saved-views/${id}`, { method: 'DELETE' })
  const visitor = await app.send({ path: service('/saved-views') })
  const subscriber = await send(app, 'subscriber', '/saved-views')

  assert.equal(made.status, 201)
  assert.deepEqual([made.body.name, made.body.query, made.body.version], ['Reviews', 'status=pending&category=12', 0])
  assert.equal(made.headers['x-record-version'], '0')
  assert.deepEqual([twice.status, others.status], [400, 201])
  assert.match(twice.body.errors.name, /already have a view with this name/)
  assert.deepEqual([list.body, ofAuthor.body.length], [[made.body], 1])
  assert.deepEqual([stolen.status, removed.status, visitor.status, subscriber.status], [404, 404, 401, 403])
})

test('a view changes only from the version that its writer knows, and a request sent twice acts once', async (t) => {
  const app = await startTestApp(t)
  const { id } = (await create(app, 'editor', { name: 'Reviews', query: 'status=pending' })).body
  const path = `/saved-views/${id}`
  const patch = (json: object, version: number) =>
    send(app, 'editor', path, { method: 'PATCH', json, headers: { 'if-match': `"${version}"` } })

  const renamed = await patch({ name: 'May' }, 0)
  const late = await patch({ name: 'June' }, 0)
  const same = await patch({ name: 'May', query: 'status=draft' }, 1)
  const keyed = { method: 'POST', json: { name: 'Twice', query: '' }, headers: { 'idempotency-key': '"a"' } } as const
  const [first, second] = [
    await send(app, 'editor', '/saved-views', keyed),
    await send(app, 'editor', '/saved-views', keyed),
  ]
  const tried = await send(app, 'editor', '/saved-views?dry_run=true', {
    method: 'POST',
    json: { name: 'Dry', query: '' },
  })
  const removed = await send(app, 'editor', path, { method: 'DELETE', headers: { 'if-match': '"2"' } })
  const gone = await send(app, 'editor', path, { method: 'DELETE' })
  const list = await send(app, 'editor', '/saved-views')

  assert.deepEqual([renamed.status, late.status, same.status], [200, 412, 200])
  assert.deepEqual([renamed.body.query, same.body.query, same.body.version], ['status=pending', 'status=draft', 2])
  assert.deepEqual([first.status, second.body.id], [201, first.body.id])
  assert.equal(tried.status, 201)
  assert.deepEqual([removed.body.previous.name, gone.status], ['May', 404])
  assert.deepEqual(
    list.body.map((view: { readonly name: string }) => view.name),
    ['Twice'],
  )
})

test('names and filters have bounds, in the language of the address, and views go with their user', async (t) => {
  const app = await startTestApp(t)
  for (let number = 1; number <= 50; number += 1) {
    assert.equal((await create(app, 'author', { name: `View ${number}`, query: '' })).status, 201)
  }
  const more = await create(app, 'author', { name: 'One more', query: '' })
  const french = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//fr/cal/service/v1/saved-views' },
    json: { name: 'x'.repeat(61), query: 'a\nb' },
  })
  const none = await create(app, 'editor', {})
  const user = await app.send({ as: 'administrator', method: 'DELETE', path: service('/users/3') })
  const left = await app.deps.storage.db.selectFrom('saved_views').selectAll().execute()

  assert.deepEqual([more.status, more.body.code], [409, 'too-many-views'])
  assert.deepEqual(Object.keys(french.body.errors), ['name', 'query'])
  assert.equal(none.status, 400)
  assert.equal(user.status, 200, user.text)
  assert.deepEqual(left, [])
})
