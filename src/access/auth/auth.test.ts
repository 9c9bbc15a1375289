import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { ROLES } from './actor.ts'
import { groupedInFours, newSecret, parseAuthorization, secretDigest } from './credentials.ts'
import { renewKeys } from './key.service.ts'
import { mayCreate, mayEdit, mayEditOthers, mayPublish, mayRead, mayUpload } from './policy.ts'
import { findUserByLogin } from './user.repository.ts'
import { createUser } from './user.service.ts'

const basic = (login: string, secret: string) => `Basic ${Buffer.from(`${login}:${secret}`).toString('base64')}`
const ask = (app: TestApp, authorization: string) => app.send({ path: '/venues', headers: { authorization } })

test('a header is read as Basic whatever the case of the word, and is a visitor’s where it holds no password', () => {
  assert.deepEqual(parseAuthorization(basic('a', 'b:c')), { kind: 'basic', login: 'a', secret: 'b:c' })
  assert.deepEqual(parseAuthorization(basic('a', 'b').replace('Basic', 'bAsIc')), {
    kind: 'basic',
    login: 'a',
    secret: 'b',
  })
  for (const header of [
    undefined,
    '',
    'Basic',
    'Basic !!!',
    basic('a', ''),
    `Basic ${btoa('nocolon')}`,
    'Bearer',
    'Digest abc',
  ]) {
    assert.equal(parseAuthorization(header), undefined)
  }
})

test('a secret is compared by its letters and digits, and a new one has 24 of them', () => {
  assert.equal(secretDigest('abcd efgh-1234'), secretDigest('abcdefgh1234'))
  assert.notEqual(secretDigest('abcd'), secretDigest('abcD'))
  const secret = newSecret()
  assert.match(secret, /^[a-zA-Z0-9]{24}$/)
  assert.equal(secretDigest(groupedInFours(secret)), secretDigest(secret))
})

test('a user signs in by name or e-mail in any letter case; wrong passwords and unknown names get one answer', async (t) => {
  const app = await startTestApp(t)
  const { secret } = await createUser(app.deps, { name: 'Zoé', role: 'editor', email: 'Zoe@Example.org' })

  for (const login of ['Zoé', 'ZOÉ', 'zoe@example.ORG']) {
    const { status, headers } = await ask(app, basic(login, groupedInFours(secret)))
    assert.equal(status, 200, login)
    assert.match(headers['cache-control'] ?? '', /no-store/)
  }
  const wrong = await ask(app, basic('Zoé', 'wrong'))
  const unknown = await ask(app, basic('nobody', secret))
  assert.deepEqual([wrong.status, wrong.body.code], [401, 'incorrect_password'])
  assert.deepEqual(unknown.body, wrong.body)
  assert.equal((await ask(app, basic('Zoé', ''))).status, 200)
})

test('a renewed password revokes the one before at once', async (t) => {
  const app = await startTestApp(t)
  const { secret } = await createUser(app.deps, { name: 'zoe', role: 'editor' })
  const user = await findUserByLogin(app.deps.storage.db, 'zoe')
  assert.ok(user)

  const renewed = await renewKeys(app.deps, user.id)

  assert.equal((await ask(app, basic('zoe', secret))).status, 401)
  assert.equal((await ask(app, basic('zoe', renewed))).status, 200)
})

test('no secret is kept in the database', async (t) => {
  const app = await startTestApp(t)
  const { secret } = await createUser(app.deps, { name: 'zoe', role: 'editor' })

  const rows = await app.deps.storage.db.selectFrom('application_passwords').selectAll().execute()

  assert.ok(rows.length > 0)
  assert.ok(!JSON.stringify(rows).includes(secret))
})

test('each role may what the roles below it may, and more', () => {
  const record = { authorId: 7, status: 'draft' }
  const rights = ROLES.map((role) => {
    const actor = { kind: 'user', id: 1 as never, role } as const
    return [mayCreate, mayPublish, mayUpload, mayEditOthers].map((may) => may(actor)).concat(mayRead(actor, record))
  })

  assert.deepEqual(rights, [
    [false, false, false, false, false],
    [true, false, false, false, false],
    [true, true, true, false, false],
    [true, true, true, true, true],
    [true, true, true, true, true],
  ])
})

test('a contributor loses the right to change a record with its publication, an author does not', () => {
  const own = (role: 'contributor' | 'author', status: string) =>
    mayEdit({ kind: 'user', id: 7 as never, role }, { authorId: 7, status })

  assert.deepEqual(
    ['draft', 'pending', 'private', 'trash'].map((status) => own('contributor', status)),
    [true, true, true, true],
  )
  assert.deepEqual(
    ['publish', 'future'].map((status) => own('contributor', status)),
    [false, false],
  )
  assert.deepEqual(
    ['publish', 'future'].map((status) => own('author', status)),
    [true, true],
  )
})
