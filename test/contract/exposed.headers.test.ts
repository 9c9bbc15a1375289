import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { plainEvent } from '../support/given.ts'

/** Headers that browsers show to every page (Fetch, “CORS-safelisted response-header name”), or only follow themselves. */
const ofBrowsers = [
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires', 'last-modified', 'pragma'],
  ...['access-control-', 'content-security-policy', 'date', 'vary', 'x-robots-tag', 'x-content-type-options'],
  ...['x-dns-prefetch-control', 'x-permitted-cross-domain-policies', 'x-frame-options', 'connection', 'keep-alive'],
]
/** Other names in the source: headers of requests, and properties of iCalendar. */
const others =
  /^x-(wr-|alt-desc|published-ttl|wp-nonce|csrf-token|import-line|idempotency-key|forwarded|http-method-override|amz-|tec-eea)/

const isOfBrowsers = (name: string) => ofBrowsers.some((own) => name.startsWith(own))

test('browsers of other origins can read every header that documents describe, answers have, or the source names', async (t) => {
  const app = await startTestApp(t)
  const service = '//cal/service/v1'
  const source = `${service}/sources/fair/events/1`
  const put = (title: string, query = '') =>
    app.send({ as: 'editor', method: 'PUT', path: `${source}${query}`, json: { ...plainEvent, title } })
  const first = await put('A')
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${first.body.id}`, json: { title: 'Edited' } })
  const kept = await put('B', '?dry_run=true')
  const keyed = { as: 'editor', method: 'POST', path: '/tags', json: { name: 'T' } } as const
  const made = await app.send({ ...keyed, headers: { 'idempotency-key': 'a' } })
  const again = await app.send({ ...keyed, headers: { 'idempotency-key': 'a' } })
  const answers = [
    ...[first, kept, made, again],
    await app.send({ path: '/events?per_page=1&unknown=1', headers: { prefer: 'handling=lenient' } }),
    await app.send({ path: '/events?unknown=1', headers: { prefer: 'handling=strict' } }),
    await app.send({ path: `/events/${first.body.id}` }),
    await app.send({ path: '/events.csv' }),
    await app.send({ path: `${service}/changes` }),
    await app.send({ as: 'editor', path: `${service}/media` }),
    await app.send({ path: '/events/999' }),
    await app.send({ path: `${service}/users` }),
  ]
  const exposed = String(first.headers['access-control-expose-headers']).toLowerCase().split(', ')
  const documents = await Promise.all(
    ['/doc', `${service}/doc`].map(async (path) => (await app.send({ path })).body.components.headers),
  )
  const documented = documents.flatMap((headers) => Object.keys(headers))
  const inSource = globSync('src/**/*.ts', { exclude: ['**/*.test.ts'] }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/['"]((?:X|Idempotency)(?:-[A-Za-z]+)+)['"]/g)].map(
      ([, name = '']) => name,
    ),
  )

  assert.equal(kept.headers['x-fields-kept'], 'title')
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(kept.headers['x-dry-run'], 'true')
  assert.ok(documented.length > 4)
  for (const { headers } of answers) {
    assert.deepEqual(
      Object.keys(headers).filter((name) => !isOfBrowsers(name) && !exposed.includes(name)),
      [],
    )
    if (headers['access-control-expose-headers'] !== undefined) {
      assert.equal(String(headers['access-control-expose-headers']).toLowerCase(), exposed.join(', '))
    }
  }
  const wanted = [...documented, ...inSource].map((name) => name.toLowerCase())
  assert.deepEqual(
    [...new Set(wanted.filter((name) => !exposed.includes(name) && !isOfBrowsers(name) && !others.test(name)))],
    ['idempotency-key'],
  )
})

test('browsers of other origins may send what a write or an import takes in headers', async (t) => {
  const app = await startTestApp(t)
  const asked = ['If-Match', 'Idempotency-Key', 'X-Idempotency-Key', 'X-Import-Line']
  const { headers } = await app.send({
    method: 'OPTIONS',
    path: '//cal/service/v1/sources/fair/import',
    headers: { origin: 'https://other.example', 'access-control-request-headers': asked.join(', ').toLowerCase() },
  })

  assert.deepEqual(String(headers['access-control-allow-headers']).split(', ').slice(-asked.length), asked)
})
