import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, plainEvent } from '../../../test/support/given.ts'
import { givenBrowser, goodPassword, openBrowser, service, setOwnPassword } from '../../../test/support/signing.ts'

const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const hour = 3600
const signIn = (app: TestApp, json: object, headers: Readonly<Record<string, string>> = {}) =>
  app.send({ method: 'POST', path: service('/session'), json, headers })
const editor = { login: 'editor', password: goodPassword }

test('a person signs in, is told who they are, and signs out again', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')

  const opened = await signIn(app, { login: 'EDITOR@example.org', password: goodPassword })
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const token = opened.body.csrf_token
  const known = await app.send({ path: service('/session'), headers: { cookie } })
  const closed = await app.send({
    method: 'DELETE',
    path: service('/session'),
    headers: { cookie, 'x-csrf-token': token },
  })
  const gone = await app.send({ path: service('/session'), headers: { cookie } })

  assert.equal(opened.status, 201)
  assert.match(
    String(opened.headers['set-cookie']),
    /^cal_session=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  )
  assert.deepEqual(known.body, opened.body)
  assert.deepEqual(known.body.user, { id: 4, name: 'editor', email: 'editor@example.org', role: 'editor' })
  assert.match(known.headers['cache-control'] ?? '', /no-store/)
  assert.equal(closed.status, 204)
  assert.match(String(closed.headers['set-cookie']), /^cal_session=; Path=\/; Max-Age=0;/)
  assert.deepEqual(outcome(gone), [401, 'rest_forbidden'])
})

test('over https the cookie is bound to the host, and one that is not counts for nothing', async (t) => {
  const app = await startTestApp(t, { PUBLIC_URL: 'https://cal.example.org' })
  await setOwnPassword(app, 'editor')

  const opened = await signIn(app, editor)
  const cookie = String(opened.headers['set-cookie']).split(';')[0] ?? ''
  const planted = cookie.replace('__Host-', '')
  const ask = async (value: string) =>
    (await app.send({ path: service('/session'), headers: { cookie: value } })).status

  assert.match(String(opened.headers['set-cookie']), /^__Host-cal_session=.*; HttpOnly; SameSite=Strict; Secure$/)
  assert.deepEqual([await ask(`a=b; ${cookie}`), await ask(planted)], [200, 401])
})

test('an unknown user, one without a password and a wrong password get one answer, after the same work', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const attempt = async (login: string) => {
    app.statements()
    const { status, text } = await signIn(app, { login, password: 'a wrong password' })
    return [status, text, app.statements().length]
  }

  const wrong = await attempt('editor')

  assert.equal(wrong[0], 401)
  for (const other of [await attempt('author'), await attempt('nobody'), await attempt('no@body.example')]) {
    assert.deepEqual(other, wrong)
  }
})

test('the passwords of nobody are hashed as well: of very many at once some must come again', async (t) => {
  const app = await startTestApp(t)
  const attempts = Array.from({ length: 40 }, () => signIn(app, { login: 'nobody', password: 'a wrong password' }))

  const statuses = (await Promise.all(attempts)).map(({ status }) => status)

  assert.deepEqual([...new Set(statuses)].sort(), [401, 503])
})

test('a cookie changes nothing without the token, nor for a page of another origin', async (t) => {
  const app = await startTestApp(t)
  const { cookie, token } = await givenBrowser(app, 'editor')
  const create = async (headers: Readonly<Record<string, string>>) =>
    outcome(await app.send({ method: 'POST', path: '/events', json: plainEvent, headers: { cookie, ...headers } }))
  const visitors = [401, 'rest_forbidden']

  assert.deepEqual(await create({}), visitors)
  assert.deepEqual(await create({ 'x-csrf-token': `${token}x` }), visitors)
  assert.deepEqual(await create({ 'x-csrf-token': '' }), visitors)
  assert.deepEqual(await create({ 'x-csrf-token': token, 'sec-fetch-site': 'same-site' }), visitors)
  assert.deepEqual(await create({ 'x-csrf-token': token, 'sec-fetch-site': 'cross-site' }), visitors)
  assert.deepEqual(await create({ 'x-csrf-token': token, origin: 'https://evil.example' }), visitors)
  assert.deepEqual(await create({ 'x-http-method-override': 'GET' }), [200, undefined])
  const own = { 'x-csrf-token': token, 'sec-fetch-site': 'same-origin', origin: 'http://calendar.test' }
  assert.deepEqual(await create(own), [201, undefined])
})

test('the token of one session opens no other', async (t) => {
  const app = await startTestApp(t)
  const one = await givenBrowser(app, 'editor')
  const other = await openBrowser(app, 'editor')

  const mixed = await app.send({
    method: 'DELETE',
    path: service('/session'),
    headers: { cookie: one.cookie, 'x-csrf-token': other.token },
  })

  assert.equal(mixed.status, 401)
})

test('a cookie is not read for a script, a page of another origin, or beside other credentials', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'draft' })
  const { cookie } = await givenBrowser(app, 'editor')
  const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    (await app.send({ path, headers: { cookie, ...headers } })).status
  const event = `/events/${id}`

  assert.equal(await read(event), 200)
  assert.equal(await read(event, { 'sec-fetch-site': 'none' }), 200)
  assert.equal(await read(`${event}?_jsonp=f`), 403)
  assert.equal(await read(event, { origin: 'https://evil.example' }), 403)
  assert.equal(await read(event, { 'sec-fetch-site': 'same-site' }), 403)
  assert.equal(await read(event, { authorization: 'Digest x' }), 403)
  assert.equal(await read(event, { authorization: `Basic ${btoa('editor:wrong')}` }), 401)
})

