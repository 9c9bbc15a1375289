import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { answerIn, sendRaw } from '../support/socket.ts'
import type { Attack, Target } from './target.ts'

/** A text of maximum length, in words that a search finds. */
const longText = 'kept in memory '.repeat(4200)
const eventCount = 120
let given: Promise<void> | undefined

/** Creates many events with texts of maximum length, once for all attacks. */
function givenLongEvents(target: Target): Promise<void> {
  given ??= (async () => {
    for (let first = 0; first < eventCount; first += 8) {
      const several = Array.from({ length: 8 }, async (_, place) => {
        const { status, text } = await target.send({
          ...{ as: 'author', method: 'POST', path: '/events' },
          json: {
            ...{ title: `Long ${first + place}`, description: longText, excerpt: longText },
            ...{ start_date: '2090-05-01 19:00:00', end_date: '2090-05-01 21:00:00' },
          },
        })
        assert.equal(status, 201, text.slice(0, 300))
      })
      await Promise.all(several)
    }
  })()
  return given
}

function requestOf({ api }: Target, path: string, more = ''): string {
  const { host, pathname, search } = new URL(`${api}${path}`)
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`
}

/** Sends a request and reads no more of the answer than the socket buffers. */
async function askAndNotRead(target: Target, path: string, from = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(target.api)
  const socket = connect({ port: Number(port), host: hostname, localAddress: from })
  socket.on('error', () => {})
  socket.write(requestOf(target, path))
  await Promise.race([once(socket, 'readable'), once(socket, 'close')]).catch(() => {})
  return socket
}

/**
 * Opens this many requests without reading the answers. Asserts that memory, garbage included, stays within the limit,
 * and that others are still answered.
 */
async function assertBounded(
  target: Target,
  { readers, maxMegabytes }: { readonly readers: number; readonly maxMegabytes: number },
  pathOf: (reader: number) => string,
): Promise<void> {
  await givenLongEvents(target)
  const before = await target.residentMegabytes()
  const sockets: Socket[] = []
  try {
    for (let reader = 0; reader < readers; reader += 1) {
      sockets.push(await askAndNotRead(target, pathOf(reader)))
      const { status } = await target.send({ path: `/events?per_page=1&include=${reader + 1}` })
      assert.ok(status < 500, `somebody else was answered ${status}`)
    }
    const grown = (await target.residentMegabytes()) - before
    assert.ok(grown < maxMegabytes, `${readers} readers took ${Math.round(grown)} MB`)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
}

const dates = 'start_date=2090-01-01&end_date=2090-12-31'

export const attacks: readonly Attack[] = [
  {
    title: 'readers of long feeds who do not read hold next to nothing in memory',
    play: (target) =>
      assertBounded(
        target,
        { readers: 24, maxMegabytes: 200 },
        (reader) => `/events.csv?${dates}&per_page=${2000 - reader}`,
      ),
  },
  {
    title: 'readers of long lists who do not read hold no more in memory than all may together',
    play: (target) =>
      assertBounded(
        target,
        { readers: 60, maxMegabytes: 450 },
        (reader) => `/events?${dates}&per_page=${100 - (reader % 50)}&n=${reader}`,
      ),
  },
  {
    title: 'one client who takes a little of each of many long feeds keeps nobody else from reading one',
    play: async (target) => {
      await givenLongEvents(target)
      const path = `/events.csv?${dates}`
      const sockets: Socket[] = []
      try {
        for (let reader = 0; reader < 32; reader += 1) sockets.push(await askAndNotRead(target, path, '127.0.0.9'))
        // Reads a little of each answer, so that no reader has stalled.
        for (const socket of sockets) socket.read()
        const honest = sendRaw(target.origin, requestOf(target, path, 'Connection: close\r\n'), '127.0.0.5')
        const text = await honest.all
        assert.match(text, /^HTTP\/1\.1 200 /)
        assert.ok(text.endsWith('\r\n0\r\n\r\n'), 'the feed was broken off')
      } finally {
        for (const socket of sockets) socket.destroy()
      }
    },
  },
  {
    title: 'one client with many answers that nobody reads does not have those reset whom others read slowly',
    play: async (target) => {
      await givenLongEvents(target)
      const sockets: Socket[] = []
      const list = (number: number) => `/events?${dates}&per_page=100&honest=${number}`
      const honest = sendRaw(target.origin, requestOf(target, list(0), 'Connection: close\r\n'), '127.0.0.5')
      try {
        await once(honest.socket, 'data')
        honest.socket.pause()
        for (let reader = 1; reader <= 40; reader += 1) {
          sockets.push(await askAndNotRead(target, list(reader), '127.0.0.9'))
        }
        honest.socket.resume()
        assert.equal(answerIn(await honest.all).body.events.length, 100)
      } finally {
        for (const socket of [honest.socket, ...sockets]) socket.destroy()
      }
    },
  },
  {
    title: 'a formula in the second line of a description stays within its cell of the table',
    play: async (target) => {
      const made = await target.send({
        ...{ as: 'author', method: 'POST', path: '/events' },
        json: {
          title: 'Lines',
          description: 'Harmless<br>=1+1&#13;=2+2',
          start_date: '2091-05-01',
          end_date: '2091-05-01',
        },
      })
      assert.equal(made.status, 201, made.text)
      const { text } = await target.send({ path: '/events.csv?start_date=2091-01-01&end_date=2091-12-31' })
      const unquoted = text.replace(/"(?:[^"]|"")*"/g, '')
      assert.doesNotMatch(unquoted, /(?:^|[\r\n,])[=+@-]/, text)
    },
  },
]
