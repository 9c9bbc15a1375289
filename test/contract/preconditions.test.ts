import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Role } from '../../src/access/auth/actor.ts'
import { startTestApp, type TestAnswer, type TestApp, type TestRequest } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue, plainEvent } from '../support/given.ts'

/** A record of each kind, and how its title is sent. */
const kinds = [
  { plural: 'events', title: 'title', given: (app: TestApp) => givenEvent(app) },
  { plural: 'venues', title: 'venue', given: (app: TestApp) => givenVenue(app) },
  { plural: 'organizers', title: 'organizer', given: (app: TestApp) => givenOrganizer(app) },
  { plural: 'categories', title: 'name', given: (app: TestApp) => givenTerm(app, 'categories', { name: 'Music' }) },
  { plural: 'tags', title: 'name', given: (app: TestApp) => givenTerm(app, 'tags', { name: 'Loud' }) },
] as const

interface Sent {
  readonly as?: Role
  readonly method?: 'PUT' | 'PATCH' | 'POST' | 'DELETE'
  readonly json?: object
  readonly headers: Readonly<Record<string, string>>
}

const change = (app: TestApp, path: string, { as = 'administrator', method = 'PATCH', json, headers }: Sent) =>
  app.send({ as, method, path, ...(json ? { json } : {}), headers })

const versionOf = ({ headers }: TestAnswer) => Number(headers['x-record-version'])

for (const { plural, title, given } of kinds) {
  describe(`a write of ${plural} with a precondition`, () => {
    test('is done if the record has the version that the writer read, and refused without a trace if not', async (t) => {
      const app = await startTestApp(t)
      const { id } = await given(app)
      const path = `/${plural}/${id}`
      const read = await app.send({ as: 'editor', path })
      const version = versionOf(read)
      assert.match(String(read.headers.etag), new RegExp(`^"${version}-[\\w-]+"$`))
      assert.match(String((await app.send({ path })).headers.etag), new RegExp(`^"${version}-`), 'for visitors too')

      const first = await change(app, path, {
        json: { [title]: 'First' },
        headers: { 'if-match': String(read.headers.etag) },
      })
      assert.equal(first.status, 200, first.text)
      assert.ok(versionOf(first) > version)
      assert.equal(first.headers.etag, undefined, 'the answer to a write is not what a read gives')

      const late = await change(app, path, {
        json: { [title]: 'Late' },
        headers: { 'if-match': String(read.headers.etag) },
      })
      assert.equal(late.status, 412, late.text)
      assert.equal(late.body.code, 'precondition-failed')
      assert.equal(late.body.data.version, versionOf(first))
      assert.equal(versionOf(late), versionOf(first))
      const removal = await change(app, path, { method: 'DELETE', headers: { 'if-match': `"${version}"` } })
      assert.equal(removal.status, 412, removal.text)
      const after = await app.send({ as: 'editor', path })
      assert.equal(after.body[title], 'First')
      assert.equal(versionOf(after), versionOf(first))

      const removed = await change(app, path, { method: 'DELETE', headers: { 'if-match': `"${versionOf(after)}"` } })
      assert.equal(removed.status, 200, removed.text)
    })
  })
}

test('of two writers with the same version one is refused, at the same time as well', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const path = `/events/${id}`
  const version = versionOf(await app.send({ path }))

  const answers = await Promise.all(
    ['One', 'Two', 'Three', 'Four'].map((title) =>
      change(app, path, { json: { title }, headers: { 'if-match': `"${version}"` } }),
    ),
  )

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 412, 412, 412])
  const kept = answers.find(({ status }) => status === 200)
  assert.equal((await app.send({ path })).body.title, kept?.body.title)
})

