// Global parameters (conventions.md §6), table by table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp } from '../support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
import { faultOf, nonce } from './asking.ts'

test('_fields keeps members at the top, and inside objects, but not inside lists', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { venue: { venue: 'Hall' }, organizer: { organizer: 'Club' } })
  const term = await givenTerm(app, 'tags', { name: 'Loud' })
  const { id } = event
  const path = `/events/${id}`

  for (const [at, expected] of [
    [`${path}?_fields=id,title`, { id, title: 'Concert' }],
    [`${path}?_fields=title,id`, { id, title: 'Concert' }],
    [`${path}?_fields=%20id%20,%20title`, { id, title: 'Concert' }],
    [`${path}?_fields[]=id&_fields[]=title`, { id, title: 'Concert' }],
    [`${path}?_fields=json_ld.name`, { json_ld: { name: 'Concert' } }],
    [`${path}?_fields=venue.venue,id`, { id, venue: { venue: 'Hall' } }],
    [`${path}?_fields=organizer.id`, { organizer: [] }],
    [`${path}?_fields=zzz`, []],
    [`/tags/${term.id}?_fields=id,name`, { id: term.id, name: 'Loud' }],
    ['/events?_fields=total', { total: 1 }],
    ['/events?_fields=events.title,total', { events: [], total: 1 }],
    ['?_fields=namespace', { namespace: 'cal/events/v1', _links: { up: [{ href: `${site}/` }] } }],
  ] as const) {
    assert.deepEqual((await app.send({ path: at })).body, expected, at)
  }
  const refused = await app.send({ path: '/events?page=0&_fields=code' })
  assert.deepEqual(Object.keys(refused.body), ['code', 'message', 'data'])
  const created = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/venues',
    json: { venue: 'New', _fields: 'venue' },
  })
  assert.deepEqual([created.status, created.body], [201, { venue: 'New' }])
  const changed = await app.send({ as: 'editor', method: 'PATCH', path, form: 'title=Later&_fields=title' })
  assert.deepEqual(changed.body, { title: 'Later' })
})

test('_envelope puts status and headers into the body', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)
  const venues = await app.send({ path: '/venues' })

  for (const value of ['1', '0', '']) {
    const { status, body } = await app.send({ path: `/venues?_envelope=${value}` })
    assert.deepEqual(status, 200)
    assert.deepEqual(Object.keys(body), ['body', 'status', 'headers'])
    assert.deepEqual(Object.keys(body.body), Object.keys(venues.body))
    const { headers } = body
    assert.deepEqual([headers.Allow, headers['X-TEC-Total'], headers['X-TEC-TotalPages']], ['GET', 1, 1])
    assert.deepEqual(Object.keys(headers).sort(), ['Allow', 'X-TEC-Total', 'X-TEC-TotalPages'])
  }
  const refused = await app.send({ path: `/venues/${id}9?_envelope=1` })
  assert.deepEqual([refused.status, refused.body.status, refused.body.body.code], [200, 400, 'rest_invalid_param'])
  const lost = await app.send({ path: '/nope?_envelope=1' })
  assert.deepEqual([lost.status, lost.body.status, lost.body.headers], [200, 404, []])
  const created = await app.send({ as: 'editor', method: 'POST', path: '/tags?_envelope=1', json: { name: 'x' } })
  assert.deepEqual([created.status, created.body.status], [200, 201])
  assert.equal(created.body.headers.Location, created.body.body.urls.self)
})

test('_jsonp wraps an answer in a call, errors with their status', async (t) => {
  const app = await startTestApp(t)

  const answer = await app.send({ path: '/venues?_jsonp=my.call_1&_fields=total' })
  assert.equal(answer.text, '/**/my.call_1({"total":0})')
  assert.equal(answer.headers['content-type'], 'application/javascript; charset=UTF-8')
  const refused = await app.send({ path: '/nope?_jsonp=cb' })
  assert.equal(refused.status, 404)
  assert.match(refused.text, /^\/\*\*\/cb\(\{"code":"rest_no_route".*\}\)$/)
  for (const name of ['a()', 'a-b', 'a%20b', '<x>', 'a;b', '', 'alert(1)//']) {
    const wrong = await app.send({ path: `/venues?_jsonp=${name}` })
    assert.deepEqual([wrong.status, JSON.parse(wrong.text).code], [400, 'rest_callback_invalid'], name)
    assert.deepEqual(Object.keys(JSON.parse(wrong.text)), ['code', 'message'], name)
  }
})

test('with JSONP=false `_jsonp` is a parameter like any unknown one', async (t) => {
  const app = await startTestApp(t, { JSONP: 'false' })

  for (const name of ['cb', 'a()']) {
    const { status, headers, body } = await app.send({ path: `/venues?_jsonp=${name}&_fields=total` })
    assert.deepEqual([status, headers['content-type'], body], [200, 'application/json; charset=UTF-8', { total: 0 }])
  }
})

test('_pretty indents by four blanks; without it there are none', async (t) => {
  const app = await startTestApp(t)

  assert.equal((await app.send({ path: '/venues?_pretty=1&_fields=total' })).text, '{\n    "total": 0\n}')
  assert.equal((await app.send({ path: '/venues?_pretty&_fields=total' })).text, '{\n    "total": 0\n}')
  assert.equal((await app.send({ path: '/venues?_fields=total' })).text, '{"total":0}')
})

test('_embed, _locale and context change nothing on venues and the index', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const path of [`/venues/${id}`, '/venues', '']) {
    const plain = await app.send({ path })
    for (const query of ['_embed', '_embed=1', '_locale=user', 'context=edit', 'context=embed', 'context=help']) {
      assert.equal((await app.send({ path: `${path}?${query}` })).text, plain.text, `${path}?${query}`)
    }
  }
})

test('a nonce is refused from visitors, whatever it is, and ignored from who is signed in', async (t) => {
  const app = await startTestApp(t)

  for (const request of [
    { path: '/venues', headers: nonce },
    { path: '/venues?_wpnonce=abc' },
    { path: '/nope', headers: nonce },
  ]) {
    assert.deepEqual(faultOf(await app.send(request)), [403, 'rest_cookie_invalid_nonce'], JSON.stringify(request))
    assert.notEqual((await app.send({ as: 'editor', ...request })).status, 403)
  }
})