test('nobody is signed in by a form or a page of another origin', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')

  const foreign = await signIn(app, editor, { origin: 'https://evil.example' })
  const crossSite = await signIn(app, editor, { 'sec-fetch-site': 'cross-site' })
  const form = await app.send({
    method: 'POST',
    path: service('/session'),
    form: new URLSearchParams(editor).toString(),
  })

  assert.deepEqual(
    [foreign, crossSite, form].map(({ status, headers }) => [status, headers['set-cookie']]),
    [
      [403, undefined],
      [403, undefined],
      [415, undefined],
    ],
  )
})

test('a session ends when it is idle for eight hours, and after a week however busy', async (t) => {
  const app = await startTestApp(t)
  const idle = await givenBrowser(app, 'editor')
  const busy = await openBrowser(app, 'editor')
  const ask = async ({ cookie }: { readonly cookie: string }) => {
    const { status } = await app.send({ path: service('/session'), headers: { cookie } })
    await app.deps.storage.writeWithoutRevision(async () => {})
    return status
  }

  app.pass(8 * hour - 1)
  const atTheLast = await ask(busy)
  app.pass(1)
  const ended = await ask(idle)
  const statuses: number[] = []
  for (let passed = 8; passed < 7 * 24; passed += 4) {
    statuses.push(await ask(busy))
    app.pass(4 * hour)
  }

  assert.deepEqual([atTheLast, ended], [200, 401])
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(await ask(busy), 401)
})

test('sessions are listed and ended by their owner and by administrators', async (t) => {
  const app = await startTestApp(t)
  const mine = await givenBrowser(app, 'editor')
  const other = await openBrowser(app, 'editor')
  const list = async () => (await app.send({ path: service('/users/me/sessions'), headers: mine.headers })).body
  const end = (id: number, as?: 'author' | 'administrator') =>
    app.send({
      ...(as ? { as } : { headers: mine.headers }),
      method: 'DELETE',
      path: service(`/users/${as === 'author' ? 'me' : 4}/sessions/${id}`),
    })

  const both = await list()
  const [theirs] = both.filter((session: { readonly is_current: boolean }) => !session.is_current)
  const byStranger = await end(theirs.id, 'author')
  const byAdministrator = await end(theirs.id, 'administrator')
  const left = await list()

  assert.equal(both.length, 2)
  assert.deepEqual(outcome(byStranger), [404, 'session-not-found'])
  assert.equal(byAdministrator.status, 204)
  assert.deepEqual(
    left.map((session: { readonly is_current: boolean }) => session.is_current),
    [true],
  )
  assert.equal((await app.send({ path: service('/session'), headers: { cookie: other.cookie } })).status, 401)
  assert.equal((await end(left[0].id)).status, 204)
  assert.deepEqual(outcome(await app.send({ path: service('/session'), headers: mine.headers })), [
    401,
    'rest_forbidden',
  ])
})

test('one user has 20 sessions at most: the one that was not used for longest ends', async (t) => {
  const app = await startTestApp(t)
  const first = await givenBrowser(app, 'editor')
  app.pass(1)
  const second = await openBrowser(app, 'editor')
  for (let number = 3; number <= 21; number += 1) {
    app.pass(1)
    await openBrowser(app, 'editor')
  }
  const ask = async ({ cookie }: { readonly cookie: string }) =>
    (await app.send({ path: service('/session'), headers: { cookie } })).status

  assert.deepEqual([await ask(first), await ask(second)], [401, 200])
})

test('whoever sends a session is answered for themselves, never from memory, and is not remembered', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'For all' })
  await givenEvent(app, { title: 'Hidden', status: 'draft' })
  const { cookie } = await givenBrowser(app, 'editor')
  const titles = async (headers: Readonly<Record<string, string>>) => {
    const { body, headers: sent } = await app.send({ path: '/events', headers })
    return [body.events.map((event: { readonly title: string }) => event.title).sort(), sent.etag !== undefined]
  }
  const [all, some] = [['For all', 'Hidden'], ['For all']]

  assert.deepEqual(await titles({ cookie }), [all, false])
  assert.deepEqual(await titles({}), [some, true])
  assert.deepEqual(await titles({ cookie }), [all, false])
  assert.deepEqual(await titles({ cookie: 'theme=dark' }), [some, true])
  assert.deepEqual(await titles({ cookie: 'cal_session=ended' }), [some, false])
})

test('no answer sets a cookie but those of signing in and out', async (t) => {
  const app = await startTestApp(t)
  const browser = await givenBrowser(app, 'administrator')
  const paths = ['/', '/events', '/doc', '/nothing', service('/session'), service('/users'), '//docs']

  for (const headers of [{}, browser.headers]) {
    for (const path of paths) {
      assert.equal((await app.send({ path, headers })).headers['set-cookie'], undefined, path)
    }
    const created = await app.send({ as: 'editor', method: 'POST', path: '/events', json: plainEvent, headers })
    assert.deepEqual([created.status, created.headers['set-cookie']], [201, undefined])
  }
})

test('no session and no password can be read in the database', async (t) => {
  const app = await startTestApp(t)
  const { cookie, token } = await givenBrowser(app, 'editor')
  const secret = cookie.split('=')[1] ?? ''

  const kept = JSON.stringify([
    await app.deps.storage.db.selectFrom('sessions').selectAll().execute(),
    await app.deps.storage.db.selectFrom('account_passwords').selectAll().execute(),
  ])

  assert.match(kept, /"\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  for (const text of [secret, token, goodPassword]) assert.ok(!kept.includes(text))
})