test('a version is understood alone, in a list, in a weak validator, and a record is asked for by `*`', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const path = `/events/${id}`
  const statusFor = async (headerOf: (version: number) => string) => {
    const version = versionOf(await app.send({ path }))
    return (await change(app, path, { json: { title: 'x' }, headers: { 'if-match': headerOf(version) } })).status
  }

  assert.equal(await statusFor((version) => `"${version}"`), 200)
  assert.equal(await statusFor((version) => `"999", "${version}-abc-gzip"`), 200)
  assert.equal(await statusFor((version) => `W/"${version}-a,b"`), 200)
  assert.equal(await statusFor(() => ' * '), 200)
  assert.equal(await statusFor((version) => `"${version + 1}"`), 412)
  assert.equal(await statusFor((version) => `"1${version}"`), 412)
  assert.equal(await statusFor((version) => String(version)), 200, 'the value of X-Record-Version')
  assert.equal(await statusFor(() => '"kx3f"'), 412)
  assert.equal(await statusFor(() => ''), 412, 'no validator at all')
})

test('If-Unmodified-Since counts to the second, unless If-Match was sent', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  app.pass(60)
  const path = `/events/${id}`
  const statusFor = async (headers: Record<string, string>, method: 'PATCH' | 'DELETE' = 'PATCH') =>
    (await change(app, path, { method, ...(method === 'PATCH' ? { json: { title: 'x' } } : {}), headers })).status

  assert.equal(await statusFor({ 'if-unmodified-since': 'Tue, 15 Jan 2030 11:59:59 GMT' }), 412)
  assert.equal(await statusFor({ 'if-unmodified-since': 'Tue, 15 Jan 2030 12:00:00 GMT' }), 200)
  assert.equal(await statusFor({ 'if-unmodified-since': 'Tue, 15 Jan 2030 12:00:59 GMT' }), 412, 'changed in between')
  assert.equal(await statusFor({ 'if-unmodified-since': 'yesterday' }), 200)
  assert.equal(await statusFor({ 'if-unmodified-since': 'Tue, 15 Jan 2030 11:59:59 GMT', 'if-match': '*' }), 200)
  assert.equal(await statusFor({ 'if-unmodified-since': 'Tue, 15 Jan 2030 11:59:59 GMT' }, 'DELETE'), 412)
})

test('rights, unknown records and bad parameters are told before a precondition', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'draft' })
  const stale = { 'if-match': '"999"' }

  const byContributor = await change(app, `/events/${id}`, { as: 'contributor', json: { title: 'x' }, headers: stale })
  assert.equal(byContributor.status, 403, byContributor.text)
  assert.equal(byContributor.headers['x-record-version'], undefined)
  assert.equal((await change(app, '/events/99999', { json: { title: 'x' }, headers: stale })).status, 404)
  assert.equal((await change(app, `/events/${id}`, { json: { author: 'x' }, headers: stale })).status, 400)
  const { slug } = await givenEvent(app)
  assert.equal((await change(app, `/events/by-slug/${slug}`, { json: { title: 'x' }, headers: stale })).status, 412)
})

test('a venue with another name does not stand in the way of its events, whose validators change', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const { id } = await givenEvent(app, { venue: venue.id })
  const before = await app.send({ path: `/events/${id}` })

  await change(app, `/venues/${venue.id}`, { json: { venue: 'New hall' }, headers: {} })

  const after = await app.send({ path: `/events/${id}` })
  assert.notEqual(after.headers.etag, before.headers.etag)
  assert.equal(versionOf(after), versionOf(before))
  const headers = { 'if-match': String(before.headers.etag) }
  assert.equal((await change(app, `/events/${id}`, { json: { title: 'x' }, headers })).status, 200)
})

test('a term keeps its version while its events come and go', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenTerm(app, 'tags', { name: 'Loud' })
  const before = versionOf(await app.send({ path: `/tags/${id}` }))

  await givenEvent(app, { tags: [id] })

  assert.equal(versionOf(await app.send({ path: `/tags/${id}` })), before)
})

test('a record is taken out of the trash with its version, too', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const trashed = await change(app, `/events/${id}`, { method: 'DELETE', headers: {} })
  const path = `//cal/service/v1/events/${id}/restore`
  const restore = (version: number) => change(app, path, { method: 'POST', headers: { 'if-match': `"${version}"` } })

  const late = await restore(versionOf(trashed) - 1)
  const restored = await restore(versionOf(trashed))

  assert.deepEqual([late.status, late.body.code, versionOf(late)], [412, 'precondition-failed', versionOf(trashed)])
  assert.equal(restored.status, 200, restored.text)
  assert.ok(versionOf(restored) > versionOf(trashed))
})

