// Where parameters come from (conventions.md §2) and the order of checks (conventions.md §3), table by table.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createUser } from '../../src/access/auth/user.service.ts'
import { startTestApp, type TestRequest } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { faultOf, jsonType, nonce, own, raw, venueCount } from './asking.ts'

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

function multipart(fields: Readonly<Record<string, string>>) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--cut\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return raw(`${parts.join('')}--cut--\r\n`, { 'content-type': 'multipart/form-data; boundary=cut' })
}

// Where parameters come from (conventions.md §2)

test('a body beats the query, name by name, in every form on every writing method', async (t) => {
  const app = await startTestApp(t)
  const bodies = {
    json: { json: { city: 'Body' } },
    'another json': raw('{"city":"Body"}', { 'content-type': 'APPLICATION/vnd.api+JSON; charset=latin1' }),
    form: { form: 'city=Body' },
    multipart: multipart({ city: 'Body' }),
  }

  for (const [name, body] of Object.entries(bodies)) {
    const created = await app.send({
      as: 'editor',
      method: 'POST',
      path: `/venues?venue=${name}&city=Q&zip=Q`,
      ...body,
    })
    assert.deepEqual([created.body.venue, created.body.city, created.body.zip], [name, 'Body', 'Q'], name)
    for (const method of ['POST', 'PUT', 'PATCH'] as const) {
      const path = `/venues/${created.body.id}?city=Q&zip=${method}`
      const changed = await app.send({ as: 'editor', method, path, ...body })
      assert.deepEqual([changed.body.city, changed.body.zip], ['Body', method], `${method} ${name}`)
    }
  }
  const unread = await app.send({
    as: 'editor',
    method: 'POST',
    path: '/venues?venue=Plain&city=Q',
    ...raw('{"city":"Body"}', { 'content-type': 'text/plain' }),
  })
  assert.equal(unread.body.city, 'Q')
})

test('a body without a type is read as a form', async (t) => {
  const app = await startTestApp(t)
  const secret = 'abcd1234efgh5678ijkl9012'
  await createUser(app.deps, { name: 'typist', role: 'editor', email: 'typist@example.org', secret })

  const { statusCode, body } = await app.server.inject({
    method: 'POST',
    url: `${own}/venues`,
    headers: { authorization: `Basic ${btoa(`typist:${secret}`)}` },
    payload: Buffer.from('venue=Untyped'),
  })

  assert.deepEqual([statusCode, JSON.parse(body).venue], [201, 'Untyped'])
})

test('the path wins over body and query', async (t) => {
  const app = await startTestApp(t)
  const lists = {
    venues: { venue: 'Name' },
    organizers: { organizer: 'Name' },
    events: { title: 'Name', start_date: '2030-02-01', end_date: '2030-02-01' },
    categories: { name: 'Name' },
    tags: { name: 'Name' },
  }

  for (const [list, json] of Object.entries(lists)) {
    const name = Object.keys(json)[0] ?? ''
    const make = async (text: string) =>
      (await app.send({ as: 'editor', method: 'POST', path: `/${list}`, json: { ...json, [name]: text } })).body.id
    const [meant, other] = [await make('Meant'), await make('Other')]
    const path = `/${list}/${meant}?id=${other}`

    assert.equal((await app.send({ path })).body.id, meant, list)
    assert.equal(
      (await app.send({ path: `/${list}/${meant}`, method: 'GET', json: { id: other } })).body.id,
      meant,
      list,
    )
    const changed = await app.send({ as: 'editor', method: 'PATCH', path, json: { id: other, [name]: 'New' } })
    assert.deepEqual([changed.body.id, changed.body[name]], [meant, 'New'], list)
    assert.equal((await app.send({ as: 'editor', method: 'DELETE', path, json: { id: other } })).body.id, meant, list)
    assert.equal((await app.send({ path: `/${list}/${other}` })).body[name], 'Other', list)
  }
  const { slug } = await givenEvent(app, { title: 'By slug' })
  const renamed = await app.send({
    as: 'editor',
    method: 'PATCH',
    path: `/events/by-slug/${slug}`,
    json: { slug: 'n' },
  })
  assert.deepEqual([renamed.status, renamed.body.slug], [200, 'n'])
})

