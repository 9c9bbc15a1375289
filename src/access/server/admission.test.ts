import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent } from '../../../test/support/given.ts'
import { sendRaw } from '../../../test/support/socket.ts'

interface Asked {
  readonly path?: string
  /** The address of the client, as reported by the proxy. */
  readonly from?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  readonly body?: string
}

/** Starts the service behind one proxy, over real connections. */
async function behindProxy(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(t, { TRUST_PROXY: 'true', ...environment })
  const url = await app.server.listen({ host: '127.0.0.1', port: 0 })
  const ask = async ({ path = '/cal/events/v1/events', from, headers = {}, ...others }: Asked) => {
    const forwarded = from === undefined ? {} : { 'x-forwarded-for': from }
    const answer = await fetch(`${url}${path}`, { ...others, headers: { ...forwarded, ...headers } })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? undefined : JSON.parse(text) }
  }
  const statuses = async (times: number, asked: Asked) => {
    const seen: number[] = []
    for (let time = 0; time < times; time += 1) seen.push((await ask(asked)).status)
    return seen
  }
  return { app, url, ask, statuses }
}

const basic = (login: string, secret: string) => ({ authorization: `Basic ${btoa(`${login}:${secret}`)}` })
const limited = { RATE_LIMIT: '3/600' }
const first = '198.51.100.1'
const second = '198.51.100.2'

test('a client that asks too often is told to wait, in the language of the address, and others are not', async (t) => {
  const { ask, statuses } = await behindProxy(t, limited)

  assert.deepEqual(await statuses(4, { from: first }), [200, 200, 200, 429])
  const refused = await ask({ from: first })
  const french = await ask({ from: first, path: '/fr/cal/events/v1/events' })
  const own = await ask({ from: first, path: '/cal/service/v1/media' })

  assert.deepEqual([refused.body.code, refused.body.data.status], ['rest_too_many_requests', 429])
  assert.match(refused.body.message, /Too many requests/)
  assert.match(french.body.message, /Trop de requêtes/)
  assert.equal(french.headers.get('content-language'), 'fr-CA')
  assert.deepEqual([own.headers.get('content-type'), own.body.status], ['application/problem+json; charset=UTF-8', 429])
  for (const { headers } of [refused, french, own]) assert.ok(Number(headers.get('retry-after')) >= 190)
  assert.equal((await ask({ from: second })).status, 200)
})

test('a client is the same one whatever port it comes from, and in whatever header its proxy names it', async (t) => {
  const { statuses } = await behindProxy(t, { RATE_LIMIT: '1/600' })
  const inForwarded = await behindProxy(t, { RATE_LIMIT: '1/600', TRUST_PROXY_HEADERS: 'forwarded' })
  const named = (port: number) => ({
    headers: { forwarded: `for="[2001:db8::1]:${port}"`, 'x-forwarded-for': `${port}` },
  })

  assert.deepEqual(await statuses(1, { from: `${first}:1` }), [200])
  assert.deepEqual(await statuses(1, { from: `${first}:2` }), [429])
  assert.deepEqual(await inForwarded.statuses(1, named(1)), [200])
  assert.deepEqual(await inForwarded.statuses(1, named(2)), [429])
})

test('every response says what a client has left, whether it comes from the response cache or not', async (t) => {
  const { ask } = await behindProxy(t, limited)
  const made = await ask({ from: first })
  const remembered = await ask({ from: first })
  const unchanged = await ask({ from: first, headers: { 'if-none-match': remembered.headers.get('etag') ?? '' } })

  assert.equal(unchanged.status, 304)
  for (const [place, { headers }] of [made, remembered, unchanged].entries()) {
    assert.equal(headers.get('ratelimit-policy'), '"address";q=3;w=600')
    assert.match(headers.get('ratelimit') ?? '', new RegExp(`^"address";r=${2 - place};t=\\d+$`))
  }
})

test('a whole network of IPv6 is one client, and what a client says of itself makes it no other', async (t) => {
  const { statuses, ask } = await behindProxy(t, limited)

  assert.deepEqual(await statuses(3, { from: '2001:db8:1:2::1' }), [200, 200, 200])
  assert.equal((await ask({ from: '2001:db8:1:2:ffff::9' })).status, 429)
  assert.equal((await ask({ from: '2001:db8:1:3::1' })).status, 200)
  assert.equal((await ask({ from: `${second}, 2001:db8:1:2::1` })).status, 429)
})

