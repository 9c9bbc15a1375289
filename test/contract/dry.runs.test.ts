import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp, type TestRequest } from '../support/app.ts'
import { givenEvent, givenVenue, plainEvent } from '../support/given.ts'
import { picture } from '../support/pictures.ts'
import { traceOf } from '../support/trace.ts'

const service = (path: string) => `//cal/service/v1${path}`

interface Key {
  readonly id: number
  readonly headers: Readonly<Record<string, string>>
}

async function givenKey(app: TestApp, scope: string, role: 'administrator' | 'editor' = 'administrator'): Promise<Key> {
  const { body, text } = await app.send({
    ...{ as: role, method: 'POST', path: service('/users/me/keys') },
    json: { label: scope, scope },
  })
  assert.equal(body.scope, scope, text)
  return { id: body.id, headers: { authorization: `Bearer ${body.secret}` } }
}

/** One request for each kind of write of the service namespace. */
async function givenWrites(app: TestApp): Promise<readonly TestRequest[]> {
  const venue = await givenVenue(app)
  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${venue.id}` })
  await givenEvent(app, { ...plainEvent, start_date: '2030-01-20 19:00:00', end_date: '2030-01-20 21:00:00' })
  const upload = {
    payload: await picture(40, 30, 'png'),
    headers: { 'content-type': 'image/png', 'content-disposition': 'attachment; filename="a.png"' },
  }
  const media = await app.send({ as: 'administrator', method: 'POST', path: service('/media'), ...upload })
  const user = await app.send({
    ...{ as: 'administrator', method: 'POST', path: service('/users') },
    json: { name: 'eve', role: 'author' },
  })
  const key = await givenKey(app, 'write')
  const operations = [{ method: 'POST', path: '/tags', body: { name: 'Loud' } }]
  return [
    { method: 'POST', path: service('/users'), json: { name: 'bob', role: 'editor' } },
    { method: 'PATCH', path: service(`/users/${user.body.id}`), json: { email: 'e@example.org' } },
    { method: 'DELETE', path: service(`/users/${user.body.id}`) },
    { method: 'POST', path: service('/users/me/keys'), json: { label: 'next' } },
    { method: 'POST', path: service(`/users/me/keys/${key.id}/rotate`), json: {} },
    { method: 'DELETE', path: service(`/users/me/keys/${key.id}`) },
    { method: 'POST', path: service('/media'), ...upload },
    { method: 'PATCH', path: service(`/media/${media.body.id}`), json: { alt_text: 'A dot' } },
    { method: 'DELETE', path: service(`/media/${media.body.id}?force=1`) },
    { method: 'POST', path: service(`/venues/${venue.id}/restore`) },
    { method: 'POST', path: service('/events/cancel'), json: { where: { to: '2030-01-31' } } },
    { method: 'POST', path: service('/batch'), json: { operations } },
  ]
}

const inQuery = (path: string) => `${path}${path.includes('?') ? '&' : '?'}dry_run=true`

test('every write of the service namespace can be tried: it is answered as usual and leaves no trace', async (t) => {
  const app = await startTestApp(t)
  const writes = await givenWrites(app)
  const before = await traceOf(app)
  const headers = { 'idempotency-key': 'k-1' }

  for (const write of writes) {
    const tried = await app.send({
      ...{ ...write, as: 'administrator', path: inQuery(write.path) },
      headers: { ...write.headers, ...headers },
    })

    assert.ok(tried.status < 300, `${write.method} ${write.path}: ${tried.text}`)
    assert.equal(tried.headers['x-dry-run'], 'true', write.path)
    assert.deepEqual(await traceOf(app), before, `${write.method} ${write.path}`)
  }
  for (const write of writes.slice(-3)) {
    const done = await app.send({ ...write, as: 'administrator' })
    assert.equal(done.headers['x-dry-run'], undefined)
    assert.notDeepEqual(await traceOf(app), before, write.path)
  }
})

test('dry_run counts in a body, is refused if it is not a boolean, and in a form', async (t) => {
  const app = await startTestApp(t)
  const before = await traceOf(app)
  const tag = { operations: [{ method: 'POST', path: '/tags', body: { name: 'Loud' } }] }
  const send = (json: object) => app.send({ as: 'editor', method: 'POST', path: service('/batch'), json })

  const tried = await send({ ...tag, dry_run: true })
  const wrong = await send({ ...tag, dry_run: 'perhaps' })
  const form = new FormData()
  form.set('dry_run', 'true')
  form.set('file', new File([new Uint8Array(await picture(40, 30, 'png'))], 'a.png'))
  const encoded = new Response(form)
  const inForm = await app.send({
    ...{ as: 'editor', method: 'POST', path: service('/media'), payload: Buffer.from(await encoded.arrayBuffer()) },
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  })

  assert.deepEqual([tried.status, tried.headers['x-dry-run'], tried.body.results[0].body.name], [200, 'true', 'Loud'])
  assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [400, ['dry_run']])
  assert.deepEqual([inForm.status, Object.keys(inForm.body.errors)], [400, ['dry_run']])
  assert.deepEqual(await traceOf(app), before)
})

test('what would be refused is refused when it is tried', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  const restored = await app.send({ as: 'editor', method: 'POST', path: service(`/venues/${id}/restore?dry_run=1`) })
  const stranger = await app.send({ as: 'author', method: 'POST', path: service('/users?dry_run=1'), json: {} })

  assert.deepEqual([restored.status, restored.body.code], [409, 'record-not-in-trash'])
  assert.equal(stranger.status, 403)
})

test('a key that only plans tries every write, also those of events', async (t) => {
  const bytes = await picture(40, 30)
  const app = await startTestApp(t, {}, { fetchOutbound: async () => bytes })
  const writes = await givenWrites(app)
  const { id } = await givenEvent(app)
  const { headers } = await givenKey(app, 'plan')
  const before = await traceOf(app)
  const json = { ...plainEvent, title: 'Fair', image: 'https://pictures.example/a.png', tags: ['New'] }

  for (const write of writes) {
    const tried = await app.send({ ...write, headers: { ...write.headers, ...headers } })
    assert.deepEqual([tried.status < 300, tried.headers['x-dry-run']], [true, 'true'], `${write.path}: ${tried.text}`)
  }
  const created = await app.send({ method: 'POST', path: '/events', json, headers })
  const changed = await app.send({ method: 'PATCH', path: `/events/${id}`, json: { title: 'Later' }, headers })
  const trashed = await app.send({ method: 'DELETE', path: `/events/${id}`, headers })
  const read = await app.send({ path: `/events/${id}`, headers })
  const twoPictures = { ...json, organizer: { organizer: 'Band', image: 'https://pictures.example/b.png' } }
  const late = await app.send({ method: 'POST', path: '/events', json: twoPictures, headers })

  assert.deepEqual([created.status, created.body.title, created.body.tags[0].name], [201, 'Fair', 'New'])
  assert.ok(created.body.image.url)
  assert.deepEqual(
    [changed.status, changed.body.title, trashed.status, read.body.title],
    [200, 'Later', 200, 'Concert'],
  )
  assert.deepEqual(
    [created, changed, trashed, read].map((answer) => answer.headers['x-dry-run']),
    ['true', 'true', 'true', undefined],
  )
  assert.deepEqual([late.status, late.body.code], [422, 'picture-not-fetched'])
  assert.deepEqual(await traceOf(app), before)
})

test('a key that only reads is refused every write, by the name of its scope', async (t) => {
  const app = await startTestApp(t)
  const writes = await givenWrites(app)
  const { id } = await givenEvent(app, { ...plainEvent, status: 'private' })
  const { headers } = await givenKey(app, 'read')
  const before = await traceOf(app)

  for (const write of writes) {
    const refused = await app.send({ ...write, headers: { ...write.headers, ...headers } })
    assert.deepEqual([refused.status, refused.body.code], [403, 'beyond-key-scope'], write.path)
  }
  const created = await app.send({ method: 'POST', path: '/events', json: plainEvent, headers })
  const read = await app.send({ path: `/events/${id}`, headers })

  assert.deepEqual([created.status, created.body.code, created.body.data.scope], [403, 'beyond-key-scope', 'read'])
  assert.match(created.body.message, /“read”/)
  assert.deepEqual([read.status, read.headers.allow], [200, 'GET'])
  assert.deepEqual(await traceOf(app), before)
})

test('a key makes no key that can do more than itself, and keys that exist may write', async (t) => {
  const app = await startTestApp(t)
  const { headers } = await givenKey(app, 'plan')
  const make = (json: object) => app.send({ method: 'POST', path: service('/users/me/keys'), json, headers })

  const own = await make({ label: 'a' })
  const beyond = await make({ label: 'a', scope: 'write' })
  const unknown = await make({ label: 'a', scope: 'admin' })
  const listed = await app.send({ path: service('/users/me/keys'), headers })

  assert.deepEqual([own.status, own.body.scope], [201, 'plan'])
  assert.deepEqual([beyond.status, Object.keys(beyond.body.errors)], [400, ['scope']])
  assert.match(beyond.body.errors.scope, /“plan”/)
  assert.equal(unknown.status, 400)
  assert.deepEqual(
    listed.body.map(({ scope }: { scope: string }) => scope),
    ['write', 'plan'],
  )
})