test('REQUIRE_IF_MATCH refuses changes without a version, and nothing else', async (t) => {
  const app = await startTestApp(t, { REQUIRE_IF_MATCH: 'true' })
  const { id } = await givenEvent(app)
  const tag = await givenTerm(app, 'tags', { name: 'Loud' })
  const path = `/events/${id}`

  for (const method of ['PATCH', 'PUT', 'POST'] as const) {
    const refused = await change(app, path, { method, json: { title: 'x' }, headers: {} })
    assert.equal(refused.status, 428, refused.text)
    assert.equal(refused.body.code, 'precondition-required')
  }
  assert.equal((await change(app, `/tags/${tag.id}`, { method: 'DELETE', headers: {} })).status, 428)
  const version = versionOf(await app.send({ path }))
  assert.equal((await change(app, path, { json: { title: 'x' }, headers: { 'if-match': `"${version}"` } })).status, 200)
  assert.equal((await change(app, path, { json: { title: 'x' }, headers: { 'if-match': '*' } })).status, 200)
})

test('REQUIRE_IF_MATCH covers no import, sweep or cancellation, as its description says', async (t) => {
  const app = await startTestApp(t, { REQUIRE_IF_MATCH: 'true' })
  const post = (path: string, sent: Partial<TestRequest>) =>
    app.send({ as: 'editor', method: 'POST', path: `//cal/service/v1${path}`, ...sent })
  const lines = (title: string) => ({
    payload: Buffer.from(`${JSON.stringify({ ...plainEvent, external_id: 'a', title })}\n`),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  await post('/sources/s/import', lines('Before'))

  const changed = await post('/sources/s/import', lines('After'))
  const canceled = await post('/events/cancel', {
    json: { where: { to: '2031-01-01' }, reason: 'Storm' },
  })
  app.pass(120)
  const swept = await post('/sources/s/sweep', { json: { action: 'trash', seen_since: '2030-01-15T12:01:00Z' } })

  assert.match(changed.text, /"status":200/)
  assert.deepEqual(
    [canceled.status, canceled.body.count, swept.status, swept.body.count],
    [200, 1, 200, 1],
    canceled.text,
  )
})

test('a signed-in reader who has the record already is told so', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { status: 'draft' })
  const path = `/events/${id}`
  const { headers } = await app.send({ as: 'editor', path })

  const again = await app.send({ as: 'editor', path, headers: { 'if-none-match': String(headers.etag) } })

  assert.equal(again.status, 304)
  assert.match(String(again.headers['cache-control']), /no-store/)
})

test('browsers of other sites may send preconditions and read versions', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  for (const path of [`/events/${id}`, `//cal/service/v1/events/${id}/restore`]) {
    const { headers } = await app.send({
      ...{ method: 'OPTIONS', path },
      headers: { origin: 'https://other.example', 'access-control-request-headers': 'content-type, if-match' },
    })

    assert.match(String(headers['access-control-allow-headers']), /, If-Match$/)
    assert.match(String(headers['access-control-expose-headers']), /\bX-Record-Version\b/)
  }
})

test('with If-None-Match: *, an event or a term is only created if none has its slug', async (t) => {
  const app = await startTestApp(t)
  const headers = { 'if-none-match': '*' }
  for (const [path, json] of [
    ['/events', { ...plainEvent, slug: 'fair' }],
    ['/tags', { name: 'Fair', slug: 'fair' }],
    ['/categories', { name: 'Fair', slug: 'fair' }],
  ] as const) {
    const send = (others: object = {}) =>
      app.send({ as: 'editor', method: 'POST', path, json: { ...json, ...others, name: `n${Math.random()}` }, headers })
    const first = await send()
    const second = await send()
    const other = await send({ slug: 'other' })

    assert.deepEqual([first.status, first.body.slug], [201, 'fair'], first.text)
    assert.deepEqual([second.status, second.body.code], [412, 'precondition-failed'], path)
    assert.match(second.body.message, /If-None-Match/)
    assert.equal(other.status, 201)
  }
})
