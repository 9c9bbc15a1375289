import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { givenBrowser, goodPassword, openBrowser, service, setOwnPassword } from '../../../test/support/signing.ts'
import { ROLES } from '../auth/actor.ts'

const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const send = (app: TestApp, method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', path: string, json?: object) =>
  app.send({ as: 'administrator', method, path: service(path), ...(json ? { json } : {}) })

test('an administrator adds a user, changes the role and removes the user again', async (t) => {
  const app = await startTestApp(t)

  const added = await send(app, 'POST', '/users', { name: 'Zoé', role: 'author', email: 'Zoe@Example.org' })
  const path = `/users/${added.body.id}`
  const authorization = `Basic ${Buffer.from(`zoé:${added.body.application_password}`).toString('base64')}`
  const me = await app.send({ path: service('/users/me'), headers: { authorization } })
  const changed = await send(app, 'PATCH', path, { role: 'editor' })
  const now = await app.send({ path: service('/users/me'), headers: { authorization } })
  const removed = await send(app, 'DELETE', path)
  const gone = await app.send({ path: service('/users/me'), headers: { authorization } })

  const { id } = added.body
  assert.equal(added.status, 201)
  assert.equal(added.headers.location, `http://calendar.test/cal/service/v1/users/${id}`)
  assert.deepEqual(me.body, { id, name: 'Zoé', email: 'zoe@example.org', role: 'author' })
  assert.deepEqual(changed.body, { ...me.body, role: 'editor' })
  assert.deepEqual(now.body, changed.body)
  assert.deepEqual(removed.body, { deleted: true, previous: changed.body })
  assert.deepEqual(outcome(gone), [401, 'incorrect_password'])
  assert.deepEqual(outcome(await send(app, 'GET', path)), [404, 'user-not-found'])
})

test('users are for administrators; everybody else sees no one but themselves', async (t) => {
  const app = await startTestApp(t)
  const routes = [
    ['GET', '/users', undefined],
    ['POST', '/users', { name: 'eve', role: 'administrator' }],
    ['PATCH', '/users/me', { role: 'administrator' }],
    ['GET', '/users/5', undefined],
    ['DELETE', '/users/1', undefined],
    ['PUT', '/users/5/password', { password: goodPassword }],
    ['GET', '/users/5/keys', undefined],
    ['POST', '/users/5/keys', { label: 'eve' }],
    ['DELETE', '/users/5/keys/5', undefined],
    ['POST', '/users/5/keys/5/rotate', {}],
    ['GET', '/users/5/sessions', undefined],
    ['DELETE', '/users/5/sessions/1', undefined],
  ] as const
  const before = await send(app, 'GET', '/users')

  for (const [method, path, json] of routes) {
    const request = { method, path: service(path), ...(json ? { json } : {}) }
    for (const as of ROLES.filter((role) => role !== 'administrator')) {
      assert.deepEqual(outcome(await app.send({ as, ...request })), [403, 'rest_forbidden'], `${as} ${method} ${path}`)
    }
    assert.deepEqual(outcome(await app.send(request)), [401, 'rest_forbidden'], `${method} ${path}`)
  }

  assert.deepEqual((await send(app, 'GET', '/users')).body, before.body)
  assert.deepEqual((await send(app, 'GET', '/users/5/keys')).body.length, 1)
  assert.equal((await app.send({ as: 'author', path: service('/users/3') })).body.name, 'author')
})

test('a user who owns records stays, as does the last administrator', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, {}, 'author')

  const owner = await send(app, 'DELETE', '/users/3')
  const last = await send(app, 'DELETE', '/users/5')
  const lesser = await send(app, 'PATCH', '/users/5', { role: 'editor' })
  const taken = await send(app, 'POST', '/users', { name: 'EDITOR', role: 'author' })
  const takenAddress = await send(app, 'PATCH', '/users/1', { email: 'Editor@example.org' })

  assert.deepEqual(outcome(owner), [409, 'user-has-records'])
  assert.deepEqual(outcome(last), [409, 'last-administrator'])
  assert.deepEqual(outcome(lesser), [409, 'last-administrator'])
  assert.deepEqual(outcome(taken), [409, 'user-exists'])
  assert.deepEqual(outcome(takenAddress), [409, 'user-exists'])
  assert.equal((await send(app, 'GET', '/users')).body.length, ROLES.length)
})

