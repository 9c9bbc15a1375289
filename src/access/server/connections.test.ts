import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { answerIn, sendRaw } from '../../../test/support/socket.ts'
import { readConfig } from '../../base/config/config.ts'
import { createConnections } from '../../base/limits/connections.ts'
import { createUser } from '../auth/user.service.ts'
import { markPaced } from '../http/answers/paced.body.ts'
import { answerUnreadable, type CountedRequestListener, createHttpServer, type ServerTimeouts } from './connections.ts'

const api = '/cal/events/v1'
const head = (target: string, ...lines: readonly string[]) =>
  [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', ''].join('\r\n')

async function listening(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(t, environment)
  return { app, url: await app.server.listen({ host: '127.0.0.1', port: 0 }) }
}

test('an address or headers that are too long are told from each other, in the language of the address', async (t) => {
  const { url } = await listening(t)
  const cases = [
    [head(`${api}/events?unknown=${'a'.repeat(15_000)}`), 200, undefined],
    [head(`${api}/events?search=${'a'.repeat(17_000)}`), 414, 'rest_uri_too_long'],
    [head(`${api}/events?search=${'a'.repeat(60_000)}`), 414, 'rest_uri_too_long'],
    [head(`${api}/events`, `X-Long: ${'a'.repeat(15_000)}`), 200, undefined],
    [head(`${api}/events`, `X-Long: ${'a'.repeat(60_000)}`), 431, 'rest_headers_too_large'],
    [head(`/fr${api}/events`, ...Array(3000).fill('X-Many: a')), 431, 'rest_headers_too_large'],
    ['GET / HTTP/1.1\r\n\r\n', 400, undefined],
    ['nonsense\r\n\r\n', 400, 'rest_bad_request'],
    [head(`${api}/events`, 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400, 'rest_bad_request'],
  ] as const
  for (const [bytes, status, code] of cases) {
    const answer = answerIn(await sendRaw(url, bytes).all)
    assert.deepEqual([answer.status, answer.body?.code], [status, code], bytes.slice(0, 60))
  }

  const french = answerIn(await sendRaw(url, head(`/fr${api}/events`, `X-Long: ${'a'.repeat(60_000)}`)).all)
  assert.match(french.body.message, /en-têtes/)
  assert.equal((await fetch(`${url}${api}/events`)).status, 200)
})

test('a body that is too large is refused by its length, or once it was longer', async (t) => {
  const { url } = await listening(t)
  const post = `POST ${api}/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`
  const megabyte = 'a'.repeat(1024 * 1024)

  const announced = answerIn(await sendRaw(url, `${post}Content-Length: 10000000\r\n\r\n`).all)
  const chunked = `${post}Transfer-Encoding: chunked\r\n\r\n100000\r\n${megabyte}\r\n100000\r\n${megabyte}\r\n0\r\n\r\n`
  const sent = answerIn(await sendRaw(url, chunked).all)

  assert.deepEqual([announced.status, announced.body.code], [413, 'rest_request_too_large'])
  assert.deepEqual([sent.status, sent.body.code], [413, 'rest_request_too_large'])
})

test('a request that names the type of a body it does not have is answered', { timeout: 20_000 }, async (t) => {
  const { app, url } = await listening(t)
  const user = { name: 'uploader', role: 'editor', email: 'uploader@example.org', secret: randomUUID() } as const
  const { secret } = await createUser(app.deps, user)
  const statuses = async (method: string, path: string, type: string) => {
    const authorization = `Authorization: Basic ${btoa(`uploader:${secret}`)}`
    const asked = [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Content-Type: ${type}`, authorization]
    const next = ['GET /health/live HTTP/1.1', 'Host: localhost', 'Connection: close']
    const all = await sendRaw(url, [...asked, '', ...next, '', ''].join('\r\n')).all
    return [...all.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  }

  for (const [method, path, status] of [
    ['GET', `${api}/events`, 200],
    ['HEAD', `${api}/events`, 200],
    ['OPTIONS', `${api}/events`, 200],
    ['POST', `${api}/events`, 400],
    ['DELETE', `${api}/events/1`, 404],
    ['POST', '/cal/service/v1/session', 400],
  ] as const) {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.deepEqual(await statuses(method, path, type), [status, 200], `${method} ${path} ${type}`)
  }
})

/** Starts a server with very short timeouts. */
async function impatient(t: TestContext, answer: CountedRequestListener, longer: Partial<ServerTimeouts> = {}) {
  const short = { headersMs: 100, requestMs: 300, silenceMs: 60_000, keepAliveMs: 100, restMs: 100, checkMs: 50 }
  const patience = { ...short, ...longer }
  const server = createHttpServer(
    createConnections(readConfig({}), () => {}),
    answer,
    patience,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Writes a byte at intervals while the other side listens. */
function trickle(t: TestContext, socket: ReturnType<typeof sendRaw>['socket']): void {
  const writing = setInterval(() => socket.write('a'), 20)
  socket.once('close', () => clearInterval(writing))
  t.after(() => clearInterval(writing))
}

test('a client that sends its headers, or its body, byte by byte is given up on', async (t) => {
  const url = await impatient(t, (request, response) => request.resume().once('end', () => response.end('whole')))
  const slowHead = sendRaw(url, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
  const slowBody = sendRaw(url, 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n')
  for (const { socket } of [slowHead, slowBody]) trickle(t, socket)

  const answers = await Promise.all([slowHead.all, slowBody.all])

  for (const text of answers) assert.match(text, /^HTTP\/1\.1 408 /)
  assert.equal(await (await fetch(url, { method: 'POST', body: 'quick' })).text(), 'whole')
})

test('a body that the service reads at its own pace may take longer', async (t) => {
  const config = readConfig({})
  const patience = { headersMs: 100, requestMs: 200, silenceMs: 60_000, keepAliveMs: 100, restMs: 400, checkMs: 50 }
  const server = createHttpServer(
    createConnections(config, () => {}),
    (request, response) => {
      markPaced(request.socket)
      request.resume().once('end', () => response.end('whole'))
    },
    patience,
  )
  server.on('clientError', (error, socket) => answerUnreadable(config, error, socket as Socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const slow = sendRaw(url, 'POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 40\r\n\r\n')
  trickle(t, slow.socket)

  assert.match(await slow.all, /^HTTP\/1\.1 200 OK[\s\S]*whole$/)
})

const halfOfBody = 'a'.repeat(200_000)
const early = `POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${2 * halfOfBody.length}\r\n\r\n${halfOfBody}`

test('a client that still sends gets the whole response, and nothing after it is processed', async (t) => {
  const { promise: isAnswered, resolve } = Promise.withResolvers<void>()
  const processed: string[] = []
  const url = await impatient(
    t,
    ({ url }, response) => {
      processed.push(url ?? '')
      response.once('close', resolve)
      response.end(Buffer.alloc(200_000, 'b'))
    },
    { requestMs: 60_000, restMs: 60_000 },
  )
  const { port, hostname } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  t.after(() => socket.destroy())
  socket.pause().write(early)
  await isAnswered
  // On a connection that is closed already, these bytes would cause a reset, and nothing could be read.
  await new Promise((written) => socket.write(`${halfOfBody}GET /second HTTP/1.1\r\nHost: localhost\r\n\r\n`, written))

  const chunks = await socket.toArray()
  const [, body] = Buffer.concat(chunks).toString('latin1').split('\r\n\r\n')
  await once(socket.end(), 'close')

  assert.equal(body?.length, 200_000)
  assert.deepEqual(processed, ['/'])
})

test('a client that never sends the rest of an answered request is given up on', async (t) => {
  const { promise: connection, resolve } = Promise.withResolvers<Socket>()
  const url = await impatient(
    t,
    ({ socket }, response) => {
      resolve(socket)
      response.end('early')
    },
    { requestMs: 60_000 },
  )
  const { port, hostname } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  t.after(() => socket.destroy())
  socket.write(early)

  await once(await connection, 'close')
})

test('a client that does not read its answer is given up on', async (t) => {
  const { promise: isGivenUp, resolve } = Promise.withResolvers<void>()
  // More than the socket buffers of both sides can hold.
  const url = await impatient(t, (_request, response) => {
    response.once('close', resolve)
    response.end(Buffer.alloc(64 * 1024 * 1024))
  })
  const { port, hostname } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  t.after(() => socket.destroy())
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(socket, 'readable')

  await isGivenUp
})