test('a user is counted wherever the requests come from', async (t) => {
  const { app, ask } = await behindProxy(t, { RATE_LIMIT: '3/600' })
  const { createUser } = await import('../auth/user.service.ts')
  const { secret } = await createUser(app.deps, { name: 'busy', role: 'author', email: 'busy@example.org' })
  const headers = basic('busy', secret)
  const seen = []
  for (const path of [
    '/cal/events/v1/events',
    '/cal/service/v1/media',
    '/cal/events/v1/events',
    '/cal/service/v1/media',
  ])
    seen.push(await ask({ from: `198.51.100.${10 + seen.length}`, path, headers }))

  assert.deepEqual(
    seen.map(({ status }) => status),
    [200, 200, 200, 429],
  )
  assert.match(seen[0]?.headers.get('ratelimit') ?? '', /^"address";r=2;t=200, "credential";r=2;t=200$/)
  assert.match(seen[3]?.headers.get('ratelimit') ?? '', /"credential";r=0/)
  assert.ok(Number(seen[3]?.headers.get('retry-after')) > 0)
  assert.equal((await ask({ from: first })).status, 200)
})

test('addresses that stand for no single client are not counted', async (t) => {
  const { statuses, ask } = await behindProxy(t, limited)

  assert.deepEqual(await statuses(6, {}), Array(6).fill(200))
  assert.equal((await ask({})).headers.get('ratelimit'), null)
})

test('after too many wrong credentials even right ones are refused, for that client', async (t) => {
  const { app, ask, statuses } = await behindProxy(t, { FAILURE_LIMIT: '3/600' })
  const { createUser } = await import('../auth/user.service.ts')
  const { secret } = await createUser(app.deps, { name: 'someone', role: 'author', email: 'someone@example.org' })
  const right = basic('someone', secret)

  assert.deepEqual(await statuses(3, { from: first, headers: basic('someone', 'wrong') }), [401, 401, 401])
  const refused = await ask({ from: first, headers: right })
  const elsewhere = await ask({ from: second, headers: right })

  assert.deepEqual([refused.status, refused.body.code], [429, 'rest_too_many_requests'])
  assert.ok(Number(refused.headers.get('retry-after')) >= 190)
  assert.equal(elsewhere.status, 200)
  assert.equal((await ask({ from: first })).status, 200)
})

test('wrong credentials for one login are refused from wherever they come, unknown logins alike', async (t) => {
  const { ask } = await behindProxy(t, { FAILURE_LIMIT: '1/600' })
  for (const [turn, login] of ['editor', 'Nobody'].entries()) {
    const seen = []
    for (let client = 0; client < 11; client += 1)
      seen.push((await ask({ from: `203.0.113.${100 * turn + client}`, headers: basic(login, 'wrong') })).status)
    assert.deepEqual(seen.slice(0, 10), Array(10).fill(401), login)
    assert.equal(seen[10], 429, login)
    assert.equal((await ask({ from: `192.0.2.${turn}`, headers: basic(login.toUpperCase(), 'wrong') })).status, 429)
  }
  assert.equal((await ask({ from: first, headers: basic('author', 'wrong') })).status, 401)
})

for (const [name, credentials] of [
  ['by a token', { headers: { authorization: 'Bearer abcdefghijklmnopqrstuvwx' } }],
  [
    'at the sign-in of browsers',
    {
      method: 'POST',
      path: '/cal/service/v1/session',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ login: 'editor', password: 'a wrong password' }),
    },
  ],
] as const) {
  test(`too many guesses ${name} are refused like others, for that client`, async (t) => {
    const { statuses } = await behindProxy(t, { FAILURE_LIMIT: '3/600' })

    assert.deepEqual(await statuses(4, { from: first, ...credentials }), [401, 401, 401, 429])
    assert.deepEqual(await statuses(1, { from: second, ...credentials }), [401])
  })
}

test('guesses that come all at once are waited for the longer', async (t) => {
  const { ask } = await behindProxy(t, { FAILURE_LIMIT: '2/20' })
  const guesses = Array.from({ length: 8 }, () => ask({ from: first, headers: basic('editor', 'wrong') }))
  const wrong = (await Promise.all(guesses)).filter(({ status }) => status === 401).length

  const { headers } = await ask({ from: first, headers: basic('editor', 'wrong') })

  assert.ok(Number(headers.get('retry-after')) > 10 * (wrong - 2), `${wrong}: ${headers.get('retry-after')}`)
})