test('what is wrong with a request is told as a problem, in both languages', async (t) => {
  const app = await startTestApp(t)
  const faulty = { name: 'a:b', role: 'queen', email: 'nowhere' }

  const english = await send(app, 'POST', '/users', faulty)
  const french = await app.send({
    as: 'administrator',
    method: 'POST',
    path: '//fr/cal/service/v1/users',
    json: faulty,
  })
  const missing = await send(app, 'POST', '/users', {})
  const form = await app.send({
    as: 'administrator',
    method: 'POST',
    path: service('/users'),
    form: 'name=eve&role=author',
  })
  const huge = await send(app, 'POST', '/users', { name: 'x'.repeat(70_000), role: 'author' })

  assert.match(english.headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.deepEqual(Object.keys(english.body.errors), ['name', 'role', 'email'])
  assert.match(french.body.errors.name, /sans deux-points/)
  assert.deepEqual([missing.status, missing.body.title], [400, 'Missing parameters: name, role.'])
  assert.deepEqual(outcome(form), [415, 'rest_invalid_param'])
  assert.deepEqual(outcome(huge), [413, 'rest_request_too_large'])
})

test('whoever changes the own password must know the one there is, and is alone signed in afterwards', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const [asking, other] = [await openBrowser(app, 'editor'), await openBrowser(app, 'editor')]
  const next = 'another horse, another staple'
  const change = (json: object) =>
    app.send({ method: 'PUT', path: service('/users/me/password'), json, headers: asking.headers })
  const isSignedIn = async ({ cookie }: { readonly cookie: string }) =>
    (await app.send({ path: service('/session'), headers: { cookie } })).status === 200

  const unknown = await change({ password: next })
  const wrong = await change({ password: next, current_password: `${goodPassword}.` })
  const right = await change({ password: next, current_password: goodPassword })

  assert.deepEqual(outcome(unknown), [403, 'current-password-wrong'])
  assert.deepEqual(outcome(wrong), [403, 'current-password-wrong'])
  assert.equal(right.status, 204)
  assert.deepEqual([await isSignedIn(asking), await isSignedIn(other)], [true, false])
  assert.ok(await openBrowser(app, 'editor', next))
})

test('a password has 12 to 256 characters, whatever they are', async (t) => {
  const app = await startTestApp(t)
  const { headers } = await givenBrowser(app, 'administrator')
  const set = async (password: unknown) =>
    (await app.send({ method: 'PUT', path: service('/users/1/password'), json: { password }, headers })).status

  assert.deepEqual(await Promise.all([set('x'.repeat(11)), set('x'.repeat(257)), set(12)]), [400, 400, 400])
  assert.equal(await set('🎈'.repeat(12)), 204)
  assert.equal(await set('é'.repeat(256)), 204)
  assert.ok(await openBrowser(app, 'subscriber', 'é'.repeat(256)))
})

test('an account’s own password opens no Basic request, and a key no browser', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const { body: key } = await app.send({
    as: 'editor',
    method: 'POST',
    path: service('/users/me/keys'),
    json: { label: 'program' },
  })

  const basic = await app.send({
    path: '/events',
    headers: { authorization: `Basic ${btoa(`editor:${goodPassword}`)}` },
  })
  const browser = await app.send({
    method: 'POST',
    path: service('/session'),
    json: { login: 'editor', password: key.secret },
  })

  assert.deepEqual(outcome(basic), [401, 'incorrect_password'])
  assert.deepEqual(outcome(browser), [401, 'sign-in-failed'])
})

test('a page of another origin learns what it may send, and no cookie goes along', async (t) => {
  const app = await startTestApp(t)
  const asked = {
    method: 'OPTIONS',
    headers: { origin: 'https://other.example', 'access-control-request-method': 'PATCH' },
  } as const

  for (const path of ['/users/me', '/media', '/audit', '/events/1/restore']) {
    const { status, text, headers } = await app.send({ ...asked, path: service(path) })

    assert.deepEqual([status, text], [204, ''], path)
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.match(headers['access-control-allow-methods'] ?? '', /PATCH/)
    assert.match(headers['access-control-allow-headers'] ?? '', /Authorization/)
    assert.equal(headers['access-control-allow-credentials'], undefined)
  }
})
