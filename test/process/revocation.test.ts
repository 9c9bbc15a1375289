import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createApp } from '../../src/app.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenBrowser, service } from '../support/signing.ts'

type Headers = Readonly<Record<string, string>>

/** The service, and another node that shares only the database with it. */
async function givenNodes(t: TestContext) {
  const app = await startTestApp(t)
  const { config, storage } = app.deps
  // PGlite is in one process only: there the nodes share their connections.
  const isOpenable = storage.dialect.name === config.database.engine
  const own = isOpenable
    ? await openStorage(config, { audited: auditedTables, derivations: derivationsFor(config), isDurable: false })
    : storage
  const server = createApp({ ...app.deps, storage: own })
  t.after(async () => {
    await server.close()
    if (own !== storage) await own.close()
  })
  /** The user whom the other node identifies from a request. */
  const nameThere = async (headers: Headers) => {
    const { statusCode, json } = await server.inject({
      url: '/cal/service/v1/users/me',
      headers: { host: 'calendar.test', ...headers },
    })
    return statusCode === 200 ? json().name : statusCode
  }
  return { app, nameThere }
}

async function administer(app: TestApp, method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) {
  const answer = await app.send({ as: 'administrator', method, path: service(path), ...(json ? { json } : {}) })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

test('what one node revokes, rotates or ends opens nothing on another from the very next request', async (t) => {
  const { app, nameThere } = await givenNodes(t)
  const keys = '/users/4/keys'
  const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
  const [revoked, rotated] = [
    await administer(app, 'POST', keys, { label: 'revoked' }),
    await administer(app, 'POST', keys, { label: 'rotated' }),
  ]
  const basic = { authorization: `Basic ${btoa(`editor:${revoked.secret}`)}` }
  const browser = await givenBrowser(app, 'editor')
  const all = [bearer(revoked.secret), basic, bearer(rotated.secret), { cookie: browser.cookie }]
  const before = await Promise.all(all.map(nameThere))

  await administer(app, 'DELETE', `${keys}/${revoked.id}`)
  const afterRevocation = [await nameThere(bearer(revoked.secret)), await nameThere(basic)]
  const { secret } = await administer(app, 'POST', `${keys}/${rotated.id}/rotate`, {})
  const afterRotation = [await nameThere(bearer(rotated.secret)), await nameThere(bearer(secret))]
  const out = await app.send({ method: 'DELETE', path: service('/session'), headers: browser.headers })
  const afterSignOut = await nameThere({ cookie: browser.cookie })

  assert.deepEqual(before, ['editor', 'editor', 'editor', 'editor'])
  assert.deepEqual(afterRevocation, [401, 401])
  assert.deepEqual(afterRotation, [401, 'editor'])
  assert.deepEqual([out.status, afterSignOut], [204, 401])
})

test('a user who is removed on one node is a stranger on another', async (t) => {
  const { app, nameThere } = await givenNodes(t)
  const { id, application_password: secret } = await administer(app, 'POST', '/users', { name: 'zoe', role: 'author' })
  const zoe = { authorization: `Basic ${btoa(`zoe:${secret}`)}` }
  const known = await nameThere(zoe)

  await administer(app, 'DELETE', `/users/${id}`)

  assert.deepEqual([known, await nameThere(zoe)], ['zoe', 401])
})

test('while one node revokes keys, another never takes a revoked one', async (t) => {
  const { app, nameThere } = await givenNodes(t)
  const rounds = 20
  const stale: number[] = []

  for (let round = 0; round < rounds; round += 1) {
    const { id, secret } = await administer(app, 'POST', '/users/4/keys', { label: `round ${round}` })
    const headers = { authorization: `Bearer ${secret}` }
    const meanwhile = Array.from({ length: 5 }, () => nameThere(headers))
    await administer(app, 'DELETE', `/users/4/keys/${id}`)
    if ((await nameThere(headers)) !== 401) stale.push(round)
    await Promise.all(meanwhile)
  }

  assert.deepEqual(stale, [])
})