test('a GET reads JSON, but no form', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: 'One' })
  await givenVenue(app, { venue: 'Two' })

  const counts = async (request: Partial<TestRequest>) =>
    (await app.send({ method: 'GET', path: '/venues', ...request })).body.venues.length
  assert.equal(await counts({ json: { per_page: 1 } }), 1)
  assert.equal(await counts({ ...raw('per_page=1', formType) }), 2)
  assert.equal(await counts({ path: '/venues?per_page=2', json: { per_page: 1 } }), 1)
})

test('JSON that cannot be read is told as such on every method', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)
  const invalid = Buffer.from([...Buffer.from('{"venue":"'), 0xff, 0xfe, ...Buffer.from('"}')])

  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const) {
    for (const [payload, number] of [
      ['{"venue":', 4],
      ['{venue:1}', 4],
      [invalid, 5],
    ] as const) {
      const url = `${own}/venues/${id}`
      const { statusCode, body } = await app.server.inject({ method, url, headers: jsonType, payload })
      const { code, data } = JSON.parse(body)
      assert.deepEqual([statusCode, code], [400, 'rest_invalid_json'], `${method} ${payload}`)
      assert.deepEqual(Object.keys(data), ['status', 'json_error_code', 'json_error_message'])
      assert.deepEqual([data.status, data.json_error_code], [400, number], `${method} ${payload}`)
    }
  }
  assert.equal((await app.send({ as: 'editor', path: `/venues/${id}` })).body.status, 'publish')
})

test('a body that is no object is as none', async (t) => {
  const app = await startTestApp(t)

  for (const text of ['', ' ', 'null', '[]', '[{"venue":"x"}]', '"venue"', '5', 'true', '{}']) {
    const answer = await app.send({ as: 'editor', method: 'POST', path: '/venues', ...raw(text) })
    assert.deepEqual(faultOf(answer), [400, 'rest_missing_callback_param', ['venue']], text)
  }
  assert.equal(await venueCount(app), 0)
})

test('of a name that comes twice the last counts, and unknown names do not count', async (t) => {
  const app = await startTestApp(t)

  const send = (request: Partial<TestRequest>) =>
    app.send({ as: 'editor', method: 'POST', path: '/venues', ...request })
  assert.equal((await send(raw('{"venue":"A","venue":"B","id":7,"nonsense":[]}'))).body.venue, 'B')
  assert.equal((await send({ form: 'venue=C&venue=D' })).body.venue, 'D')
  assert.equal((await send({ path: '/venues?venue=E&venue=F&nonsense=1' })).body.venue, 'F')
})

test('lists, numbers and booleans mean the same in every form that has them', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: 'One' })
  await givenVenue(app, { venue: 'Two', status: 'draft' })
  await givenVenue(app, { venue: 'Three', status: 'pending' })
  const total = async (request: Partial<TestRequest>) =>
    (await app.send({ as: 'editor', path: '/venues', ...request })).body.total

  for (const query of ['status=publish,draft', 'status[]=publish&status[]=draft', 'status=publish,%20draft']) {
    assert.equal(await total({ path: `/venues?${query}` }), 2, query)
  }
  assert.equal(await total({ method: 'GET', json: { status: ['publish', 'draft'] } }), 2)
  for (const perPage of [1, '1']) {
    const { body } = await app.send({ path: '/venues', method: 'GET', json: { per_page: perPage } })
    assert.equal(body.venues.length, 1)
  }
  for (const [text, isFeatured] of [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    [1, true],
    [true, true],
    ['false', false],
    ['False', false],
    ['0', false],
    [0, false],
    [false, false],
  ] as const) {
    assert.equal((await givenEvent(app, { featured: text })).featured, isFeatured, JSON.stringify(text))
  }
})