for (const [name, path] of [
  ['an event', (id: number) => `/events/${id}?`],
  ['the events of a list', () => '/events?'],
] as const) {
  test(`too many wrong passwords of ${name} are refused, the right one with them`, async (t) => {
    const { app, ask, statuses } = await behindProxy(t, { FAILURE_LIMIT: '2/600', CACHE_MEGABYTES: '0' })
    const { id } = await givenEvent(app, { event_password: 'open' })
    const asking = (password: string, from: string) => ({ from, path: `/cal/events/v1${path(id)}password=${password}` })

    const wrong = await statuses(2, asking('wrong', first))
    const refused = await ask(asking('open', first))

    assert.ok(wrong.every((status) => status !== 429))
    assert.deepEqual([refused.status, refused.body.code], [429, 'rest_too_many_requests'])
    assert.equal((await ask(asking('open', second))).status, 200)
    assert.equal((await ask({ from: first })).status, 200)
  })
}

test('a list that is opened by its password is no wrong guess, however often it is asked for', async (t) => {
  const { app, statuses } = await behindProxy(t, { FAILURE_LIMIT: '2/600', CACHE_MEGABYTES: '0' })
  for (const event_password of ['open', 'other']) await givenEvent(app, { event_password })

  const seen = await statuses(6, { from: first, path: '/cal/events/v1/events?password=open' })

  assert.deepEqual(seen, Array(6).fill(200))
})

/** Starts a service that works on one request, which ends only when `finish` is called. */
async function busy(t: TestContext) {
  const { app, url, ask } = await behindProxy(t, { MAX_IN_FLIGHT: '1', CACHE_MEGABYTES: '8' })
  await ask({})
  const { promise: held, resolve: finish } = Promise.withResolvers<void>()
  const { promise: isWorking, resolve: working } = Promise.withResolvers<void>()
  const work = app.deps.limits.inFlight.run(async () => {
    working()
    await held
  })
  await isWorking
  return { app, url, ask, finish, work }
}

test('with the most requests in flight, others must retry later, and the response cache still answers', async (t) => {
  const { ask, finish, work } = await busy(t)

  const refused = await ask({ path: '/cal/events/v1/venues' })
  const french = await ask({ path: '/fr/cal/events/v1/venues' })
  const remembered = await ask({})
  finish()
  await work
  const after = await ask({ path: '/cal/events/v1/venues' })

  assert.deepEqual([refused.status, refused.body.code], [503, 'service_unavailable'])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.match(french.body.message, /ne peut pas répondre/)
  assert.deepEqual([remembered.status, after.status], [200, 200])
})

test('a request that fails gives its place back', async (t) => {
  const { ask, statuses } = await behindProxy(t, { MAX_IN_FLIGHT: '1' })

  assert.deepEqual(await statuses(5, { path: '/cal/events/v1/events?per_page=x' }), Array(5).fill(400))
  assert.deepEqual(await statuses(5, { path: '/cal/service/v1/media' }), Array(5).fill(401))
  assert.equal((await ask({ path: '/%zz', headers: { accept: 'application/json' } })).status, 404)
  assert.equal((await ask({})).status, 200)
})

test('a refused request with a body does not have its body taken for the next one', async (t) => {
  const { app, url } = await behindProxy(t, limited)
  for (let time = 0; time < 3; time += 1) app.deps.limits.countForAddress(first)
  const smuggled = 'GET /cal/events/v1/ HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const head = `POST /cal/events/v1/events HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${first}\r\n`

  const next = `GET /cal/events/v1/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${first}\r\nConnection: close\r\n\r\n`
  const send = (body: string) =>
    sendRaw(url, `${head}Content-Length: ${body.length}\r\n\r\n${body}${next}`).all.then(
      (text) => text.match(/HTTP\/1\.1 \d+/g) ?? [],
    )

  // The service reads and discards a short body. For a long body it closes the connection.
  assert.deepEqual(await send(smuggled), ['HTTP/1.1 429', 'HTTP/1.1 429'])
  assert.deepEqual(await send(smuggled.repeat(2000)), ['HTTP/1.1 429'])
})
