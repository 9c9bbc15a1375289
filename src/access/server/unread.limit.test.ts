import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { limitUnread } from './unread.limit.ts'

const mebibyte = 1024 * 1024
/** More than a system buffers for a connection that nobody reads. */
const large = Buffer.alloc(24 * mebibyte, 'a')
const most = 60 * mebibyte

/** Starts a server with large responses, except at `/small`. Also returns what it holds for its clients. */
async function largeAnswers(t: TestContext) {
  const unread = limitUnread(({ socket }) => socket.remoteAddress ?? '', most)
  const open = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    const body = request.url === '/small' ? Buffer.from('small') : large
    unread.makeRoom(response, body.length)
    open.add(response)
    response.once('close', () => open.delete(response))
    response.writeHead(200, { 'Content-Length': body.length }).end(body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const held = () => [...open].reduce((sum, { writableLength }) => sum + writableLength, 0)
  return { url, held, look: unread.look }
}

/** Sends several requests for a large response on one connection, and reads only the first bytes. */
async function askSilently(t: TestContext, url: string, times = 1, from = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  t.after(() => socket.destroy())
  socket.on('error', () => {})
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times))
  // When the first bytes of a response have arrived, the server has sent all of it.
  await once(socket, 'readable')
  return socket
}

test('what waits to be read is bounded, and makes room for whoever reads', async (t) => {
  const { url, held } = await largeAnswers(t)
  const silent: Socket[] = []
  for (let number = 0; number < 6; number += 1) {
    silent.push(await askSilently(t, url))
    assert.ok(held() <= most, `${held()}`)
  }

  const body = await (await fetch(url)).arrayBuffer()
  assert.equal(body.byteLength, large.length)
  assert.ok(held() <= most)
  // The server reset the slowest clients, and those know that their response is incomplete.
  const [first] = silent
  const isBroken = new Promise((resolve) => first?.once('close', resolve))
  let octets = 0
  first?.on('data', (chunk: Buffer) => {
    octets += chunk.length
  })
  assert.equal(await isBroken, true)
  assert.ok(octets < large.length)
})

test('requests that one client sends at once, without reading, are counted as well', async (t) => {
  const { url, held } = await largeAnswers(t)
  await askSilently(t, url, 8)

  assert.ok(held() <= most, `${held()}`)
  assert.equal(await (await fetch(`${url}/small`)).text(), 'small')
})

/** Reads at least this many bytes, and returns how many it read. Fails if the response is interrupted. */
function read(socket: Socket, octets: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  let count = 0
  const onData = (chunk: Buffer) => {
    count += chunk.length
    if (count < octets) return
    socket.off('data', onData).off('close', onClose).pause()
    resolve(count)
  }
  const onClose = () => reject(new Error('The answer is broken off.'))
  socket.on('data', onData).on('close', onClose).resume()
  if (socket.destroyed) onClose()
  return promise
}

/** Returns true if a response arrives completely. */
async function isWhole(socket: Socket): Promise<boolean> {
  return read(socket, large.length).then(
    () => true,
    () => false,
  )
}

test('whoever has most waiting makes room, and not who has come before', async (t) => {
  const { url, held } = await largeAnswers(t)
  const slow = await askSilently(t, url, 1, '127.0.0.5')
  for (let number = 0; number < 6; number += 1) {
    await askSilently(t, url, 1, '127.0.0.9')
    assert.ok(held() <= most, `${held()}`)
  }

  assert.ok(await isWhole(slow))
})

test('of the connections of one client those make room first that take nothing', async (t) => {
  const { url, look } = await largeAnswers(t)
  const slow = await askSilently(t, url)
  const silent = await askSilently(t, url)
  const silentEnd = new Promise((resolve) => silent.once('close', resolve))
  look()
  const count = await read(slow, large.length / 2)
  const another = await askSilently(t, url)

  silent.resume()
  assert.equal(await silentEnd, true)
  await read(slow, large.length - count)
  assert.ok(await isWhole(another))
})
