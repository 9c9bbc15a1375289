import assert from 'node:assert/strict'
import { createSocket as createDatagramSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type LookupFunction, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import { hostileUrls } from '../../../test/support/hostile.urls.ts'
import { createLookup, fetchOutbound, OutboundError, type OutboundOptions, type OutboundReason } from './outbound.ts'

const limits = { maxBytes: 10_000, timeoutMs: 5000, maxRedirects: 3 }
/** For test servers, which use any port. */
const anyPort: OutboundOptions = { ...limits, isAllowedPort: () => true }
const everywhere: OutboundOptions = { ...anyPort, isAllowedAddress: () => true }
const onlyFirst: OutboundOptions = { ...anyPort, isAllowedAddress: (address) => address === '127.0.0.1' }

/** A server at all addresses of this machine. `seen` contains the address and the path of each request. */
async function serving(
  t: TestContext,
  answer: RequestListener,
): Promise<{ port: number; url: string; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.socket.localAddress}${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}`, seen }
}

/** The port of a server that handles the raw socket of each request. */
async function servingSockets(t: TestContext, answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createSocketServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Writes the same bytes until the socket is closed. */
function flood(socket: Socket, bytes: Buffer): void {
  if (socket.destroyed) return
  if (socket.write(bytes)) setImmediate(flood, socket, bytes)
  else socket.once('drain', () => flood(socket, bytes))
}

async function reasonFor(url: string, options: OutboundOptions): Promise<OutboundReason | 'fetched'> {
  try {
    await fetchOutbound(url, options)
    return 'fetched'
  } catch (error) {
    assert.ok(error instanceof OutboundError, String(error))
    return error.reason
  }
}

/** A name server that gives these answers one after the other and then repeats the last one. Counts its queries. */
function resolving(...answers: readonly (readonly string[])[]): { lookup: LookupFunction; asked: () => number } {
  let asked = 0
  const lookup: LookupFunction = (_name, _options, done) => {
    const addresses = answers[Math.min(asked, answers.length - 1)] ?? []
    asked += 1
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { lookup, asked: () => asked }
}

test('every hostile address is refused before a name is looked up or anything connected to', async () => {
  assert.ok(new Set(hostileUrls).size >= 120, String(new Set(hostileUrls).size))
  const { lookup, asked } = resolving(['127.0.0.1'])

  for (const url of hostileUrls) assert.equal(await reasonFor(url, { ...limits, lookup }), 'address', url)

  assert.equal(asked(), 0)
})

test('a name that stands for an address inside is not connected to, and seems not to exist', async (t) => {
  const { port, seen } = await serving(t, (_request, response) => response.end('secret'))
  const inside = [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0.0.0.0',
    '::',
    '64:ff9b::7f00:1',
    'fe80::1%lo',
  ]

  for (const address of inside) {
    const { lookup } = resolving([address])
    assert.equal(await reasonFor(`http://inside.example:${port}/`, { ...anyPort, lookup }), 'unreachable', address)
  }

  // This name resolves, as the last line shows.
  assert.equal(await reasonFor(`http://localhost:${port}/`, anyPort), 'unreachable')
  assert.deepEqual(seen, [])
  assert.equal(await reasonFor(`http://localhost:${port}/`, everywhere), 'fetched')
})

test('a name is looked up once for each connection, which is made to what was judged', async (t) => {
  const { port, seen } = await serving(t, (request, response) => {
    if (request.url === '/again') response.writeHead(302, { location: '/' })
    response.end('picture')
  })
  const once = resolving(['127.0.0.1'], ['127.0.0.2'])
  const twice = resolving(['127.0.0.1'], ['127.0.0.2'])

  const first = await reasonFor(`http://rebinding.example:${port}/`, { ...onlyFirst, lookup: once.lookup })
  const second = await reasonFor(`http://rebinding.example:${port}/again`, { ...onlyFirst, lookup: twice.lookup })

  assert.deepEqual([first, once.asked()], ['fetched', 1])
  assert.deepEqual([second, twice.asked()], ['unreachable', 2])
  assert.deepEqual(seen, ['127.0.0.1/', '127.0.0.1/again'])
})

