import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenTerm } from '../../../../test/support/given.ts'

test('what a user is answered stays out of every cache, in both namespaces, and what visitors are does not', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Loud' })
  for (const [path, visitorStatus] of [
    ['/events', 200],
    [`/tags/${id}`, 200],
    ['/tags/999', 400],
    ['//cal/service/v1', 200],
    ['//cal/service/v1/users', 401],
  ] as const) {
    const [visitor, user] = [await app.send({ path }), await app.send({ path, as: 'administrator' })]

    assert.equal(visitor.status, visitorStatus, path)
    assert.doesNotMatch(visitor.headers['cache-control'] ?? '', /private/, path)
    assert.equal(visitor.headers.expires, undefined, path)
    assert.equal(user.headers['cache-control'], 'no-cache, must-revalidate, max-age=0, no-store, private', path)
    assert.equal(user.headers.expires, 'Wed, 11 Jan 1984 05:00:00 GMT', path)
  }
})
