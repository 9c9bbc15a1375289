// Paths and methods (conventions.md §1), table by table, with rulings.md 19.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestRequest } from '../support/app.ts'
import { givenTerm, givenVenue } from '../support/given.ts'
import { faultOf, nonce, own, raw } from './asking.ts'

const override = (method: string) => ({ headers: { 'x-http-method-override': method } })

test('paths: letter case and slashes at the end do not count; all else does', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  const found = [
    '/venues',
    '/VENUES',
    '/venues/',
    `/Venues/${id}/`,
    '/venues/BY-SLUG/hall',
    '/venues/by-slug/Hall/',
    '/venues//',
  ]
  for (const path of [...found, '', '/', '//', `/${own.toUpperCase()}/venues`, `/${own}/`]) {
    assert.equal((await app.send({ path })).status, 200, path)
  }
  const unknown = [`/venues//${id}`, '/%76enues', `/venues/by%2Dslug/hall`, '/nope', '/venues/abc']
  const malformed = ['/venues/-1', '/venues/1.0', '/venues/by-slug/', '/venues/by-slug/a/b', `/venues/${id}/x`]
  for (const path of [...unknown, ...malformed].map((each) => `/${own}${each}`)) {
    const answer = await app.send({ path })
    assert.deepEqual(faultOf(answer), [404, 'rest_no_route'], path)
    assert.equal(answer.headers.allow, undefined, path)
  }
})

test('a method that a route lacks is an unknown route, also an unknown method', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const [method, path] of [
    ['PUT', '/venues'],
    ['PATCH', '/venues'],
    ['DELETE', '/venues'],
    ['DELETE', '/events'],
    ['POST', ''],
    ['POST', '/doc'],
    ['PROPFIND', `/venues/${id}`],
    ['TRACE', `/venues/${id}`],
  ] as const) {
    const { statusCode, headers, body } = await app.server.inject({ method: method as 'PUT', url: `${own}${path}` })
    assert.deepEqual([statusCode, JSON.parse(body).code], [404, 'rest_no_route'], `${method} ${path}`)
    assert.equal(headers.allow, undefined)
  }
})

test('HEAD is GET without a body', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const path of ['/venues', `/venues/${id}`, '/events', '/tags', '', '/venues/99999', '/venues?page=0', '/nope']) {
    const [get, head] = [await app.send({ path }), await app.send({ method: 'HEAD', path })]
    assert.equal(head.text, '', path)
    assert.equal(head.status, get.status, path)
    for (const name of ['allow', 'x-tec-total', 'x-tec-totalpages', 'content-type']) {
      assert.equal(head.headers[name], get.headers[name], `${path}: ${name}`)
    }
    assert.deepEqual([head.headers.vary, get.headers.vary], ['Accept-Encoding', 'Accept-Encoding'], path)
  }
})

test('OPTIONS describes a route to everyone, whatever the id and the body', async (t) => {
  const app = await startTestApp(t)
  const { routes } = (await app.send({ path: '' })).body

  for (const [path, pattern] of [
    ['/venues', '/venues'],
    ['/venues/99999', '/venues/(?P<id>\\d+)'],
    ['/venues/by-slug/nobody', '/venues/by-slug/(?P<slug>[^/]+)'],
    ['/tags/99999', '/tags/(?P<id>\\d+)'],
    ['/events?page=0', '/events'],
  ] as const) {
    const answer = await app.send({ method: 'OPTIONS', path, ...raw('{"broken') })
    assert.equal(answer.status, 200, path)
    assert.deepEqual(answer.body, routes[`${own}${pattern}`], path)
    assert.equal(answer.headers.allow, 'GET', path)
  }
  for (const path of ['/nope', '/venues/abc', '//elsewhere']) {
    const answer = await app.send({ method: 'OPTIONS', path })
    assert.deepEqual([answer.status, answer.body, answer.headers.allow], [200, [], undefined], path)
  }
})

