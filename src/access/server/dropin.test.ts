import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'

const vendor = { VENDOR_WORD: 'tribe', LANGUAGE_PARAMETER: 'wpml_language', REST_PREFIX: '/wp-json' }

test('with the vendor’s words the interface stands under the original addresses', async (t) => {
  const app = await startTestApp(t, vendor)

  const event = await givenEvent(app, { categories: ['Music'], status: 'draft' })

  assert.equal(event.rest_url, `${site}/wp-json/tribe/events/v1/events/${event.id}`)
  assert.equal(event.url, `${site}/?post_type=tribe_events&p=${event.id}`)
  assert.equal(event.categories[0].taxonomy, 'tribe_events_cat')
  assert.equal((await app.send({ path: '/events?wpml_language=xx' })).status, 400)
  assert.equal((await app.send({ path: '/events?ml_language=xx' })).status, 200)
  assert.equal((await app.send({ path: '//cal/events/v1/events' })).status, 404)
})

test('a path may be sent as rest_route', async (t) => {
  const app = await startTestApp(t, vendor)
  const { id } = await givenEvent(app)

  for (const root of ['/', '/index.php']) {
    const one = await app.send({ path: `/${root}?rest_route=/tribe/events/v1/events/${id}` })
    assert.equal(one.body.id, id)
    const list = await app.send({
      path: `/${root}?rest_route=${encodeURIComponent('/tribe/events/v1/events/')}&per_page=1`,
    })
    assert.equal(list.body.total, 1)
    const written = await app.send({
      as: 'editor',
      method: 'POST',
      path: `/${root}?rest_route=/tribe/events/v1/tags`,
      json: { name: `By ${root}` },
    })
    assert.equal(written.status, 201)
  }
  assert.equal((await app.send({ path: '//?rest_route=/nothing' })).body.code, 'rest_no_route')
})

test('the root names the namespaces, and every answer says where the interface is', async (t) => {
  const app = await startTestApp(t, { ...vendor, SITE_NAME: 'Ville de Laval' })

  for (const path of ['//wp-json/', '//wp-json', '//?rest_route=/', '//']) {
    const { status, body, headers } = await app.send({ path })
    assert.equal(status, 200, path)
    assert.deepEqual([body.name, body.url, body.namespaces], ['Ville de Laval', site, ['tribe/events/v1']])
    assert.ok(body.routes['/tribe/events/v1/events'])
    assert.equal(headers.link, `<${site}/wp-json/>; rel="https://api.w.org/"`)
    assert.deepEqual(
      [headers['x-tec-api-version'], headers['x-tec-api-root'], headers['x-tec-api-origin']],
      ['v1', `${site}/wp-json/tribe/events/v1/`, site],
    )
  }
})

test('addresses follow the host by which the client came, a proxy’s word only where it is trusted', async (t) => {
  const open = await startTestApp(t, { TRUST_PROXY: 'true', ALLOWED_HOSTS: 'events.example.org' })
  const closed = await startTestApp(t)
  const forwarded = { host: 'inner:3000', 'x-forwarded-host': 'events.example.org', 'x-forwarded-proto': 'https' }

  const seen = async (app: typeof open, headers: Record<string, string>) =>
    (await app.send({ path: '', headers })).body._links.up[0].href
  assert.equal(await seen(open, forwarded), 'https://events.example.org/')
  assert.equal(await seen(closed, forwarded), 'http://inner:3000/')
  assert.equal(
    await seen(await startTestApp(t, { PUBLIC_URL: 'https://fixed.example.org/' }), forwarded),
    'https://fixed.example.org/',
  )
  assert.match(await seen(closed, { host: 'bad host"><' }), /^http:\/\/127\.0\.0\.1:\d+\/$/)
})

test('the French variant answers under /fr, in French and with addresses of its own', async (t) => {
  const app = await startTestApp(t, vendor)
  const { id } = await givenEvent(app)
  const path = '//wp-json/fr/tribe/events/v1'

  assert.equal(
    (await app.send({ path: `${path}/events/${id}` })).body.rest_url,
    `${site}/wp-json/fr/tribe/events/v1/events/${id}`,
  )
  assert.match((await app.send({ path: `${path}/events/999999` })).body.message, /n’existe pas/)
  assert.match((await app.send({ path: `${path}/events/999999?wpml_language=en` })).body.message, /Event not found/)
})
