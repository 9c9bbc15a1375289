import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import english from '../../base/languages/en/docs.json' with { type: 'json' }
import french from '../../base/languages/fr/docs.json' with { type: 'json' }

/** Every address in a page, resolved as a browser would. */
function addressesIn(html: string, page: string): readonly string[] {
  return [...html.matchAll(/(?:href|src)="([^"]+)"|&quot;url&quot;:&quot;([^&]+)&quot;/g)]
    .map(([, address, document]) => new URL(address ?? document ?? '', `http://calendar.test${page}`))
    .filter(({ protocol }) => protocol === 'http:')
    .map(({ pathname }) => pathname)
}

async function pathOf(app: TestApp, kind: RegExp): Promise<string> {
  const { text } = await app.send({ path: '//docs' })
  return `/${addressesIn(text, '/docs').find((address) => kind.test(address))}`
}

for (const [restPrefix, page, language, server] of [
  ['', '/docs', 'en', '/cal/events/v1'],
  ['', '/fr/docs', 'fr', '/fr/cal/events/v1'],
  ['/wp-json', '/wp-json/docs', 'en', '/wp-json/cal/events/v1'],
  ['/wp-json', '/wp-json/fr/docs', 'fr', '/wp-json/fr/cal/events/v1'],
  ['/wp-json', '/docs', 'en', '/wp-json/cal/events/v1'],
  ['/wp-json', '/fr/docs', 'fr', '/wp-json/fr/cal/events/v1'],
  ['/fr', '/fr/docs', 'en', '/fr/cal/events/v1'],
] as const) {
  test(`${page} with the prefix “${restPrefix}” is the reference of ${server} in ${language}`, async (t) => {
    const app = await startTestApp(t, { REST_PREFIX: restPrefix, SITE_NAME: 'Ours & <theirs>' })

    const answer = await app.send({ path: `/${page}` })
    const document = await app.send({ path: `/${page}/openapi.json` })

    assert.equal(answer.status, 200)
    assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
    assert.match(answer.text, new RegExp(`<html lang="${language}">`))
    assert.match(answer.text, /<title>Ours &amp; &lt;theirs&gt;/)
    assert.deepEqual([document.body.openapi, document.body.servers], ['3.1.0', [{ url: server }]])
    const addresses = addressesIn(answer.text, page)
    assert.ok(addresses.length >= 7, addresses.join('\n'))
    for (const address of addresses) {
      const { status } = await app.send({ path: `/${address}` })
      assert.equal(status, 200, address)
    }
  })
}