test('null is missing where a value is required, and of the wrong type where it is not', async (t) => {
  const app = await startTestApp(t)

  const required = await app.send({ as: 'editor', method: 'POST', path: '/venues', json: { venue: null } })
  assert.deepEqual(faultOf(required), [400, 'rest_missing_callback_param', ['venue']])
  const typed = await app.send({ as: 'editor', method: 'POST', path: '/venues', json: { venue: 'x', city: null } })
  assert.deepEqual(faultOf(typed), [400, 'rest_invalid_param', ['city']])
  assert.deepEqual(
    [typed.body.data.details.city.code, typed.body.data.details.city.data],
    ['rest_invalid_type', { param: 'city' }],
  )
})

// Order of checks (conventions.md §3)

test('of several mistakes the first in the order of checks is told', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)
  const trashed = await givenVenue(app, { venue: 'Trashed' })
  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${trashed.id}` })
  const wrong = { authorization: `Basic ${btoa('editor:wrong')}` }
  const post = { method: 'POST', path: '/events' } as const
  const full = { title: 'x', start_date: '2030-02-01', end_date: '2030-02-01' }
  const before = await venueCount(app)

  for (const [request, ...expected] of [
    [{ path: '/nope', headers: wrong }, 401, 'incorrect_password'],
    [{ ...post, form: '{', headers: { ...jsonType, ...wrong } }, 401, 'incorrect_password'],
    [{ path: '/venues', headers: { ...nonce, ...wrong } }, 401, 'incorrect_password'],
    [{ path: '/venues?_jsonp=a()', headers: wrong }, 400, 'rest_callback_invalid'],
    [{ path: '/nope', headers: nonce }, 403, 'rest_cookie_invalid_nonce'],
    [{ method: 'POST', path: '/nope', ...raw('{') }, 404, 'rest_no_route'],
    [{ method: 'PUT', path: '/venues', ...raw('{') }, 404, 'rest_no_route'],
    [{ ...post, ...raw('{') }, 400, 'rest_invalid_json'],
    [{ method: 'PATCH', path: '/venues/99999', ...raw('{') }, 400, 'rest_invalid_json'],
    [{ ...post, json: {} }, 400, 'rest_missing_callback_param', ['title', 'start_date', 'end_date']],
    [{ ...post, json: { title: '', featured: 'x' } }, 400, 'rest_missing_callback_param', ['start_date', 'end_date']],
    [
      { ...post, json: { ...full, title: '', timezone: 'zz', featured: 'x' } },
      400,
      'rest_invalid_param',
      ['title', 'timezone'],
    ],
    [{ ...post, json: { ...full, timezone: 'zz', ml_language: 'xx' } }, 400, 'rest_invalid_param', ['timezone']],
    [{ ...post, json: { ...full, featured: 'x', all_day: 'y' } }, 400, 'rest_invalid_param', ['all_day', 'featured']],
    [{ ...post, json: { ...full, ml_language: 'xx' } }, 400, 'rest_invalid_param', ['ml_language']],
    [{ ...post, json: full }, 401, 'rest_forbidden'],
    [{ ...post, as: 'subscriber', json: full }, 403, 'rest_forbidden'],
    [{ method: 'PATCH', path: '/venues/99999', json: {} }, 400, 'rest_invalid_param', ['id']],
    [{ method: 'DELETE', path: '/venues/99999' }, 400, 'rest_invalid_param', ['id']],
    [{ method: 'PATCH', path: `/venues/${id}`, json: { show_map: [] } }, 400, 'rest_invalid_param', ['show_map']],
    [{ method: 'DELETE', path: `/venues/${trashed.id}` }, 401, 'rest_forbidden'],
    [{ as: 'contributor', method: 'DELETE', path: `/venues/${trashed.id}` }, 403, 'rest_forbidden'],
    [{ as: 'editor', method: 'DELETE', path: `/venues/${trashed.id}` }, 410, 'venue-is-in-trash'],
    [{ path: '/venues?page=9&status=draft' }, 400, 'rest_invalid_param', ['status']],
    [{ path: '/venues?page=9' }, 404, 'venue-archive-page-not-found'],
  ] as const) {
    assert.deepEqual(faultOf(await app.send(request)), expected, JSON.stringify(request))
  }
  assert.equal(await venueCount(app), before)
})
