import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenBrowser, goodPassword, openBrowser, service, setOwnPassword } from '../../../test/support/signing.ts'

const day = 86_400
const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const refused = [403, 'beyond-own-key']

type Key = { readonly id: number }
type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

/** Sends requests as the user whom these headers identify. */
const senderOf =
  (app: TestApp, headers: Readonly<Record<string, string>>) =>
  (method: Method, path: string, json?: object): Promise<TestAnswer> =>
    app.send({ method, path: service(path), headers, ...(json ? { json } : {}) })

/** Creates a key of the administrator that expires after this many days, and sends requests with it. */
async function givenShortKey(app: TestApp, days = 1) {
  const json = { label: 'short', expires_in_days: days }
  const made = await app.send({ as: 'administrator', method: 'POST', path: service('/users/me/keys'), json })
  assert.equal(made.status, 201, made.text)
  const { id, secret } = made.body as { readonly id: number; readonly secret: string }
  return { id, secret, ask: senderOf(app, bearer(secret)) }
}

async function isOpen(app: TestApp, secret: string): Promise<boolean> {
  return (await app.send({ path: service('/users/me'), headers: bearer(secret) })).status === 200
}

test('whatever a key makes ends with it, for its user and for others', async (t) => {
  const app = await startTestApp(t)
  const { ask } = await givenShortKey(app, 2)

  const own = await ask('POST', '/users/me/keys', { label: 'own' })
  const others = await ask('POST', '/users/4/keys', { label: 'of another' })
  const shorter = await ask('POST', '/users/me/keys', { label: 'shorter', expires_in_days: 1 })
  const secrets = [own.body.secret, others.body.secret]
  const before = await Promise.all(secrets.map((secret) => isOpen(app, secret)))
  app.pass(2 * day)

  assert.deepEqual([own.body.expires_at, others.body.expires_at], ['2030-01-17T12:00:00Z', '2030-01-17T12:00:00Z'])
  assert.equal(shorter.body.expires_at, '2030-01-16T12:00:00Z')
  assert.deepEqual(before, [true, true])
  assert.deepEqual(await Promise.all(secrets.map((secret) => isOpen(app, secret))), [false, false])
})

test('a key that is to outlast its maker is refused, with the last moment that there may be', async (t) => {
  const app = await startTestApp(t)
  const { secret, ask } = await givenShortKey(app, 30)

  const longer = await ask('POST', '/users/me/keys', { label: 'longer', expires_in_days: 31 })
  const french = await app.send({
    ...{ method: 'POST', path: '//fr/cal/service/v1/users/4/keys', headers: bearer(secret) },
    json: { label: 'plus longue', expires_in_days: 31 },
  })
  const longest = await ask('POST', '/users/me/keys', { label: 'longest', expires_in_days: 30 })

  assert.deepEqual(outcome(longer), [400, 'rest_invalid_param'])
  assert.match(longer.body.errors.expires_in_days, /expires at 2030-02-14T12:00:00Z/)
  assert.match(french.body.errors.expires_in_days, /2030-02-14T12:00:00Z/)
  assert.deepEqual([longest.status, longest.body.expires_at], [201, '2030-02-14T12:00:00Z'])
})

test('a key neither renews nor revokes a key that outlasts it, nor changes who may do what', async (t) => {
  const app = await startTestApp(t)
  const { ask } = await givenShortKey(app)
  const before = await app.send({ as: 'administrator', path: service('/users') })

  const tried = [
    await ask('POST', '/users/me/keys/5/rotate', { overlap_hours: 720 }),
    await ask('POST', '/users/4/keys/4/rotate', {}),
    await ask('DELETE', '/users/me/keys/5'),
    await ask('DELETE', '/users/4/keys/4'),
    await ask('PATCH', '/users/1', { role: 'administrator' }),
    await ask('PATCH', '/users/4', { email: 'eve@example.org' }),
    await ask('DELETE', '/users/1'),
    // The new account would remain, and would count as the administrator that must always exist.
    await ask('POST', '/users', { name: 'eve', role: 'administrator' }),
  ]

  assert.deepEqual(
    tried.map(outcome),
    tried.map(() => refused),
  )
  assert.deepEqual((await app.send({ as: 'administrator', path: service('/users') })).body, before.body)
  const keys = await app.send({ as: 'administrator', path: service('/users/4/keys') })
  assert.deepEqual(
    keys.body.map(({ id }: { readonly id: number }) => id),
    [4],
  )
})

