import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { hostileUrls } from '../../../test/support/hostile.urls.ts'
import type { Role } from '../../access/auth/actor.ts'
import { createLinkChecker, probeOutbound } from '../../base/outbound/link.checker.ts'
import { OutboundError } from '../../base/outbound/outbound.ts'

const path = '//cal/service/v1/links/check'

/** A site, and the requests that it gets. */
async function serving(t: TestContext, answer: RequestListener): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** Reaches the sites of this machine. */
const probeHere = (url: string) => probeOutbound(url, { isAllowedAddress: () => true, isAllowedPort: () => true })

test('each address has its state, HEAD comes first, and a page is not received as a whole', async (t) => {
  const { url, seen } = await serving(t, ({ method, url: asked }, response) => {
    if (asked === '/moved') return response.writeHead(302, { location: '/ok' }).end()
    if (asked === '/round') return response.writeHead(302, { location: '/round' }).end()
    if (asked === '/broken') return response.destroy()
    if (asked === '/endless' && method === 'GET') {
      response.writeHead(200)
      const write = () => response.write('x'.repeat(65_536), () => response.destroyed || setImmediate(write))
      return write()
    }
    const statuses: Record<string, number> = { '/ok': 200, '/login': 401, '/gone': 410, '/missing': 404, '/down': 503 }
    return response.writeHead(method === 'HEAD' && asked !== '/ok' ? 405 : (statuses[asked ?? ''] ?? 200)).end()
  })
  const app = await startTestApp(t, {}, { links: createLinkChecker(probeHere) })
  const pages = ['/ok', '/ok#part', '/moved', '/login', '/gone', '/missing', '/down', '/round', '/broken', '/endless']

  const urls = [...pages.map((page) => url + page), 'javascript:alert(1)', 'no address']
  const { status, body } = await app.send({ as: 'contributor', method: 'POST', path, json: { urls } })

  assert.equal(status, 200)
  assert.deepEqual(
    body.links.map(({ url: checked, result }: { url: string; result: string }) => [checked.replace(url, ''), result]),
    [
      ...[
        ['/ok', 'ok'],
        ['/ok#part', 'ok'],
        ['/moved', 'ok'],
        ['/login', 'ok'],
        ['/gone', 'gone'],
        ['/missing', 'gone'],
      ],
      ...[
        ['/down', 'error'],
        ['/round', 'error'],
        ['/broken', 'error'],
        ['/endless', 'ok'],
      ],
      ...[
        ['javascript:alert(1)', 'refused'],
        ['no address', 'refused'],
      ],
    ],
  )
  assert.deepEqual(
    seen.filter((one) => /ok$/.test(one)),
    ['HEAD /ok', 'HEAD /ok'],
  )
  assert.deepEqual(
    seen.filter((one) => /login$/.test(one)),
    ['HEAD /login', 'GET /login'],
  )
})

test('addresses of private networks are refused, also by a redirect, and nothing is connected to', async (t) => {
  const secret = await serving(t, (_request, response) => response.end('secret'))
  const app = await startTestApp(t, {}, { links: createLinkChecker() })
  const refused = async (urls: readonly string[]) => {
    const { body } = await app.send({ as: 'author', method: 'POST', path, json: { urls } })
    return body.links.filter(({ result }: { result: string }) => result !== 'refused')
  }
  const hostile = hostileUrls.filter((url) => url !== '')
  for (let place = 0; place < hostile.length; place += 20) {
    assert.deepEqual(await refused([...new Set(hostile.slice(place, place + 20))]), [])
  }
  assert.deepEqual(await refused([secret.url]), [])

  const onlyFirst = (address: string) => address === '127.0.0.1'
  const public_ = await serving(t, (_request, response) =>
    response.writeHead(302, { location: secret.url.replace('127.0.0.1', '127.0.0.2') }).end(),
  )
  await assert.rejects(
    probeOutbound(public_.url, { isAllowedAddress: onlyFirst, isAllowedPort: () => true }),
    (error) => error instanceof OutboundError && error.reason === 'address',
  )
  assert.deepEqual(secret.seen, [])
})

