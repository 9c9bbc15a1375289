import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { service } from '../../../test/support/signing.ts'
import { noteKeyUse } from '../auth/key.repository.ts'

const day = 86_400
const outcome = ({ status, body }: TestAnswer) => [status, body?.code]
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` })
const basic = (login: string, secret: string) => ({ authorization: `Basic ${btoa(`${login}:${secret}`)}` })

async function givenKey(app: TestApp, json: object = {}) {
  const request = { as: 'editor', method: 'POST', path: service('/users/me/keys') } as const
  const { status, body, text } = await app.send({ ...request, json: { label: 'newsletter', ...json } })
  assert.equal(status, 201, text)
  return body as { readonly id: number; readonly secret: string }
}

/** Keys as their owner sees them. The request uses another key, which is not in the list. */
async function keysOf(app: TestApp) {
  const { body } = await app.send({ as: 'administrator', path: service('/users/4/keys') })
  return body as readonly Readonly<Record<string, unknown>>[]
}

/** The user whom the service identifies from a request. */
async function nameOf(app: TestApp, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const { status, body } = await app.send({ path: service('/users/me'), headers })
  return status === 200 ? body.name : status
}

/** Uses are recorded concurrently with requests. Once this write is done, all earlier ones are done too. */
async function allIsNoted({ deps }: TestApp): Promise<void> {
  await deps.storage.writeWithoutRevision(async () => {})
}

test('a key has a name, shows its secret once, and opens as Basic and as Bearer', async (t) => {
  const app = await startTestApp(t)

  const { id, secret } = await givenKey(app)
  const names = [
    await nameOf(app, basic('editor', secret)),
    await nameOf(app, basic('editor@example.org', secret)),
    await nameOf(app, bearer(secret)),
    await nameOf(app, { authorization: `bEaReR  ${secret.slice(0, 4)}-${secret.slice(4)} ` }),
    await nameOf(app, basic('author', secret)),
  ]
  const listed = (await keysOf(app)).find((key) => key.id === id)

  assert.deepEqual(names, ['editor', 'editor', 'editor', 'editor', 401])
  assert.deepEqual(
    { ...listed, last_used_at: null },
    {
      id,
      label: 'newsletter',
      scope: 'write',
      created_at: '2030-01-15T12:00:00Z',
      expires_at: null,
      is_expired: false,
      last_used_at: null,
      previous_secret_until: null,
      made_by: 4,
    },
  )
})

test('a token that could be ours and is not is refused, any other one is a visitor’s', async (t) => {
  const app = await startTestApp(t)
  const ask = async (token: string) => outcome(await app.send({ path: '/events', headers: bearer(token) }))

  assert.deepEqual(await ask('abcdefghABCDEFGH23456789'), [401, 'incorrect_password'])
  assert.deepEqual(await ask('abcd'), [200, undefined])
  assert.deepEqual(await ask('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgNryP4J3jVmNHl0w5N'), [200, undefined])
})

test('a key ends on its day, and is listed as ended', async (t) => {
  const app = await startTestApp(t)
  const { id, secret } = await givenKey(app, { expires_in_days: 2 })

  app.pass(2 * day - 1)
  const last = await nameOf(app, bearer(secret))
  app.pass(1)
  const after = [await nameOf(app, bearer(secret)), await nameOf(app, basic('editor', secret))]

  assert.equal(last, 'editor')
  assert.deepEqual(after, [401, 401])
  const listed = (await keysOf(app)).find((key) => key.id === id)
  assert.deepEqual([listed?.expires_at, listed?.is_expired], ['2030-01-17T12:00:00Z', true])
})

test('a rotated key has a new secret; the one before ends at once, or after the overlap', async (t) => {
  const app = await startTestApp(t)
  const first = await givenKey(app, { expires_in_days: 30 })
  const rotate = async (json: object) => {
    const path = service(`/users/me/keys/${first.id}/rotate`)
    const { status, body, text } = await app.send({ as: 'editor', method: 'POST', path, json })
    assert.equal(status, 200, text)
    return body.secret as string
  }
  const opened = (secrets: readonly string[]) => Promise.all(secrets.map((secret) => nameOf(app, bearer(secret))))

  const second = await rotate({})
  const atOnce = await opened([first.secret, second])
  const third = await rotate({ overlap_hours: 2 })
  const during = await opened([first.secret, second, third])
  const byName = await nameOf(app, basic('editor', second))
  const shown = (await keysOf(app)).find(({ id }) => id === first.id)
  app.pass(2 * 3600)
  const afterwards = await opened([first.secret, second, third])
  const later = (await keysOf(app)).find(({ id }) => id === first.id)

  assert.deepEqual(atOnce, [401, 'editor'])
  assert.deepEqual(during, [401, 'editor', 'editor'])
  assert.equal(byName, 'editor')
  assert.deepEqual(
    [shown?.label, shown?.expires_at, shown?.previous_secret_until],
    ['newsletter', '2030-02-14T12:00:00Z', '2030-01-15T14:00:00Z'],
  )
  assert.deepEqual(afterwards, [401, 401, 'editor'])
  assert.equal(later?.previous_secret_until, null)
})

test('a revoked key ends with both of its secrets, and nobody revokes that of another', async (t) => {
  const app = await startTestApp(t)
  const key = await givenKey(app)
  const path = service(`/users/me/keys/${key.id}`)
  const rotated = await app.send({ as: 'editor', method: 'POST', path: `${path}/rotate`, json: { overlap_hours: 1 } })

  const byOther = await app.send({ as: 'author', method: 'DELETE', path })
  const revoked = await app.send({ as: 'administrator', method: 'DELETE', path: service(`/users/4/keys/${key.id}`) })
  const again = await app.send({ as: 'editor', method: 'DELETE', path })

  assert.deepEqual(outcome(byOther), [404, 'key-not-found'])
  assert.equal(revoked.status, 200)
  assert.deepEqual(outcome(again), [404, 'key-not-found'])
  assert.deepEqual(
    await Promise.all([key.secret, rotated.body.secret].map((secret) => nameOf(app, bearer(secret)))),
    [401, 401],
  )
})

test('a user has 50 keys at most', async (t) => {
  const app = await startTestApp(t)
  for (let number = 2; number <= 50; number += 1) await givenKey(app, { label: `key ${number}` })

  const more = await app.send({
    as: 'editor',
    method: 'POST',
    path: service('/users/me/keys'),
    json: { label: 'one more' },
  })

  assert.deepEqual(outcome(more), [409, 'too-many-keys'])
})

test('when a key was used last is known to a few minutes, by one write for many requests', async (t) => {
  const app = await startTestApp(t)
  const { id, secret } = await givenKey(app)
  const noted = () => app.statements().filter((text) => /update .application_passwords./.test(text)).length
  const use = async (seconds: number) => {
    app.pass(seconds)
    await Promise.all(Array.from({ length: 8 }, () => app.send({ path: '/events', headers: bearer(secret) })))
    await allIsNoted(app)
    return noted()
  }
  await allIsNoted(app)
  noted()

  const writes = [await use(0), await use(299), await use(1), await use(1)]
  const listed = (await keysOf(app)).find((key) => key.id === id)

  assert.deepEqual(writes, [1, 0, 1, 0])
  assert.equal(listed?.last_used_at, '2030-01-15T12:05:00Z')
})

test('recording a use keeps cached responses valid, and a change does not', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const isRecalled = async () => {
    app.statements()
    await app.send({ path: '/events' })
    return app.statements().every((text) => text.includes('revisions'))
  }
  await app.send({ path: '/events' })
  await allIsNoted(app)

  const before = await app.deps.storage.revision()
  await app.deps.storage.writeWithoutRevision((tx) =>
    noteKeyUse(tx, 5 as never, { at: app.deps.now() + 1, before: app.deps.now() }),
  )
  const after = await app.deps.storage.revision()
  const afterUse = await isRecalled()
  await app.send({ as: 'administrator', method: 'PATCH', path: `/events/${id}`, json: { title: 'New' } })
  const afterChange = await isRecalled()

  assert.equal(after, before)
  assert.deepEqual([afterUse, afterChange], [true, false])
})

test('a use that cannot be noted is answered all the same', async (t) => {
  const app = await startTestApp(t)
  const { secret } = await givenKey(app)
  const refused = async () => {
    throw new Error('The disk is full.')
  }
  const { createApp } = await import('../../app.ts')
  const server = createApp({ ...app.deps, storage: { ...app.deps.storage, writeWithoutRevision: refused } })
  t.after(() => server.close())

  const answer = await server.inject({ url: '/cal/service/v1/users/me', headers: bearer(secret) })

  assert.deepEqual([answer.statusCode, answer.json().name], [200, 'editor'])
})