test('of the addresses of a name the allowed ones are tried, until one answers', async (t) => {
  const { port, seen } = await serving(t, (_request, response) => response.end('picture'))
  const mixed = resolving(['127.0.0.2', '10.0.0.1', '127.0.0.1'])
  const halfDead = resolving(['127.0.0.9', '127.0.0.1'])
  // This server listens at 127.0.0.1 only.
  const alive = await servingSockets(t, (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na'))

  assert.equal(await reasonFor(`http://mixed.example:${port}/`, { ...onlyFirst, lookup: mixed.lookup }), 'fetched')
  assert.equal(await reasonFor(`http://two.example:${alive}/`, { ...everywhere, lookup: halfDead.lookup }), 'fetched')

  assert.deepEqual(seen, ['127.0.0.1/'])
})

test('a name that cannot be found, or stands for nothing, is no reason to wait', async () => {
  const unknown: LookupFunction = (_name, _options, done) => done(new Error('ENOTFOUND'), '', 0)

  assert.equal(await reasonFor('http://nowhere.example/', { ...limits, lookup: unknown }), 'unreachable')
  assert.equal(await reasonFor('http://empty.example/', { ...limits, lookup: resolving([]).lookup }), 'unreachable')
})

test('a redirect is followed, judged anew, and not for ever', async (t) => {
  const { port, url, seen } = await serving(t, (request, response) => {
    const hops = Number(/\/hops\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    const to: Record<string, string> = {
      '/inside': `http://127.0.0.2:${port}/secret`,
      '/hidden': `http://2130706434:${port}/secret`,
      '/named': `http://localhost.example:${port}/secret`,
      '/file': 'file:///etc/passwd',
      '/credentials': `http://user:secret@127.0.0.1:${port}/secret`,
      '/port': 'http://127.0.0.1:22/',
      '/loop': '/loop',
    }
    const location = hops > 0 ? `/hops/${hops - 1}` : to[request.url ?? '']
    if (location === undefined) response.end('picture')
    else response.writeHead([301, 302, 303, 307, 308][hops] ?? 302, { location }).end('moved')
  })
  const options = { ...onlyFirst, isAllowedPort: (asked: number) => asked === port, ...resolving(['127.0.0.2']) }

  assert.equal(String(await fetchOutbound(`${url}/hops/3`, options)), 'picture')
  assert.equal(await reasonFor(`${url}/hops/4`, options), 'redirects')
  assert.equal(await reasonFor(`${url}/loop`, options), 'redirects')
  for (const path of ['inside', 'hidden', 'file', 'credentials', 'port']) {
    assert.equal(await reasonFor(`${url}/${path}`, options), 'address', path)
  }
  assert.equal(await reasonFor(`${url}/named`, options), 'unreachable')

  assert.deepEqual(
    seen.filter((request) => request.endsWith('/secret')),
    [],
  )
})

test('a request tells nothing of us: no cookie, no credentials, no way by a proxy', async (t) => {
  const sent: IncomingHttpHeaders[] = []
  const { url } = await serving(t, (request, response) => {
    sent.push(request.headers)
    response.setHeader('set-cookie', 'session=1; Path=/')
    if (request.url === '/') response.writeHead(302, { location: '/next' })
    response.end('picture')
  })
  const proxy = await serving(t, (_request, response) => response.end('proxied'))
  const proxied = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']
  const before = proxied.map((name) => process.env[name])
  for (const name of proxied) process.env[name] = proxy.url
  t.after(() => {
    proxied.forEach((name, at) => {
      if (before[at] === undefined) delete process.env[name]
      else process.env[name] = before[at]
    })
  })

  assert.equal(String(await fetchOutbound(url, everywhere)), 'picture')

  const { host } = new URL(url)
  const headers = {
    host,
    connection: 'close',
    accept: 'image/*',
    'accept-encoding': 'identity',
    'user-agent': 'cal-events',
  }
  assert.deepEqual(sent, [headers, headers])
  assert.deepEqual(proxy.seen, [])
})

test('a file of just the most bytes is fetched whole, in however many pieces it comes', async (t) => {
  // Several times the size that a connection delivers at once.
  const maxBytes = 500_000
  const file = Buffer.from(Array.from({ length: maxBytes }, (_none, at) => at % 251))
  const { url } = await serving(t, (request, response) => {
    if (request.url === '/empty') return void response.end()
    if (request.url === '/whole') return void response.end(file)
    for (let at = 0; at < file.length; at += 777) response.write(file.subarray(at, at + 777))
    response.end()
  })
  const options = { ...everywhere, maxBytes }

  assert.ok(file.equals(await fetchOutbound(`${url}/whole`, options)))
  assert.ok(file.equals(await fetchOutbound(`${url}/pieces`, options)))
  assert.equal((await fetchOutbound(`${url}/empty`, options)).length, 0)
})

test('what is too large, broken, packed or no file is refused', async (t) => {
  const piece = `fa0\r\n${'a'.repeat(4000)}\r\n`
  const { url } = await serving(t, (request, response) => {
    const { socket } = request
    const endless = (head: string, bytes: string | Buffer) => {
      socket.write(`HTTP/1.1 ${head}\r\n`)
      flood(socket, Buffer.from(bytes))
    }
    const answers: Record<string, () => unknown> = {
      '/large': () => response.end(Buffer.alloc(limits.maxBytes + 1)),
      '/announced': () => response.writeHead(200, { 'content-length': limits.maxBytes + 1 }).write('a'),
      '/endless': () => endless('200 OK\r\ntransfer-encoding: chunked\r\n', piece),
      '/endless-plain': () => endless('200 OK\r\n', 'a'.repeat(4000)),
      '/reset': () => socket.destroy(),
      '/short': () => response.writeHead(200, { 'content-length': 100 }).write('a', () => socket.destroy()),
      '/headers': () => response.writeHead(200, { 'x-long': 'a'.repeat(40_000) }).end('a'),
      '/endless-headers': () => endless('200 OK', 'x-more: headers\r\n'),
      '/nonsense': () => socket.end('+PONG\r\n'),
      '/gzip': () => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000))),
      '/endless-gzip': () => endless('200 OK\r\ncontent-encoding: gzip\r\n', gzipSync(Buffer.alloc(1e6))),
      '/missing': () => response.writeHead(404).end('no'),
      '/endless-missing': () => endless('500 No\r\n', 'a'.repeat(4000)),
      '/part': () => response.writeHead(206).end('a'),
      '/nowhere': () => response.writeHead(302).end(),
    }
    answers[request.url ?? '']?.()
  })
  const expected: Record<OutboundReason, readonly string[]> = {
    'too-large': ['large', 'announced', 'endless', 'endless-plain'],
    unreachable: ['reset', 'short', 'headers', 'endless-headers', 'nonsense'],
    answer: ['gzip', 'endless-gzip', 'missing', 'endless-missing', 'part', 'nowhere'],
    ...{ address: [], redirects: [], 'too-slow': [] },
  }

  for (const [reason, paths] of Object.entries(expected)) {
    for (const path of paths) assert.equal(await reasonFor(`${url}/${path}`, everywhere), reason, path)
  }
})

