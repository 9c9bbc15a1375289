import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { hostileUrls } from '../../test/support/hostile.urls.ts'
import { isPublicAddress } from './outbound.address.ts'
import { fetchOutside, OutboundError, type OutboundOptions, type OutboundReason } from './outbound.ts'

const limits = { mostBytes: 10_000, timeoutMs: 2000, mostRedirects: 3 }
const everywhere: OutboundOptions = { ...limits, isAllowed: () => true }

async function serving(t: TestContext, answer: RequestListener): Promise<{ url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(request.url ?? '')
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

async function reasonFor(url: string, options: OutboundOptions): Promise<OutboundReason | 'fetched'> {
  try {
    await fetchOutside(url, options)
    return 'fetched'
  } catch (error) {
    assert.ok(error instanceof OutboundError, String(error))
    return error.reason
  }
}

/** A name server that says what it is told, one answer after the other. */
const resolvingTo = (...addresses: readonly string[]): LookupFunction => {
  const left = [...addresses]
  return (_name, options, done) => {
    const address = left.length > 1 ? (left.shift() ?? '') : (left[0] ?? '')
    const family = address.includes(':') ? 6 : 4
    if (options.all) done(null, [{ address, family }])
    else done(null, address, family)
  }
}

test('addresses inside are no public ones, whatever they are written as', () => {
  const closed = [
    ...['127.0.0.1', '10.1.2.3', '172.16.0.1', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '198.18.0.1'],
    ...['224.0.0.1', '255.255.255.255', '240.0.0.1', '192.0.2.1', '::1', '::', 'fe80::1', 'fc00::1', 'ff02::1'],
    ...['::ffff:8.8.8.8', '::8.8.8.8', '64:ff9b::808:808', '2002:808:808::1', '2001:0:1::1', '2001:db8::1', 'fec0::1'],
    ...['', 'localhost', '8.8.8.8/8', '1.2.3.4.5', '256.1.1.1'],
  ]
  for (const address of closed) assert.equal(isPublicAddress(address), false, address)
  for (const address of ['8.8.8.8', '1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('no address of a closed network is public, also where an IPv6 one carries it', () => {
  const octet = fc.nat(255)
  const inside = fc.oneof(
    fc.tuple(fc.constantFrom(0, 10, 127, 224, 240, 255), octet, octet, octet),
    fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), octet, octet),
    fc.tuple(fc.constant(192), fc.constant(168), octet, octet),
    fc.tuple(fc.constant(169), fc.constant(254), octet, octet),
    fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), octet, octet),
  )
  fc.assert(
    fc.property(inside, fc.constantFrom('', '::ffff:', '::', '64:ff9b::'), (parts, prefix) => {
      assert.equal(isPublicAddress(`${prefix}${parts.join('.')}`), false)
    }),
  )
})

test('every hostile address is refused before anything is connected to', async () => {
  assert.ok(hostileUrls.length >= 120, String(hostileUrls.length))
  const mustNotResolve: LookupFunction = (name, _options, done) => done(new Error(`${name} was looked up`), '', 0)

  for (const url of hostileUrls) {
    // At a port that nobody may use a name may be looked up; what it stands for is never connected to.
    const lookup = /example\.org:/.test(url) ? resolvingTo('93.184.216.34') : mustNotResolve
    assert.equal(await reasonFor(url, { ...limits, lookup }), 'address', url)
  }
})

test('a name is judged by the address that is connected to, the last one it had', async (t) => {
  const { url, seen } = await serving(t, (_request, response) => response.end('secret'))
  const { port } = new URL(url)
  // The first look-up is public, the second, for the connection, is not: there is no second.
  const lookup = resolvingTo('93.184.216.34', '127.0.0.1')
  const isAllowed = (address: string) => isPublicAddress(address)

  const inside = await reasonFor('http://inside.example/', { ...limits, lookup: resolvingTo('127.0.0.1') })
  const mapped = await reasonFor('http://inside.example/', { ...limits, lookup: resolvingTo('::ffff:127.0.0.1') })
  const rebound = await reasonFor(`http://rebinding.example:${port}/`, { ...limits, timeoutMs: 300, lookup, isAllowed })

  assert.deepEqual([inside, mapped], ['address', 'address'])
  assert.notEqual(rebound, 'fetched')
  assert.deepEqual(seen, [])
})

test('a redirect is followed, judged anew, and not for ever', async (t) => {
  const { url } = await serving(t, (request, response) => {
    const hops = Number(/\/hops\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    if (hops > 0) response.writeHead(302, { location: `/hops/${hops - 1}` }).end()
    else if (request.url === '/inside') response.writeHead(301, { location: 'http://10.0.0.1/' }).end()
    else if (request.url === '/file') response.writeHead(307, { location: 'file:///etc/passwd' }).end()
    else response.end('picture')
  })
  const isAllowed = (address: string) => address === '127.0.0.1'

  assert.equal(String(await fetchOutside(`${url}/hops/3`, everywhere)), 'picture')
  assert.equal(await reasonFor(`${url}/hops/4`, everywhere), 'redirects')
  assert.equal(await reasonFor(`${url}/inside`, { ...limits, isAllowed }), 'address')
  assert.equal(await reasonFor(`${url}/file`, everywhere), 'address')
})

test('what is too large, too slow, broken or packed is refused', async (t) => {
  const { url } = await serving(t, (request, response) => {
    const answers: Record<string, () => void> = {
      '/large': () => response.end(Buffer.alloc(limits.mostBytes + 1)),
      '/endless': () => {
        const write = () => response.write(Buffer.alloc(4000)) && setImmediate(write)
        write()
      },
      '/slow': () => void response.write('a'),
      '/silent': () => {},
      '/reset': () => void response.socket?.destroy(),
      '/short': () =>
        void response.writeHead(200, { 'content-length': 100 }).write('a', () => response.socket?.destroy()),
      '/headers': () => response.writeHead(200, { 'x-long': 'a'.repeat(40_000) }).end('a'),
      '/gzip': () => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000))),
      '/missing': () => response.writeHead(404).end('no'),
    }
    answers[request.url ?? '']?.()
  })
  const quick = { ...everywhere, timeoutMs: 400 }

  const reasons = await Promise.all(
    ['large', 'endless', 'slow', 'silent', 'reset', 'short', 'headers', 'gzip', 'missing'].map((path) =>
      reasonFor(`${url}/${path}`, quick),
    ),
  )

  assert.deepEqual(reasons, [
    ...['too-large', 'too-large', 'too-slow', 'too-slow', 'unreachable', 'unreachable', 'unreachable'],
    ...['answer', 'answer'],
  ])
})
