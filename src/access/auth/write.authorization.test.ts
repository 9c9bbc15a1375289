import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../../../test/support/app.ts'
import { isOnPglite } from '../../../test/support/database.ts'
import { givenEvent, plainEvent } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'
import { type Browser, goodPassword, openBrowser, service, setOwnPassword } from '../../../test/support/signing.ts'
import type { Tx } from '../../storage/database/tables.ts'
import type { UserId } from './actor.ts'
import { removeKeyAndDescendants, replaceKeyDigest } from './key.repository.ts'
import type { KeyId } from './key.ts'
import { removeSessionsOf } from './session.repository.ts'
import { setPassword } from './session.service.ts'
import { removeUser, updateUser } from './user.repository.ts'

const outcome = ({ status, body }: TestAnswer) => [status, body?.code]

/**
 * A user of this role other than the shared users of the tests, so that a test can change her without affecting them.
 */
interface Person {
  readonly id: UserId
  readonly key: KeyId
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
}

async function givenPerson(app: TestApp, name: string, role: 'author' | 'editor' | 'administrator'): Promise<Person> {
  const user = await app.send({
    ...{ as: 'administrator', method: 'POST', path: service('/users') },
    json: { name, role },
  })
  assert.equal(user.status, 201, user.text)
  const { id, application_password: secret } = user.body
  const keys = await app.send({ as: 'administrator', path: service(`/users/${id}/keys`) })
  return { id, key: keys.body[0].id, secret, headers: { authorization: `Bearer ${secret}` } }
}

/**
 * Returns the response to a request that was authenticated and then waits for its write, while another write is in
 * progress.
 */
async function meanwhile(
  { deps, send }: TestApp,
  request: TestRequest,
  change: (tx: Tx) => Promise<void>,
): Promise<TestAnswer> {
  const { promise: begins, resolve: begin } = Promise.withResolvers<void>()
  const other = deps.storage.write(async (tx) => {
    await begins
    await change(tx)
  })
  const answer = send(request)
  let isAnswered = false
  void answer.finally(() => {
    isAnswered = true
  })
  // The other write, and the waiting write of an authenticated request. On PGlite the request waits to be
  // authenticated.
  const waiting = isOnPglite() ? 1 : 2
  while (!isAnswered && deps.storage.waitingWrites() < waiting) await turn()
  begin()
  await other
  return answer
}

/** One write of each kind that a client can request. */
async function writesOf(app: TestApp): Promise<Readonly<Record<string, TestRequest>>> {
  const { id } = await givenEvent(app)
  return {
    'an event': { method: 'POST', path: '/events', json: plainEvent },
    'a change of an event': { method: 'PATCH', path: `/events/${id}`, json: { title: 'Changed' } },
    'an event to the trash': { method: 'DELETE', path: `/events/${id}` },
    'a venue': { method: 'POST', path: '/venues', json: { venue: 'New hall' } },
    'an organizer': { method: 'POST', path: '/organizers', json: { organizer: 'New club' } },
    'a category': { method: 'POST', path: '/categories', json: { name: 'New' } },
    'a tag': { method: 'POST', path: '/tags', json: { name: 'New' } },
    'a picture': { method: 'POST', path: service('/media'), ...form(await picture(40, 30)) },
    'a key': { method: 'POST', path: service('/users/me/keys'), json: { label: 'new' } },
    'a key of another': { method: 'POST', path: service('/users/4/keys'), json: { label: 'new' } },
    'a user': { method: 'POST', path: service('/users'), json: { name: 'new', role: 'author' } },
    'a role': { method: 'PATCH', path: service('/users/1'), json: { role: 'editor' } },
  }
}

/** Returns the whole database except what the service writes beside requests. */
async function contentOf({ deps: { storage } }: TestApp): Promise<unknown> {
  const { db } = storage
  const [records, terms, users, keys] = await Promise.all([
    db.selectFrom('records').select(['id', 'title', 'status']).orderBy('id').execute(),
    db.selectFrom('terms').select('id').orderBy('id').execute(),
    db.selectFrom('users').select(['id', 'role']).where('id', '<=', 5).orderBy('id').execute(),
    db.selectFrom('application_passwords').select(['id', 'digest']).where('user_id', '<=', 5).orderBy('id').execute(),
  ])
  return { records, terms, users, keys }
}

const losses: Readonly<Record<string, readonly [change: (tx: Tx, person: Person) => Promise<void>, outcome: unknown]>> =
  {
    'is removed': [(tx, { id }) => removeUser(tx, id), [401, 'incorrect_password']],
    'has the key revoked': [
      async (tx, { id, key }) => void (await removeKeyAndDescendants(tx, { id: key, userId: id })),
      [401, 'incorrect_password'],
    ],
    'has the key renewed': [
      async (tx, { key }) =>
        void (await replaceKeyDigest(tx, key, { digest: `another of ${key}`, previousUntil: undefined, makers: [] })),
      [401, 'incorrect_password'],
    ],
    'loses the role': [(tx, { id }) => updateUser(tx, { id, email: '', role: 'subscriber' }), [403, 'rest_forbidden']],
  }