test('a key that ends signs nobody out', async (t) => {
  const app = await startTestApp(t)
  const { ask } = await givenShortKey(app)
  const { headers } = await givenBrowser(app, 'editor')
  const { body } = await app.send({ path: service('/session'), headers })

  const ended = await ask('DELETE', `/users/4/sessions/${body.session.id}`)

  assert.deepEqual(outcome(ended), refused)
  assert.equal((await app.send({ path: service('/session'), headers })).status, 200)
})

test('a key renews and revokes itself and what ends no later', async (t) => {
  const app = await startTestApp(t)
  const { id, ask } = await givenShortKey(app)
  const child = await ask('POST', '/users/4/keys', { label: 'child' })

  const renewedChild = await ask('POST', `/users/4/keys/${child.body.id}/rotate`, {})
  const revokedChild = await ask('DELETE', `/users/4/keys/${child.body.id}`)
  const renewed = await ask('POST', `/users/me/keys/${id}/rotate`, {})
  const revoked = await senderOf(app, bearer(renewed.body.secret))('DELETE', `/users/me/keys/${id}`)

  assert.deepEqual([renewedChild.status, revokedChild.status, renewed.status, revoked.status], [200, 200, 200, 200])
  assert.equal(renewed.body.expires_at, '2030-01-16T12:00:00Z')
  assert.equal(await isOpen(app, renewed.body.secret), false)
})

test('the secret before a rotation reaches no further than its overlap', async (t) => {
  const app = await startTestApp(t)
  const { id, secret, ask } = await givenShortKey(app, 30)
  const { body } = await ask('POST', `/users/me/keys/${id}/rotate`, { overlap_hours: 2 })
  const old = senderOf(app, bearer(secret))

  const renewed = await old('POST', `/users/me/keys/${id}/rotate`, { overlap_hours: 720 })
  const revoked = await old('DELETE', `/users/me/keys/${id}`)
  const made = await old('POST', '/users/me/keys', { label: 'longer' })
  const asked = await old('POST', '/users/me/keys', { label: 'longer', expires_in_days: 1 })

  assert.deepEqual([outcome(renewed), outcome(revoked)], [refused, refused])
  assert.equal(made.body.expires_at, '2030-01-15T14:00:00Z')
  assert.deepEqual(outcome(asked), [400, 'rest_invalid_param'])
  assert.equal(await isOpen(app, body.secret), true)
})

test('a key that never ends manages users and keys as an administrator in a browser does', async (t) => {
  const app = await startTestApp(t)
  const browser = await givenBrowser(app, 'administrator')
  const asks = [
    senderOf(app, browser.headers),
    (method: Method, path: string, json?: object) =>
      app.send({ as: 'administrator', method, path: service(path), ...(json ? { json } : {}) }),
  ]

  for (const [place, ask] of asks.entries()) {
    const { body: user } = await ask('POST', '/users', { name: `user ${place}`, role: 'author' })
    const path = `/users/${user.id}`
    const { body: key } = await ask('POST', `${path}/keys`, { label: 'program' })
    const statuses = [
      await ask('PATCH', path, { role: 'editor' }),
      await ask('POST', `${path}/keys/${key.id}/rotate`, {}),
      await ask('DELETE', `${path}/keys/${key.id}`),
      await ask('DELETE', path),
    ].map(({ status }) => status)

    assert.equal(key.expires_at, null)
    assert.deepEqual(statuses, [200, 200, 200, 200])
  }
})

test('passwords are set by people who have signed in, never with a key', async (t) => {
  const app = await startTestApp(t)
  const { headers } = await givenBrowser(app, 'administrator')
  const json = { password: goodPassword }

  const first = await app.send({ as: 'editor', method: 'PUT', path: service('/users/me/password'), json })
  const ofOthers = await app.send({ as: 'administrator', method: 'PUT', path: service('/users/4/password'), json })
  const french = await app.send({ as: 'editor', method: 'PUT', path: '//fr/cal/service/v1/users/me/password', json })
  const none = await app.send({
    ...{ method: 'POST', path: service('/session') },
    json: { login: 'editor', password: goodPassword },
  })
  const byAdministrator = await senderOf(app, headers)('PUT', '/users/4/password', json)

  assert.deepEqual(outcome(first), [403, 'session-required'])
  assert.deepEqual(outcome(ofOthers), [403, 'session-required'])
  assert.match(french.body.title, /navigateur/)
  assert.deepEqual(outcome(none), [401, 'sign-in-failed'])
  assert.equal(byAdministrator.status, 204)
  assert.ok(await openBrowser(app, 'editor'))
})