for (const page of ['/docs', '/fr/docs']) {
  test(`all that ${page} names is below the path of PUBLIC_URL, which a proxy takes off`, async (t) => {
    const app = await startTestApp(t, { PUBLIC_URL: 'https://example.org/calendar/' })

    const { text } = await app.send({ path: `/${page}` })
    const { body } = await app.send({ path: `/${page}/openapi.json` })
    const [server] = body.servers

    const addresses = [...addressesIn(text, `/calendar${page}`), server.url]
    assert.ok(addresses.length >= 8, addresses.join('\n'))
    for (const address of addresses) {
      assert.match(address, /^\/calendar\//)
      const { status } = await app.send({ path: `/${address.replace('/calendar', '')}` })
      assert.equal(status, 200, address)
    }
  })
}

test('the document is in the language of its page', async (t) => {
  const app = await startTestApp(t)

  const titles = await Promise.all(
    ['//docs/openapi.json', '//fr/docs/openapi.json'].map(async (path) => (await app.send({ path })).body.info.title),
  )

  assert.deepEqual(titles, ['Calendar events', 'Événements du calendrier'])
})

test('the console sends nothing in a query but what the chosen example sends', async (t) => {
  const app = await startTestApp(t)

  const { body } = await app.send({ path: '//docs/openapi.json' })
  const parameters: readonly { name: string; examples?: Record<string, object> }[] =
    body.paths['/events'].get.parameters
  const examples = (name: string) => parameters.find((parameter) => parameter.name === name)?.examples

  assert.deepEqual(examples('page')?.default, { value: 1, 'x-disabled': true })
  assert.deepEqual(examples('page')?.['in-french'], { value: 1, 'x-disabled': true })
  assert.deepEqual(examples('page')?.['page-too-far'], { summary: 'A page that does not exist', value: 9 })
  assert.deepEqual(examples('start_date')?.default, { value: '2030-05-01 19:00:00', 'x-disabled': true })
  assert.deepEqual(body.components.parameters.ml_language.examples.minimal, { value: 'en', 'x-disabled': true })
})

test('the console names no record that would be changed or removed', async (t) => {
  const app = await startTestApp(t)

  const { body } = await app.send({ path: '//docs/openapi.json' })
  const { get, ...openApi } = body.paths['/events/{id}']
  const inPath = ({ parameters }: { parameters: readonly { in?: string; examples?: object }[] }) =>
    parameters.filter((parameter) => parameter.in === 'path').map(({ examples }) => examples !== undefined)

  assert.deepEqual(inPath(get), [true])
  assert.deepEqual(
    Object.values(openApi).map((operation) => inPath(operation as typeof get)),
    [[false], [false], [false], [false]],
  )
})

test('the page runs and fetches nothing but what comes from here', async (t) => {
  const app = await startTestApp(t)

  const { headers, text } = await app.send({ path: '//docs' })
  const rules = headers['content-security-policy']?.split('; ') ?? []

  assert.ok(rules.includes("default-src 'none'") && rules.includes("script-src 'self'"), rules.join('\n'))
  assert.ok(rules.includes("connect-src 'self'"))
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.doesNotMatch(text, /https?:\/\/|<script(?![^>]*\b(?:src=|type="application\/json"))/)
})

test('files of the page are kept for good; page and document are asked for again, and not sent twice', async (t) => {
  const app = await startTestApp(t)

  for (const [path, keeping] of [
    ['//docs', 'no-cache'],
    ['//docs/openapi.json', 'no-cache'],
    [await pathOf(app, /\.js$/), 'public, max-age=31536000, immutable'],
    [await pathOf(app, /\.css$/), 'public, max-age=31536000, immutable'],
  ] as const) {
    const first = await app.send({ path })
    const again = await app.send({ path, headers: { 'if-none-match': `"other", ${first.headers.etag}` } })
    const changed = await app.send({ path, headers: { 'if-none-match': '"other"' } })

    assert.equal(first.headers['cache-control'], keeping, path)
    assert.deepEqual([first.status, again.status, changed.status], [200, 304, 200], path)
    assert.deepEqual([again.text, again.headers.etag], ['', first.headers.etag])
  }
})

test('clients that read gzip get it, others do not', async (t) => {
  const app = await startTestApp(t)
  const url = '/docs/openapi.json'

  const plain = await app.server.inject({ url })
  const packed = await app.server.inject({ url, headers: { 'accept-encoding': 'br;q=0.5, gzip' } })
  const refused = await app.server.inject({ url, headers: { 'accept-encoding': 'gzip;q=0, deflate' } })

  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding'])
  assert.equal(packed.headers['content-encoding'], 'gzip')
  assert.equal(gunzipSync(packed.rawPayload).toString(), plain.body)
  assert.equal(refused.body, plain.body)
})

test('HEAD answers like GET without a body; other methods and unknown files are no routes', async (t) => {
  const app = await startTestApp(t)

  const got = await app.send({ path: '//docs' })
  const head = await app.send({ method: 'HEAD', path: '//docs' })
  const others = await Promise.all(
    (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((method) => app.send({ method, path: '//docs' })),
  )
  const unknown = await app.send({ path: '//docs/console-other.js' })
  const slash = await app.send({ path: '//fr/docs/' })

  assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', got.headers.etag])
  for (const { status, body } of [...others, unknown]) assert.deepEqual([status, body.code], [404, 'rest_no_route'])
  assert.deepEqual([slash.status, slash.headers.location], [308, '../docs'])
})

test('no text of the page is the same in both languages', () => {
  const same = Object.entries(english).filter(([key, text]) => french[key as keyof typeof english] === text)

  assert.deepEqual(same, [])
})
