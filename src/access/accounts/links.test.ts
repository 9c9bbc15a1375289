import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenBrowser, goodPassword, openBrowser, service } from '../../../test/support/signing.ts'

const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const day = 86_400

/** Returns the secret of a new link for the user with the id 4, the editor. */
async function givenLink(app: TestApp, kind = 'invitation'): Promise<string> {
  const { headers } = await givenBrowser(app, 'administrator')
  const { status, body } = await app.send({
    ...{ method: 'POST', path: service('/users/4/links'), json: { kind }, headers },
  })
  assert.equal(status, 201)
  return /\/admin\/link\/([\w-]{43})\/$/.exec(body.url)?.[1] ?? ''
}

const follow = (app: TestApp, secret: string, password = goodPassword, headers = {}) =>
  app.send({ method: 'POST', path: service('/links/follow'), json: { secret, password }, headers })
const lookUp = (app: TestApp, secret: string) =>
  app.send({ method: 'POST', path: service('/links/lookup'), json: { secret } })

test('an invited person chooses a password with the link, once, and is signed in', async (t) => {
  const app = await startTestApp(t)
  const secret = await givenLink(app)

  const seen = await lookUp(app, secret)
  const followed = await follow(app, secret)
  const again = await follow(app, secret, 'another long password')
  const cookie = String(followed.headers['set-cookie']).split(';')[0] ?? ''
  const known = await app.send({ path: service('/session'), headers: { cookie } })

  assert.deepEqual([seen.status, seen.body.user, seen.body.kind], [200, 'editor', 'invitation'])
  assert.equal(followed.status, 201)
  assert.deepEqual(known.body, followed.body)
  assert.deepEqual(outcome(again), [410, 'link-not-valid'])
  assert.match(again.body.title, /already been used/)
  await openBrowser(app, 'editor')
})

for (const [kind, seconds] of [
  ['invitation', 7 * day],
  ['reset', 3600],
] as const) {
  test(`a link of the kind ${kind} works for ${seconds} seconds`, async (t) => {
    const app = await startTestApp(t)
    const secret = await givenLink(app, kind)

    app.pass(seconds - 1)
    const inTime = await lookUp(app, secret)
    app.pass(1)
    const late = await follow(app, secret)

    assert.equal(inTime.status, 200)
    assert.deepEqual(outcome(late), [410, 'link-not-valid'])
    assert.match(late.body.title, /expired/)
  })
}

test('a link replaces the one before, ends the sessions of its user, and only its digest is stored', async (t) => {
  const app = await startTestApp(t)
  const first = await givenLink(app)
  const browser = await givenBrowser(app, 'editor')
  const second = await givenLink(app, 'reset')

  const replaced = await follow(app, first)
  const followed = await follow(app, second, 'a wholly new password')
  const old = await app.send({ path: service('/session'), headers: { cookie: browser.cookie } })
  const rows = JSON.stringify(await app.deps.storage.db.selectFrom('access_links').selectAll().execute())

  assert.deepEqual(outcome(replaced), [410, 'link-not-valid'])
  assert.equal(followed.status, 201)
  assert.equal(old.status, 401)
  assert.ok(!rows.includes(second))
})

test('of two requests with one link only one succeeds', async (t) => {
  const app = await startTestApp(t)
  const secret = await givenLink(app)

  const answers = await Promise.all([follow(app, secret), follow(app, secret)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 410])
})

test('only an administrator in a browser makes links, and pages of other sites cannot use one', async (t) => {
  const app = await startTestApp(t)
  const path = service('/users/4/links')
  const json = { kind: 'reset' }
  const { headers } = await givenBrowser(app, 'editor')
  const secret = await givenLink(app)

  const asEditor = await app.send({ method: 'POST', path, json, headers })
  const asKey = await app.send({ as: 'administrator', method: 'POST', path, json })
  const asVisitor = await app.send({ method: 'POST', path, json })
  const foreign = await follow(app, secret, goodPassword, { origin: 'https://other.example' })
  const short = await follow(app, secret, 'short')

  assert.deepEqual(outcome(asEditor), [403, 'rest_forbidden'])
  assert.deepEqual(outcome(asKey), [403, 'session-required'])
  assert.deepEqual(outcome(asVisitor), [401, 'rest_forbidden'])
  assert.deepEqual(outcome(foreign), [403, 'rest_forbidden'])
  assert.deepEqual(outcome(short), [400, 'rest_invalid_param'])
  assert.equal((await lookUp(app, secret)).status, 200)
})

test('whoever guesses links is slowed down', async (t) => {
  const app = await startTestApp(t, { FAILURE_LIMIT: '3/600', TRUST_PROXY: 'true' })
  const guess = (secret: string) =>
    app.send({
      ...{ method: 'POST', path: service('/links/lookup'), json: { secret } },
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })

  const statuses: number[] = []
  for (const secret of ['one', 'two', 'three', 'four']) statuses.push((await guess(secret)).status)

  assert.deepEqual(statuses, [410, 410, 410, 429])
})
