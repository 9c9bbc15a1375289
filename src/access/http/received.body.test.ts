import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { type TestContext, test } from 'node:test'
import { sendRaw } from '../../../test/support/socket.ts'
import { createReceivedBodies } from '../../base/limits/received.bodies.ts'
import { Problem } from '../../base/problems.ts'
import { countedBody, readBody } from './received.body.ts'

const kibibyte = 1024
const maxBytes = 64 * kibibyte
/** Room for eight bodies. */
const most = 8 * maxBytes

/** Starts a server that reads bodies and answers with their length. Returns what it holds of them, too. */
async function reading(t: TestContext, limit = most) {
  const room = createReceivedBodies(limit)
  let held = 0
  let highest = 0
  const received: typeof room = {
    begin: (client, refuse) => {
      const body = room.begin(client, refuse)
      let own = 0
      return {
        add: (octets) => {
          own += octets
          held += octets
          body.add(octets)
          highest = Math.max(highest, held)
        },
        end: () => {
          held -= own
          own = 0
          body.end()
        },
      }
    },
  }
  const server = createServer((request, response) => {
    const answer = (status: number, text: string) =>
      response.writeHead(status, { Connection: 'close', 'Content-Length': text.length }).end(text)
    const client = request.socket.remoteAddress ?? ''
    readBody(request, { client, received, maxBytes, announced: request.headers['content-length'] }).then(
      (body) => answer(200, `${body.length}`),
      (error) => answer(error instanceof Problem ? error.status : 500, ''),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { server, url, held: () => held, highest: () => highest }
}

const head = (length: number) => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`
const whole = head(maxBytes) + 'a'.repeat(maxBytes)
const neverEnding = whole.slice(0, -1)

test('bodies that never end make room for those that arrive, and those of who has most of them go first', async (t) => {
  const { url, held, highest } = await reading(t)
  const [attacker, slow, honest] = ['127.0.0.2', '127.0.0.3', '127.0.0.4']
  const one = sendRaw(url, neverEnding, slow)
  const many = Array.from({ length: 40 }, () => sendRaw(url, neverEnding, attacker))
  const { promise: isCrowded, resolve } = Promise.withResolvers<void>()
  let refused = 0
  const ends = many.map(async ({ all }) => {
    await all
    refused += 1
    // There is room for eight, one of which is that of the other client.
    if (refused === 33) resolve()
  })

  await isCrowded
  for (let time = 0; time < 20; time += 1) {
    assert.match(await sendRaw(url, whole, honest).all, /^HTTP\/1\.1 200 [\s\S]*\b65536$/)
  }
  one.socket.write('a')
  assert.match(await one.all, /^HTTP\/1\.1 200 /)
  assert.ok(highest() <= most + maxBytes, `${highest()}`)
  for (const { socket } of many) socket.destroy()
  await Promise.all(ends)
  assert.equal(held(), 0)
})

test('a body in thousands of pieces of a byte is refused, and one in many packets is not', async (t) => {
  const { url } = await reading(t, 64 * maxBytes)
  const chunked = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

  assert.match(await sendRaw(url, `${chunked}${'1\r\na\r\n'.repeat(5000)}0\r\n\r\n`).all, /^HTTP\/1\.1 413 /)
  const packets = `64\r\n${'a'.repeat(100)}\r\n`.repeat(600)
  assert.match(await sendRaw(url, `${chunked}${packets}0\r\n\r\n`).all, /\b60000$/)
})

test('a body that breaks off and that nobody reads does not end the process', async () => {
  const body = new PassThrough()
  const counted = countedBody(body, { client: 'a', received: createReceivedBodies(most) })
  const closed = new Promise((resolve) => counted.once('close', resolve))
  body.destroy(new Error('aborted'))
  await closed
})

test('a body that is longer than allowed is refused, announced or not, and one that breaks off leaves nothing', async (t) => {
  const { server, url, held } = await reading(t)
  assert.match(await sendRaw(url, head(maxBytes + 1)).all, /^HTTP\/1\.1 413 /)
  const chunk = `${(maxBytes + 1).toString(16)}\r\n${'a'.repeat(maxBytes + 1)}\r\n0\r\n\r\n`
  const chunked = `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}`
  assert.match(await sendRaw(url, chunked).all, /^HTTP\/1\.1 413 /)

  const arrived = once(server, 'request')
  const { socket } = sendRaw(url, neverEnding)
  const [request] = await arrived
  const closed = new Promise((resolve) => request.once('close', resolve))
  socket.destroy()
  await closed
  assert.equal(held(), 0)
})