test('there is one limit of time for looking up, connecting, all redirects and the body', async (t) => {
  const timeoutMs = 400
  const { url } = await serving(t, (request, response) => {
    const hops = Number(/\/hops\/(\d+)/.exec(request.url ?? '')?.[1] ?? 0)
    // Each of these responses is within the time limit.
    if (hops > 0) setTimeout(() => response.writeHead(302, { location: `/hops/${hops - 1}` }).end(), timeoutMs * 0.6)
    else if (request.url === '/stalling') response.write('a')
    else if (request.url === '/trickling') setInterval(() => response.write('a'), 20).unref()
    else if (request.url !== '/silent') response.end('picture')
  })
  const noHandshake = await servingSockets(t, () => {})
  const options = { ...everywhere, timeoutMs }
  const silentLookup: LookupFunction = () => {}

  const reasons = await Promise.all([
    ...['hops/2', 'stalling', 'trickling', 'silent'].map((path) => reasonFor(`${url}/${path}`, options)),
    reasonFor(`https://127.0.0.1:${noHandshake}/`, options),
    reasonFor('http://slow.example/', { ...options, lookup: silentLookup }),
  ])

  assert.deepEqual(reasons, Array(6).fill('too-slow'))
})

test('a body of millions of tiny pieces is given up on before it takes time or memory', async (t) => {
  const port = await servingSockets(t, (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
    flood(socket, Buffer.from('1\r\na\r\n'.repeat(10_000)))
  })
  const code = `
    import { parentPort, workerData } from 'node:worker_threads'
    const { fetchOutbound } = await import(workerData.room)
    const options = { maxBytes: 2e6, timeoutMs: 60_000, maxRedirects: 0, isAllowedAddress: () => true, isAllowedPort: () => true }
    await fetchOutbound(workerData.url, options).catch((error) => parentPort.postMessage(error.reason))`
  // A list of two million chunks would take 270 MB. A worker with too little memory ends with an error.
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(code)}`), {
    workerData: { room: new URL('./outbound.ts', import.meta.url).href, url: `http://127.0.0.1:${port}/` },
    resourceLimits: { maxOldGenerationSizeMb: 96 },
  })
  t.after(() => worker.terminate())

  const reason = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))

  assert.equal(reason, 'answer')
})

/** A name server that never answers. */
async function silentNameServer(t: TestContext) {
  const socket = createDatagramSocket('udp4')
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  t.after(() => socket.close())
  const asked = once(socket, 'message')
  return { asked, lookup: createLookup([`127.0.0.1:${socket.address().port}`]) }
}

test('names that nobody answers for keep no thread on which files are read', async (t) => {
  const { asked, lookup } = await silentNameServer(t)
  const waiting = Array.from({ length: 8 }, (_none, number) =>
    reasonFor(`http://silent-${number}.example/`, { ...limits, timeoutMs: 1500, lookup }),
  )
  await asked
  let isOver = false
  void Promise.all(waiting).then(() => {
    isOver = true
  })

  await readFile(new URL(import.meta.url))

  assert.equal(isOver, false)
  assert.deepEqual(await Promise.all(waiting), Array(8).fill('too-slow'))
})
