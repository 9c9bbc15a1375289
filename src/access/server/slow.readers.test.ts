import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { nextProgress, noProgress, type ReadProgress } from './connections.ts'
import { octetsFlushed } from './flushed.octets.ts'

const everyMs = 1000

/**
 * Returns the result after a series of checks of an unread response, with the bytes that the reader took before each
 * check.
 */
function afterLooks(bytesEachTime: readonly number[]): ReadProgress | undefined {
  let seen: ReadProgress | undefined = noProgress
  let taken = 0
  for (const bytes of bytesEachTime) {
    taken += bytes
    if (seen) seen = nextProgress(seen, { taken, isWaiting: true }, everyMs)
  }
  return seen
}

test('who takes next to nothing of an answer for six looks in a row is too slow, a line that was away is not', () => {
  assert.ok(afterLooks(Array(100).fill(500)))
  assert.ok(afterLooks([0, 0, 0, 0, 0, 500, 0, 0, 0, 0, 0]))
  assert.equal(afterLooks(Array(6).fill(499)), undefined)
})

test('who has read all that there is may be silent for as long as they like', () => {
  let seen: ReadProgress | undefined = noProgress
  for (let look = 0; look < 100; look += 1)
    seen = seen && nextProgress(seen, { taken: 5000, isWaiting: false }, everyMs)

  assert.ok(seen)
})

test('what a client takes of an answer that is handed over at once is seen while they take it', async (t) => {
  const octets = 32 * 1024 * 1024
  const accepted = Promise.withResolvers<Socket>()
  const server = createServer((request, response) => {
    response.end(Buffer.alloc(octets))
    accepted.resolve(request.socket)
  }).listen(0)
  await once(server, 'listening')
  t.after(() => server.close())
  const reader = connect((server.address() as AddressInfo).port)
  t.after(() => reader.destroy())
  reader.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(reader, 'readable')
  const socket = await accepted.promise
  const before = octetsFlushed(socket)

  let received = 0
  for await (const chunk of reader) {
    received += chunk.length
    if (received > octets / 2) break
  }

  assert.ok(octetsFlushed(socket) >= octets / 2 && before < octets / 2, `${before}, ${octetsFlushed(socket)}`)
})