test('nobody learns which names exist inside: they are answered, and asked for, as names that do not exist', async (t) => {
  const secret = await serving(t, (_request, response) => response.end('secret'))
  const looked: string[] = []
  const lookup: LookupFunction = (name, _options, done) => {
    looked.push(name)
    if (name === 'missing.example') done(Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' }), '', 0)
    else done(null, [{ address: '127.0.0.1', family: 4 }])
  }
  const probe = (url: string) => probeOutbound(url, { lookup, isAllowedPort: () => true })
  const app = await startTestApp(t, {}, { links: createLinkChecker(probe) })
  const { port } = new URL(secret.url)
  const urls = ['inside', 'missing'].map((name) => `http://${name}.example:${port}/`)

  const { body } = await app.send({ as: 'contributor', method: 'POST', path, json: { urls } })

  assert.deepEqual(
    body.links.map(({ result }: { result: string }) => result),
    ['error', 'error'],
  )
  const times = (name: string) => looked.filter((one) => one === name).length
  assert.equal(times('inside.example'), times('missing.example'))
  assert.deepEqual(secret.seen, [])
})

test('a state is kept for an hour, four are asked at a time, and too many wait', async (t) => {
  let nowMs = 1000
  let running = 0
  let most = 0
  const asked: string[] = []
  let { promise: held, resolve: go } = Promise.withResolvers<void>()
  const probe = async (url: string) => {
    asked.push(url)
    running += 1
    most = Math.max(most, running)
    await held
    running -= 1
    if (url.endsWith('/down')) throw new OutboundError('too-slow')
    return 200
  }
  const links = createLinkChecker(probe, () => nowMs)
  const app = await startTestApp(t, {}, { links })
  const check = (urls: readonly string[], as: Role = 'editor') => app.send({ as, method: 'POST', path, json: { urls } })
  const many = (from: number) => Array.from({ length: 20 }, (_, place) => `https://x.example/${from + place}`)

  const first = check([...many(0).slice(2), 'https://x.example/down', 'https://x.example/2#again'])
  const others = [20, 40, 60, 80, 100].map((from) => check(many(from), from > 60 ? 'author' : 'contributor'))
  while (links.isKnown('https://x.example/2') === false && asked.length < 4) await new Promise(setImmediate)
  while (!(await Promise.race([...others, undefined]))) await new Promise(setImmediate)
  go()
  const statuses = (await Promise.all([first, ...others])).map(({ status }) => status)
  assert.equal(most, 4)
  assert.equal(statuses[0], 200)
  assert.ok(statuses.includes(503), String(statuses))

  held = Promise.resolve()
  go = () => {}
  const before = asked.length
  await check(['https://x.example/2', 'https://x.example/3'])
  assert.equal(asked.length, before)
  nowMs += 61_000
  await check(['https://x.example/2', 'https://x.example/down'])
  assert.equal(asked.length, before + 1)
  nowMs += 3_600_000
  await check(['https://x.example/2'])
  assert.equal(asked.length, before + 2)
})

test('one user leaves room to check for others, however many addresses they send', async (t) => {
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  const asked: string[] = []
  const links = createLinkChecker(async (url) => {
    asked.push(url)
    await held
    return 200
  })
  const app = await startTestApp(t, {}, { links })
  const check = (word: string, as: Role) => {
    const urls = Array.from({ length: 20 }, (_, place) => `https://${word}.example/${place}`)
    return app.send({ as, method: 'POST', path, json: { urls } })
  }
  const greedy = Array.from({ length: 8 }, (_, number) => check(`a${number}`, 'editor'))
  while (!(await Promise.race([...greedy, undefined]))) await new Promise(setImmediate)

  const other = check('b', 'author')
  while (!asked.some((url) => url.includes('//b.'))) await new Promise(setImmediate)
  go()

  assert.equal((await other).status, 200)
  const statuses = (await Promise.all(greedy)).map(({ status }) => status)
  assert.ok(statuses.includes(503) && statuses.includes(200), String(statuses))
})

test('only those who may create check links, at most twenty, and each that is asked counts as a request', async (t) => {
  const app = await startTestApp(
    t,
    { RATE_LIMIT: '40/600', RATE_LIMIT_EXEMPT: '' },
    { links: createLinkChecker(async () => 200) },
  )
  const urls = (count: number, word = 'a') =>
    Array.from({ length: count }, (_, place) => `https://${word}.example/${place}`)
  const ask = (as: 'subscriber' | 'editor' | undefined, json: unknown) =>
    app.send({ ...(as ? { as } : {}), method: 'POST', path, json })

  assert.equal((await ask(undefined, { urls: urls(1) })).status, 401)
  assert.equal((await ask('subscriber', { urls: urls(1) })).status, 403)
  for (const wrong of [
    {},
    { urls: [] },
    { urls: 'https://a.example' },
    { urls: [1] },
    { urls: [''] },
    { urls: urls(21) },
  ]) {
    assert.equal((await ask('editor', wrong)).status, 400, JSON.stringify(wrong))
  }
  assert.equal((await ask('editor', { urls: urls(20) })).status, 200)
  const tried = await ask('editor', { urls: urls(1, 'c'), dry_run: true })
  assert.deepEqual([tried.status, tried.headers['x-dry-run']], [200, 'true'])
  // What is known already costs nothing more.
  assert.equal((await ask('editor', { urls: urls(20) })).status, 200)
  assert.equal((await ask('editor', { urls: urls(20, 'b') })).status, 200)
  assert.equal((await ask('editor', { urls: urls(1) })).status, 429)
})