for (const [what, [change, expected]] of Object.entries(losses)) {
  test(`nothing is written for a user who ${what} while the write waits for its turn`, async (t) => {
    const app = await startTestApp(t)
    const writes = await writesOf(app)
    const before = await contentOf(app)

    for (const [name, request] of Object.entries(writes)) {
      const person = await givenPerson(app, name, 'administrator')
      const headers = { ...request.headers, ...person.headers }
      const answer = await meanwhile(app, { ...request, headers }, (tx) => change(tx, person))

      assert.deepEqual(outcome(answer), expected, `${name}: ${answer.text}`)
    }

    assert.deepEqual(await contentOf(app), before)
  })
}

test('nothing is written for a browser that is signed out, or whose user is removed, while the write waits', async (t) => {
  const app = await startTestApp(t)
  const given = async (name: string): Promise<{ person: Person; browser: Browser }> => {
    const person = await givenPerson(app, name, 'administrator')
    await setPassword(app.deps, person.id, { password: goodPassword })
    return { person, browser: await openBrowser(app, name) }
  }
  const requests: readonly TestRequest[] = [
    { method: 'POST', path: '/events', json: plainEvent },
    { method: 'POST', path: service('/users/me/keys'), json: { label: 'new' } },
    { method: 'PUT', path: service('/users/4/password'), json: { password: goodPassword } },
  ]
  const outcomes: unknown[] = []

  for (const [place, request] of requests.entries()) {
    const signedOut = await given(`signed out ${place}`)
    const removed = await given(`removed ${place}`)
    const headers = (browser: Browser) => ({ ...request.headers, ...browser.headers })
    outcomes.push(
      outcome(
        await meanwhile(app, { ...request, headers: headers(signedOut.browser) }, (tx) =>
          removeSessionsOf(tx, signedOut.person.id, undefined),
        ),
      ),
      outcome(
        await meanwhile(app, { ...request, headers: headers(removed.browser) }, (tx) =>
          removeUser(tx, removed.person.id),
        ),
      ),
    )
  }

  assert.deepEqual(
    outcomes,
    outcomes.map(() => [401, 'rest_forbidden']),
  )
})

test('nobody signs in who is removed meanwhile', async (t) => {
  const app = await startTestApp(t)
  await setOwnPassword(app, 'editor')
  const json = { login: 'editor', password: goodPassword }

  const answer = await meanwhile(app, { method: 'POST', path: service('/session'), json }, (tx) =>
    removeUser(tx, 4 as UserId),
  )

  assert.deepEqual(outcome(answer), [401, 'sign-in-failed'])
})

test('whoever has no less a role by the turn of the write has it done', async (t) => {
  const app = await startTestApp(t)
  const { id, headers } = await givenPerson(app, 'zoe', 'author')

  const answer = await meanwhile(app, { method: 'POST', path: '/events', json: plainEvent, headers }, (tx) =>
    updateUser(tx, { id, email: '', role: 'editor' }),
  )

  assert.equal(answer.status, 201, answer.text)
})

test('a user, an author or a picture that is named and removed before the turn of the write is refused as unknown', async (t) => {
  const app = await startTestApp(t)
  const { id: event } = await givenEvent(app)
  const { body: venue } = await app.send({ as: 'editor', method: 'POST', path: '/venues', json: { venue: 'Hall' } })
  const requests = [
    ['POST', '/events', plainEvent],
    ['PATCH', `/events/${event}`, {}],
    ['POST', '/venues', { venue: 'New hall' }],
    ['PATCH', `/venues/${venue.id}`, {}],
  ] as const

  for (const [method, path, json] of requests) {
    const { id } = await givenPerson(app, `${method} ${path}`, 'author')
    const upload = { as: 'editor', method: 'POST', path: service('/media'), ...form(await picture(40, 30)) } as const
    const { body: media } = await app.send(upload)

    const author = await meanwhile(app, { as: 'editor', method, path, json: { ...json, author: id } }, (tx) =>
      removeUser(tx, id),
    )
    const image = await meanwhile(
      app,
      { as: 'editor', method, path, json: { ...json, image: media.id } },
      async (tx) => {
        await tx.deleteFrom('records').where('id', '=', media.id).execute()
      },
    )

    for (const [answer, name] of [
      [author, 'author'],
      [image, 'image'],
    ] as const) {
      assert.deepEqual(outcome(answer), [400, 'rest_invalid_param'], answer.text)
      assert.deepEqual(Object.keys(answer.body.data.params), [name])
    }
  }
  const { id } = await givenPerson(app, 'owner of a key', 'author')
  const key = await meanwhile(
    app,
    { as: 'administrator', method: 'POST', path: service(`/users/${id}/keys`), json: { label: 'late' } },
    (tx) => removeUser(tx, id),
  )
  assert.deepEqual(outcome(key), [404, 'user-not-found'])
})
