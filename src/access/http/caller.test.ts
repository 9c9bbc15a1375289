import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { form, picture } from '../../../test/support/pictures.ts'

const service = '//cal/service/v1'

/** Adds a user of this role, and returns the headers of that user's requests. */
async function givenUser(app: TestApp, role: string) {
  const json = { name: `another ${role}`, role }
  const { status, body } = await app.send({ as: 'administrator', method: 'POST', path: `${service}/users`, json })
  assert.equal(status, 201)
  return { id: body.id, authorization: `Basic ${btoa(`another ${role}:${body.application_password}`)}` }
}

type Lost = (app: TestApp, id: number) => Promise<{ readonly status: number }>

/** Ways to lose a right, and the response to a request that was in progress. */
const losses: readonly (readonly [how: string, lose: Lost, status: number])[] = [
  [
    'whose key is revoked',
    async (app, id) => {
      const path = `${service}/users/${id}/keys`
      const [key] = (await app.send({ as: 'administrator', path })).body
      return app.send({ as: 'administrator', method: 'DELETE', path: `${path}/${key.id}` })
    },
    401,
  ],
  [
    'whose user loses the role',
    (app, id) => {
      const json = { role: 'contributor' }
      return app.send({ as: 'administrator', method: 'PATCH', path: `${service}/users/${id}`, json })
    },
    403,
  ],
  [
    'whose user is removed',
    (app, id) => app.send({ as: 'administrator', method: 'DELETE', path: `${service}/users/${id}` }),
    401,
  ],
]

/** Returns a body whose first half arrives before the event and whose second half arrives after it. */
function bodyAround(bytes: Buffer, happens: () => Promise<unknown>): Readable {
  const half = Math.floor(bytes.length / 2)
  return Readable.from(
    (async function* () {
      yield bytes.subarray(0, half)
      await happens()
      yield bytes.subarray(half)
    })(),
  )
}

async function stored(app: TestApp): Promise<readonly string[]> {
  return (await Array.fromAsync(app.deps.pictures.store.list())).map(({ name }) => name)
}

for (const [how, lose, status] of losses) {
  test(`an upload under way ${how} is not kept`, async (t) => {
    const app = await startTestApp(t)
    const { id, authorization } = await givenUser(app, 'author')
    const { payload, headers } = form(await picture(400, 300))

    const answer = await app.server.inject({
      ...{ method: 'POST', url: `${service.slice(1)}/media` },
      headers: { host: new URL(site).host, authorization, ...headers },
      payload: bodyAround(payload, async () => assert.equal((await lose(app, id)).status, 200)),
    })

    assert.equal(answer.statusCode, status, answer.body)
    assert.equal((await app.send({ as: 'editor', path: `${service}/media` })).headers['x-tec-total'], '0')
    assert.deepEqual(await stored(app), [])
  })

  test(`an event under way ${how} is not kept, nor is the picture that it names`, async (t) => {
    const bytes = await picture(400, 300)
    let lost = 0
    const fetchOutbound = async () => {
      lost = (await lose(app, someone.id)).status
      return bytes
    }
    const app = await startTestApp(t, {}, { fetchOutbound })
    const someone = await givenUser(app, 'author')
    const json = { ...plainEvent, image: 'https://pictures.example/a.jpg' }

    const { authorization } = someone
    const answer = await app.send({ method: 'POST', path: '/events', json, headers: { authorization } })

    assert.deepEqual([lost, answer.status], [200, status], answer.text)
    assert.equal((await app.send({ as: 'editor', path: '/events?status=any' })).body.total, 0)
    assert.equal((await app.send({ as: 'editor', path: `${service}/media` })).headers['x-tec-total'], '0')
    assert.deepEqual(await stored(app), [])
  })

  test(`an account that is being made by somebody ${how} is not made`, async (t) => {
    const app = await startTestApp(t)
    const { id, authorization } = await givenUser(app, 'administrator')

    const answer = await app.server.inject({
      ...{ method: 'POST', url: `${service.slice(1)}/users` },
      headers: { host: new URL(site).host, authorization, 'content-type': 'application/json' },
      payload: bodyAround(Buffer.from(JSON.stringify({ name: 'accomplice', role: 'administrator' })), async () =>
        assert.equal((await lose(app, id)).status, 200),
      ),
    })

    assert.equal(answer.statusCode, status, answer.body)
    const users = (await app.send({ as: 'administrator', path: `${service}/users` })).body
    assert.ok(!users.some(({ name }: { readonly name: string }) => name === 'accomplice'))
  })
}

test('somebody who is given a higher role meanwhile goes on', async (t) => {
  const bytes = await picture(40, 30)
  const fetchOutbound = async () => {
    const json = { role: 'editor' }
    await app.send({ as: 'administrator', method: 'PATCH', path: `${service}/users/${someone.id}`, json })
    return bytes
  }
  const app = await startTestApp(t, {}, { fetchOutbound })
  const someone = await givenUser(app, 'author')

  const { status } = await app.send({
    ...{ method: 'POST', path: '/events', headers: { authorization: someone.authorization } },
    json: { ...plainEvent, image: 'https://pictures.example/a.jpg' },
  })

  assert.equal(status, 201)
})