test('a key knows which key made it, and is revoked with it', async (t) => {
  const app = await startTestApp(t)
  const asEditor = (method: Method, path: string, json?: object) =>
    app.send({ as: 'editor', method, path: service(path), ...(json ? { json } : {}) })
  const { body: parent } = await asEditor('POST', '/users/me/keys', { label: 'parent' })
  const { body: child } = await senderOf(app, bearer(parent.secret))('POST', '/users/me/keys', { label: 'child' })
  const { body: grandchild } = await senderOf(app, bearer(child.secret))('POST', '/users/me/keys', { label: 'third' })
  const { body: sibling } = await asEditor('POST', '/users/me/keys', { label: 'sibling' })
  const { body: listed } = await asEditor('GET', '/users/me/keys')

  const { body: revoked } = await asEditor('DELETE', `/users/me/keys/${parent.id}`)

  const makers = listed.map((key: { readonly made_by: number | null }) => key.made_by)
  assert.deepEqual(makers, [null, 4, parent.id, child.id, 4])
  assert.deepEqual(
    [revoked.previous.id, revoked.also_revoked.map(({ id }: Key) => id)],
    [parent.id, [child.id, grandchild.id]],
  )
  const secrets = [parent, child, grandchild, sibling].map(({ secret }) => secret)
  assert.deepEqual(await Promise.all(secrets.map((secret) => isOpen(app, secret))), [false, false, false, true])
})

test('a key that another one has renewed is revoked with that, which knows its secret', async (t) => {
  const app = await startTestApp(t)
  const asEditor = (method: Method, path: string, json?: object) =>
    app.send({ as: 'editor', method, path: service(path), ...(json ? { json } : {}) })
  const { body: leaked } = await asEditor('POST', '/users/me/keys', { label: 'leaked' })
  const { body: other } = await asEditor('POST', '/users/me/keys', { label: 'other' })
  const ask = senderOf(app, bearer(leaked.secret))
  const { body: renewed } = await ask('POST', `/users/me/keys/${other.id}/rotate`, { overlap_hours: 168 })

  const { body: revoked } = await asEditor('DELETE', `/users/me/keys/${leaked.id}`)

  assert.equal(renewed.made_by, leaked.id)
  assert.deepEqual(
    revoked.also_revoked.map(({ id }: Key) => id),
    [other.id],
  )
  assert.deepEqual([await isOpen(app, renewed.secret), await isOpen(app, other.secret)], [false, false])
})

test('a key leads to others of its user also by way of another user, whose key may be gone', async (t) => {
  const app = await startTestApp(t)
  const asAdministrator = (method: Method, path: string, json?: object) =>
    app.send({ as: 'administrator', method, path: service(path), ...(json ? { json } : {}) })
  const { body: leaked } = await asAdministrator('POST', '/users/me/keys', { label: 'leaked' })
  const { body: mallory } = await senderOf(app, bearer(leaked.secret))('POST', '/users', {
    ...{ name: 'mallory', role: 'administrator' },
  })
  const asMallory = senderOf(app, bearer(mallory.application_password))
  const { body: back } = await asMallory('POST', '/users/5/keys', { label: 'back' })
  const { body: own } = await asMallory('GET', '/users/me/keys')
  await asMallory('DELETE', `/users/me/keys/${own[0].id}`)

  await asAdministrator('DELETE', `/users/me/keys/${leaked.id}`)

  assert.equal(back.made_by, own[0].id)
  assert.equal(await isOpen(app, back.secret), false)
})

test('revoking the key of an administrator leaves the keys that it made for others', async (t) => {
  const app = await startTestApp(t)
  const { body: provisioning } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: service('/users/me/keys') },
    json: { label: 'provisioning' },
  })
  const ask = senderOf(app, bearer(provisioning.secret))
  const { body: key } = await ask('POST', '/users/4/keys', { label: 'program' })
  const { body: user } = await ask('POST', '/users', { name: 'zoe', role: 'author' })

  await app.send({ as: 'administrator', method: 'DELETE', path: service(`/users/me/keys/${provisioning.id}`) })

  const { body: listed } = await app.send({ as: 'administrator', path: service('/users/4/keys') })
  assert.deepEqual([await isOpen(app, key.secret), await isOpen(app, user.application_password)], [true, true])
  assert.equal(listed.at(-1).made_by, provisioning.id)
})

test('a person sets the own password knowing the one there is', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const { headers } = await openBrowser(app, 'editor')
  const ask = senderOf(app, headers)

  const unknown = await ask('PUT', '/users/me/password', { password: `${goodPassword}!` })
  const known = await ask('PUT', '/users/me/password', {
    ...{ password: `${goodPassword}!`, current_password: goodPassword },
  })

  assert.deepEqual([outcome(unknown), known.status], [[403, 'current-password-wrong'], 204])
})
