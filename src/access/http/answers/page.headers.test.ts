import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { pageHeaders } from './page.headers.ts'

const http = { publicUrl: undefined }

/** Returns the sources of each directive of a policy. */
function directivesOf(policy: string | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(
    (policy ?? '').split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources.join(' ')]
    }),
  )
}

test('a page runs and loads only what comes from its own origin, and nobody frames it', () => {
  const headers = pageHeaders(http)
  const directives = directivesOf(headers['Content-Security-Policy'])

  assert.equal(directives['default-src'], "'none'")
  assert.equal(directives['script-src'], "'self'")
  assert.equal(directives['frame-ancestors'], "'none'")
  assert.doesNotMatch(headers['Content-Security-Policy'] ?? '', /unsafe|\*/)
  assert.equal(headers['X-Frame-Options'], 'DENY')
})

test('a page takes from browsers what it does not need', () => {
  const { 'Content-Security-Policy': _policy, ...headers } = pageHeaders(http)

  assert.deepEqual(headers, {
    'X-Content-Type-Options': 'nosniff',
    'X-DNS-Prefetch-Control': 'off',
    'X-Frame-Options': 'DENY',
    'X-Permitted-Cross-Domain-Policies': 'none',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
  })
})

test('what a page names besides is allowed where it is named, and nowhere else', () => {
  const { 'Content-Security-Policy': policy, ...headers } = pageHeaders(http, {
    images: ['https://tiles.example'],
    framedBy: ['https://www.example.org'],
  })
  const directives = directivesOf(policy)

  assert.equal(directives['img-src'], "'self' https://tiles.example")
  assert.equal(directives['frame-ancestors'], 'https://www.example.org')
  assert.equal(headers['X-Frame-Options'], undefined)
  assert.equal(policy?.match(/tiles/g)?.length, 1)
})

test('a source cannot end its directive', () => {
  for (const source of ["'self'; script-src *", "x script-src 'unsafe-inline'", 'a,b', 'a\nb']) {
    assert.throws(() => pageHeaders(http, { images: [source] }), source)
  }
})

test('a service that is reached by https says that it is by nothing else', async (t) => {
  const secure = await startTestApp(t, { PUBLIC_URL: 'https://events.example.org' })
  const plain = await startTestApp(t)

  for (const path of ['//docs', '/events', '//cal/service/v1/media']) {
    const answers = [await secure.send({ path }), await plain.send({ path })]
    assert.deepEqual(
      answers.map(({ headers }) => headers['strict-transport-security']),
      ['max-age=31536000', undefined],
      path,
    )
  }
})

test('a page that names no policy has the strict one all the same', async (t) => {
  const app = await startTestApp(t)
  app.server.get('/forgotten', async (_request, reply) => reply.type('text/html; charset=utf-8').send('<p>Page</p>'))

  const { headers } = await app.send({ path: '//forgotten' })

  assert.equal(headers['content-security-policy'], pageHeaders(http)['Content-Security-Policy'])
})

test('no answer of any kind is without a policy, and none may be taken for another type', async (t) => {
  const app = await startTestApp(t)
  const paths = [
    ...['/events', '/events/999', '/doc', '/', '/events?_jsonp=a', '//docs', '//fr/docs', '//docs/openapi.json'],
    ...['//uploads/none.jpg', '//nothing', '//cal/service/v1/media', '//cal/service/v1/nothing', '//%zz'],
  ]
  for (const path of paths) {
    const { headers } = await app.send({ path })
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.match(headers['content-security-policy'] ?? '', /^default-src 'none'/, path)
  }
})
