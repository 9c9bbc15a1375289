import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent } from '../../../../test/support/given.ts'
import { digestPassword, isPasswordOf } from '../model/password.ts'

test('a password opens the events of a list that have it, and no others (events.md §6)', async (t) => {
  const app = await startTestApp(t)
  const given = (password: string | undefined) =>
    givenEvent(app, { description: 'Secret', ...(password ? { event_password: password } : {}) })
  const [one, other, open] = [await given('one'), await given('other'), await given(undefined)]
  const shown = async (query: string) => {
    const { status, body } = await app.send({ path: `/events${query}` })
    assert.equal(status, 200)
    return Object.fromEntries(
      body.events.map((event: { id: number; description: string }) => [event.id, event.description !== '']),
    )
  }

  assert.deepEqual(await shown(''), { [one.id]: false, [other.id]: false, [open.id]: true })
  assert.deepEqual(await shown('?password=one'), { [one.id]: true, [other.id]: false, [open.id]: true })
  assert.deepEqual(await shown('?password=neither'), { [one.id]: false, [other.id]: false, [open.id]: true })
  const single = async (id: number, password: string) =>
    (await app.send({ path: `/events/${id}?password=${password}` })).status
  assert.deepEqual([await single(one.id, 'one'), await single(other.id, 'one')], [200, 403])

  for (const [path, status] of [
    [`/events/${one.id}?password[]=one`, 400],
    [`/events/by-slug/${one.slug}?password[]=one`, 403],
    [`/events/by-slug/${one.slug}?password=one`, 200],
  ] as const) {
    assert.equal((await app.send({ path })).status, status, path)
  }
  await changed(app, `/events/${one.id}`, { event_password: '' })
  assert.deepEqual(await shown(''), { [one.id]: true, [other.id]: false, [open.id]: true })
})

test('wrong passwords count for the client and for the event, right ones for nobody', async (t) => {
  const app = await startTestApp(t, { FAILURE_LIMIT: '3/60', RATE_LIMIT_EXEMPT: '' })
  const one = await givenEvent(app, { event_password: 'one' })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const statusOf = async (path: string) => (await fetch(`${url}/cal/events/v1${path}`)).status

  for (let time = 0; time < 5; time += 1) assert.equal(await statusOf(`/events/${one.id}?password=one`), 200)
  for (let time = 0; time < 5; time += 1) assert.equal(await statusOf('/events?password=one'), 200)
  for (let time = 0; time < 5; time += 1) assert.equal(await statusOf(`/events/${one.id}`), 403)
  for (let time = 0; time < 2; time += 1) assert.equal(await statusOf(`/events/${one.id}?password=x`), 403)
  assert.equal(await statusOf('/events?password=x'), 200)
  assert.equal(await statusOf(`/events/${one.id}?password=one`), 429)
  assert.equal(await statusOf('/events?password=one'), 429)
  assert.equal(await statusOf('/events'), 200)
})

test('a stored password is salted, and only the same text opens it', () => {
  const digest = digestPassword('é')

  assert.match(digest, /^[\da-f]{32}:[\da-f]{64}$/)
  assert.notEqual(digestPassword('é'), digest)
  assert.equal(isPasswordOf(digest, 'é'), true)
  for (const sent of ['', 'e', 'É', 'é ', digest]) assert.equal(isPasswordOf(digest, sent), false)
  assert.equal(isPasswordOf('', ''), false)
})