test('only a POST may stand for another method, by query or header, not by body', async (t) => {
  const app = await startTestApp(t)
  const as = 'administrator' as const
  const outcomes: readonly (readonly [TestRequest, 'trashed' | 'kept', number])[] = [
    [{ method: 'POST', path: '?_method=DELETE' }, 'trashed', 200],
    [{ method: 'POST', path: '?_method=delete' }, 'trashed', 200],
    [{ method: 'POST', path: '', ...override('Delete') }, 'trashed', 200],
    [{ method: 'POST', path: '?_method=GET', ...override('DELETE') }, 'kept', 200],
    [{ method: 'POST', path: '', json: { _method: 'DELETE' } }, 'kept', 200],
    [{ method: 'POST', path: '?_method=NOPE' }, 'kept', 404],
    [{ method: 'GET', path: '?_method=DELETE' }, 'kept', 200],
    [{ method: 'GET', path: '', ...override('DELETE') }, 'kept', 200],
    [{ method: 'HEAD', path: '?_method=DELETE' }, 'kept', 200],
    [{ method: 'PUT', path: '?_method=DELETE' }, 'kept', 200],
    [{ method: 'PATCH', path: '', ...override('DELETE') }, 'kept', 200],
  ]

  for (const [index, [request, outcome, status]] of outcomes.entries()) {
    const { id } = await givenVenue(app, { venue: `Hall ${index}` })
    const answer = await app.send({ as, ...request, path: `/venues/${id}${request.path}` })
    assert.equal(answer.status, status, JSON.stringify(request))
    const { body } = await app.send({ as, path: `/venues/${id}` })
    assert.equal(body.status, outcome === 'trashed' ? 'trash' : 'publish', JSON.stringify(request))
  }
  const { headers } = await app.send({ method: 'POST', path: '/venues', ...override('PUT') })
  assert.match(headers['cache-control'] ?? '', /no-cache/)
})

test('Allow names what this caller may do here, on refusals too, but not where nobody is known or nothing is there', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app, {}, 'author')
  const term = await givenTerm(app, 'categories', { name: 'Music' })
  const item = 'GET, DELETE, POST, PUT, PATCH'
  const termItem = 'GET, POST, PUT, PATCH, DELETE'

  for (const [request, expected] of [
    [{ path: '/venues' }, 'GET'],
    [{ as: 'subscriber', path: '/venues' }, 'GET'],
    [{ as: 'contributor', path: '/venues' }, 'GET, POST'],
    [{ path: `/venues/${id}` }, 'GET'],
    [{ as: 'contributor', path: `/venues/${id}` }, 'GET'],
    [{ as: 'author', path: `/venues/${id}` }, item],
    [{ as: 'editor', path: `/venues/${id}` }, item],
    [{ as: 'author', path: '/venues/by-slug/hall' }, item],
    [{ as: 'contributor', path: `/categories/${term.id}` }, 'GET'],
    [{ as: 'author', path: `/categories/${term.id}` }, termItem],
    [{ as: 'author', path: '/categories' }, 'GET, POST'],
    [{ as: 'author', path: '/tags' }, 'GET'],
    [{ path: '/venues?page=0' }, 'GET'],
    [{ as: 'editor', method: 'POST', path: '/venues', json: {} }, 'GET, POST'],
    [{ as: 'editor', method: 'POST', path: '/venues', ...raw('{') }, 'GET, POST'],
    [{ method: 'POST', path: '/venues', json: { venue: 'x' } }, 'GET'],
    [{ as: 'contributor', method: 'DELETE', path: `/venues/${id}` }, 'GET'],
    [{ as: 'editor', path: '/venues/abc' }, undefined],
    [{ path: '/venues', headers: { authorization: `Basic ${btoa('a:b')}` } }, undefined],
    [{ path: '/venues', headers: nonce }, undefined],
    [{ as: 'editor', method: 'DELETE', path: '/venues/by-slug/hall' }, item],
  ] as const) {
    assert.equal((await app.send(request)).headers.allow, expected, JSON.stringify(request))
  }
})
