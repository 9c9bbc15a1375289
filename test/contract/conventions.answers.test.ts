// Errors (conventions.md §4) and output (conventions.md §5), table by table, with rulings.md 18.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestRequest } from '../support/app.ts'
import { givenVenue } from '../support/given.ts'

// Errors (conventions.md §4)

test('errors have one shape, with `details` an empty list where there are none', async (t) => {
  const app = await startTestApp(t)
  const bodies = async (request: TestRequest) => {
    const { body, headers } = await app.send(request)
    assert.equal(headers['content-type'], 'application/json; charset=UTF-8')
    assert.ok(body.message.length > 0)
    return { ...body, message: '…' }
  }

  assert.deepEqual(await bodies({ path: '/nope' }), { code: 'rest_no_route', message: '…', data: { status: 404 } })
  const { data } = await bodies({ path: '/venues?page=0&per_page=x' })
  assert.deepEqual(Object.keys(data), ['status', 'params', 'details'])
  assert.deepEqual([data.status, Object.keys(data.params), data.details], [400, ['page', 'per_page'], []])
  const missing = await bodies({ method: 'POST', path: '/events', json: {} })
  assert.deepEqual(missing.data, { status: 400, params: ['title', 'start_date', 'end_date'] })
  const typed = await bodies({ path: '/events?featured=x&ml_language=de' })
  assert.deepEqual(Object.keys(typed.data.details.featured), ['code', 'message', 'data'])
  assert.deepEqual(typed.data.details.featured.data, { param: 'featured' })
  const listed = await bodies({ path: '/venues?ml_language=de' })
  assert.deepEqual(
    [listed.data.details.ml_language.code, listed.data.details.ml_language.data],
    ['rest_not_in_enum', null],
  )
})

// Output (conventions.md §5)

test('every answer has the headers of all answers', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const request of [
    { path: '/venues' },
    { path: `/venues/${id}` },
    { path: '', headers: { accept: 'text/html' } },
    { path: '/nope' },
    { path: '/venues?page=0' },
    { method: 'POST', path: '/venues', json: { venue: 'x' } },
    { method: 'OPTIONS', path: '/venues' },
    { method: 'HEAD', path: '/venues' },
    { path: '/venues', headers: { authorization: `Basic ${btoa('a:b')}` } },
    { as: 'editor', path: '/venues' },
  ] as const) {
    const { status, headers } = await app.send(request)
    const seen = JSON.stringify(request)
    assert.equal(headers['content-type'], 'application/json; charset=UTF-8', seen)
    assert.equal(headers['x-robots-tag'], 'noindex', seen)
    assert.equal(headers['x-content-type-options'], 'nosniff', seen)
    assert.equal(headers.link, `<${site}/>; rel="https://api.w.org/"`, seen)
    assert.equal(
      headers['access-control-allow-headers'],
      'Authorization, X-WP-Nonce, Content-Disposition, Content-MD5, Content-Type',
      seen,
    )
    const exposed = (headers['access-control-expose-headers'] ?? '').split(', ')
    for (const name of [
      'X-TEC-Total',
      'X-TEC-TotalPages',
      'X-WP-Total',
      'X-WP-TotalPages',
      'Link',
      'ETag',
      'X-Ignored-Parameters',
      'X-Adjusted-Parameters',
    ]) {
      assert.ok(exposed.includes(name), `${seen}: ${name}`)
    }
    // Basic is never named: browsers would ask people for a password.
    const isUnknown = status === 401
    assert.equal(headers['www-authenticate'], isUnknown ? 'Bearer realm="calendar"' : undefined, seen)
  }
})

test('only lists have totals, equal to those in their body', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenVenue(app)

  for (const path of ['/events', '/venues', '/organizers', '/categories', '/tags', '/venues?per_page=1']) {
    const { headers, body } = await app.send({ path })
    assert.deepEqual(
      [headers['x-tec-total'], headers['x-tec-totalpages']],
      [`${body.total}`, `${body.total_pages}`],
      path,
    )
  }
  for (const path of [`/venues/${id}`, '', '/venues?page=0', '/nope']) {
    assert.equal((await app.send({ path })).headers['x-tec-total'], undefined, path)
  }
})

test('answers to signed-in callers are kept out of caches; those to visitors are not', async (t) => {
  const app = await startTestApp(t)

  for (const path of ['/venues', '/venues?page=0', '/nope', '']) {
    const { headers } = await app.send({ as: 'subscriber', path })
    assert.equal(headers['cache-control'], 'no-cache, must-revalidate, max-age=0, no-store, private', path)
    assert.equal(headers.expires, 'Wed, 11 Jan 1984 05:00:00 GMT', path)
    const visitors = (await app.send({ path })).headers
    assert.equal(visitors.expires, undefined, path)
    assert.doesNotMatch(visitors['cache-control'] ?? '', /no-store/, path)
  }
})

test('by default pages of any origin may call, without credentials', async (t) => {
  const app = await startTestApp(t)

  for (const origin of ['https://app.example', 'null']) {
    for (const request of [{ path: '/venues' }, { path: '/nope' }, { method: 'OPTIONS', path: '/venues' }] as const) {
      const { headers } = await app.send({ ...request, headers: { origin } })
      assert.equal(headers['access-control-allow-origin'], '*', request.path)
      assert.equal(headers['access-control-allow-methods'], 'OPTIONS, GET, POST, PUT, PATCH, DELETE')
      assert.equal(headers['access-control-allow-credentials'], undefined)
    }
  }
})

test('with * among CORS_ORIGINS any other origin may call, without credentials', async (t) => {
  const app = await startTestApp(t, { CORS_ORIGINS: 'https://app.example, *' })
  const headersFor = async (origin: string) => (await app.send({ path: '/venues', headers: { origin } })).headers

  const [own, stranger, star] = [
    await headersFor('https://app.example'),
    await headersFor('https://other.example'),
    await headersFor('*'),
  ]

  assert.equal(own['access-control-allow-origin'], 'https://app.example')
  assert.equal(own['access-control-allow-credentials'], 'true')
  for (const { vary, ...headers } of [stranger, star]) {
    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal(headers['access-control-allow-credentials'], undefined)
    assert.equal(vary, 'Origin, Accept-Encoding')
  }
})

test('with CORS_ORIGINS only those origins may call, with credentials', async (t) => {
  const app = await startTestApp(t, { CORS_ORIGINS: 'https://app.example, https://other.example' })

  for (const request of [
    { path: '/venues' },
    { path: '/nope' },
    { path: '/venues', headers: { authorization: `Basic ${btoa('a:b')}` } },
    { method: 'OPTIONS', path: '/venues' },
  ] as const) {
    const send = async (origin?: string) => {
      const more = 'headers' in request ? request.headers : {}
      return (await app.send({ ...request, headers: { ...more, ...(origin ? { origin } : {}) } })).headers
    }
    const allowed = await send('https://other.example')
    assert.equal(allowed['access-control-allow-origin'], 'https://other.example')
    assert.equal(allowed['access-control-allow-credentials'], 'true')
    assert.match(allowed.vary ?? '', /^Origin(?:, Accept-Encoding)?$/)
    for (const stranger of [await send('https://evil.example'), await send('null'), await send()]) {
      assert.equal(stranger['access-control-allow-origin'], undefined)
      assert.equal(stranger['access-control-allow-credentials'], undefined)
      assert.match(stranger.vary ?? '', /^Origin(?:, Accept-Encoding)?$/)
    }
  }
})
