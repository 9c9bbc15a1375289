import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestAnswer, type TestRequest } from '../../../test/support/app.ts'
import { changed, givenEvent, givenVenue } from '../../../test/support/given.ts'
import { givenBrowser, service } from '../../../test/support/signing.ts'

const sharing = { SHARED_CACHE_SECONDS: '300' }
const told = ({ headers }: TestAnswer) => headers['cache-control']
const isShared = (answer: TestAnswer) => /public|s-maxage/.test(told(answer) ?? '')

const visitorPaths = ['/events', '/events?search=concert', '//events/', '//event/concert/', '//events/month/']

test('answers to visitors say how long shared caches may keep them, and under which key', async (t) => {
  const app = await startTestApp(t, sharing)
  const { id } = await givenEvent(app)
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  for (const path of [...visitorPaths, `/events/${id}`]) {
    const first = await app.send({ path })
    const again = await app.send({ path })
    const known = await app.send({ path, headers: { 'if-none-match': String(first.headers.etag) } })

    assert.deepEqual([first.status, again.status, known.status], [200, 200, 304], path)
    for (const answer of [first, again, known]) {
      assert.match(
        String(told(answer)),
        /^public, max-age=0, s-maxage=\d+, stale-while-revalidate=10, stale-if-error=600$/,
        path,
      )
      assert.deepEqual([answer.headers.xkey, answer.headers['cache-tag']], ['calendar', 'calendar'], path)
      assert.match(String(answer.headers.vary), /Authorization, Cookie/, path)
    }
  }
  // Without the framework.
  const hits = [await fetch(`${url}/events/`), await fetch(`${url}/events/`)]
  for (const { headers } of hits) assert.match(String(headers.get('cache-control')), /^public, .*s-maxage=/)
})

test('a shared cache keeps an answer no longer than it is valid', async (t) => {
  const app = await startTestApp(t, { SHARED_CACHE_SECONDS: '86400' })
  await givenEvent(app, { start_date: '2030-01-15 12:00:30', end_date: '2030-01-15 12:01:00' })
  const secondsOf = async () => Number(/s-maxage=(\d+)/.exec(String(told(await app.send({ path: '/events' }))))?.[1])
  const seconds = await secondsOf()
  // Until the day ends.
  assert.equal(seconds, 35_999)
  app.pass(10)
  // The response is the same and has less time left.
  assert.equal(await secondsOf(), seconds - 10)
})

test('no answer for one client only enters a shared cache', async (t) => {
  const app = await startTestApp(t, sharing)
  const { id } = await givenEvent(app)
  const draft = await givenEvent(app, { title: 'Draft', status: 'draft' })
  const secret = await givenEvent(app, { title: 'Members', event_password: 'sesame', description: 'Knock twice' })
  const browser = await givenBrowser(app, 'editor')
  const { body: key } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: service('/users/4/keys'), json: { label: 'a' } },
  })
  const basic = { authorization: `Basic ${btoa(`editor:${key.secret}`)}` }
  const requests: readonly Omit<TestRequest, 'server'>[] = [
    ...[...visitorPaths, `/events/${id}`].flatMap((path): TestRequest[] => [
      { path, headers: { cookie: browser.cookie } },
      { path, headers: { cookie: 'theme=dark' } },
      { path, headers: { ...browser.headers, 'x-wp-nonce': browser.token } },
    ]),
    ...['/events', `/events/${id}`, `/events/${secret.id}?password=sesame`, `/events/${draft.id}`].flatMap(
      (path): TestRequest[] => [
        { path, as: 'editor' },
        { path, headers: basic },
        { path, headers: { authorization: 'Basic d3Jvbmc6d3Jvbmc=' } },
        { path, headers: { authorization: 'Nonsense' } },
      ],
    ),
    ...['password=sesame', 'pass%77ord=sesame', 'password=wrong', 'password', '_wpnonce=x'].flatMap(
      (query): TestRequest[] => [{ path: `/events/${secret.id}?${query}` }, { path: `/events?${query}` }],
    ),
    { path: '//event/members/', method: 'POST', form: 'password=sesame' },
    { path: '/tags?context=edit' },
    { path: '/events?context=edit', as: 'editor' },
    { path: `/events/${id}?context=edit`, as: 'administrator' },
    { path: '/events?status=draft' },
    { path: `/events/${draft.id}` },
    { path: '//event/draft/' },
    { path: '//event/draft/?preview=true' },
    { path: `//?p=${draft.id}&preview=true` },
    { path: '/events', method: 'POST', json: {}, headers: { 'idempotency-key': 'a' } },
    { path: '/events', headers: { 'x-http-method-override': 'DELETE' } },
    { path: service('/session'), headers: { cookie: browser.cookie } },
    { path: service('/session') },
    { path: service('/users') },
    { path: service('/audit'), as: 'administrator' },
    { path: service('/changes?wait=0') },
    { path: '//manage/', headers: { cookie: browser.cookie } },
    { path: '//manage/' },
    { path: '//health/ready' },
    { path: '/events/999' },
    { path: '//nowhere' },
  ]
  // Twice: once made, and once perhaps from the response cache, which has what visitors get.
  for (const path of visitorPaths) await app.send({ path })
  for (const request of [...requests, ...requests]) {
    const answer = await app.send(request)
    assert.ok(!isShared(answer), `${JSON.stringify(request)}: ${answer.status} ${JSON.stringify(answer.headers)}`)
    assert.match(String(told(answer)), /private|no-store/, JSON.stringify(request))
    assert.ok(answer.status < 500, JSON.stringify(request))
  }
  assert.doesNotMatch((await app.send({ path: '//event/members/' })).text, /Knock twice/)
})

test('what visitors get differs by a header field only if `Vary` names it', async (t) => {
  const app = await startTestApp(t, {
    ...sharing,
    ...{ CORS_ORIGINS: 'https://app.example', TEXTS_FROM_ACCEPT_LANGUAGE: 'true' },
  })
  await givenEvent(app)
  await givenVenue(app)
  const fields: readonly Readonly<Record<string, string>>[] = [
    { origin: 'https://app.example' },
    { 'accept-language': 'fr' },
    { accept: 'text/html' },
    { accept: 'application/json' },
    { prefer: 'handling=strict' },
    { 'x-forwarded-host': 'elsewhere.example', 'x-forwarded-proto': 'https', 'x-forwarded-for': '192.0.2.1' },
    { 'user-agent': 'Mobile', dnt: '1', 'save-data': 'on', 'x-requested-with': 'XMLHttpRequest' },
  ]
  for (const path of [...visitorPaths, '/venues', '/events?nonsense=1', '//events/?ical=1', '/']) {
    const plain = await app.send({ path })
    if (!isShared(plain)) continue
    const vary = String(plain.headers.vary).toLowerCase().split(/, */)
    for (const headers of fields) {
      const other = await app.send({ path, headers })
      if (Object.keys(headers).some((name) => vary.includes(name))) continue
      assert.deepEqual([other.status, other.text], [plain.status, plain.text], `${path} ${JSON.stringify(headers)}`)
    }
  }
})

test('without the setting nothing is told to shared caches', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  await changed(app, `/events/${id}`, { title: 'Concert' })
  for (const path of visitorPaths) {
    const answer = await app.send({ path })
    assert.ok(!isShared(answer), path)
    assert.doesNotMatch(String(answer.headers.vary), /cookie/i, path)
  }
})
