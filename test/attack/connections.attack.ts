import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { sendRaw } from '../support/socket.ts'
import { type Attack, startTarget } from './target.ts'

const maxConnections = 40
const [attacker, somebody] = ['127.0.0.2', '127.0.0.3']
const scraping = 'Authorization: Bearer attack-metrics-token'
const list = '/cal/events/v1/events'

/** Ways to keep a connection open, by the sent bytes. */
const ways = {
  'says nothing': '',
  'never ends its headers': `GET ${list} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `,
  'never sends its body': `POST ${list} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\n\r\n{`,
  'asks once and never again': 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n',
} as const

/** A service that accepts few connections, and a client that keeps as many as possible. */
async function withFew(
  environment: Readonly<Record<string, string>>,
  attack: (origin: string, take: (bytes: string, count: number) => Promise<readonly Socket[]>) => Promise<void>,
): Promise<void> {
  const ends: (() => unknown)[] = []
  const held: Socket[] = []
  try {
    const { origin } = await startTarget(
      { after: (end) => void ends.push(end as () => unknown) },
      { MAX_CONNECTIONS: String(maxConnections), ...environment },
    )
    await attack(origin, async (bytes, count) => {
      const taken = Array.from({ length: count }, () => sendRaw(origin, bytes, attacker).socket)
      held.push(...taken)
      await Promise.all(taken.map((socket) => once(socket, 'connect')))
      return taken
    })
  } finally {
    for (const socket of held) socket.destroy()
    for (const end of ends.reverse()) await end()
  }
}

async function assertAnswered(origin: string, from: string, path: string, ...lines: readonly string[]): Promise<void> {
  const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines, '', '']
  const answer = await sendRaw(origin, head.join('\r\n'), from).all
  assert.match(answer, /^HTTP\/1\.1 200 /, `${path} from ${from}: ${answer.slice(0, 40) || 'closed'}`)
}

async function assertProbesAnswered(origin: string): Promise<void> {
  for (const from of [attacker, somebody]) {
    for (const path of ['/health/live', '/health/ready', '/metrics']) await assertAnswered(origin, from, path, scraping)
  }
}

export const attacks: readonly Attack[] = [
  {
    title: 'one client that takes every connection, in whatever way, shuts out neither others nor probes',
    play: () =>
      withFew({}, async (origin, take) => {
        for (const [way, bytes] of Object.entries(ways)) {
          await take(bytes, 4 * maxConnections)
          for (let time = 0; time < 5; time += 1) {
            await assertAnswered(origin, somebody, list).catch((error) => assert.fail(`who ${way}: ${error.message}`))
            await take(bytes, 10)
          }
          await assertProbesAnswered(origin)
        }
      }),
  },
  {
    title: 'one address has no more connections than MAX_CONNECTIONS_PER_ADDRESS',
    play: () =>
      withFew({ RATE_LIMIT_EXEMPT: '', MAX_CONNECTIONS_PER_ADDRESS: '8' }, async (origin, take) => {
        const taken = await take(ways['never sends its body'].replace('\r\n', '\r\nExpect: 100-continue\r\n'), 8)
        await Promise.all(taken.map((socket) => once(socket, 'data')))
        for (let time = 0; time < 5; time += 1) {
          assert.equal(await sendRaw(origin, ways['asks once and never again'], attacker).all, '')
        }
        await assertAnswered(origin, somebody, list)
        await assertAnswered(origin, somebody, '/health/ready')
      }),
  },
  {
    title: 'a client whose proxy names its port as well is neither its proxy nor a new client each time',
    play: () =>
      withFew({ TRUST_PROXY: 'true', METRICS_FROM: 'private', RATE_LIMIT: '5/600' }, async (origin) => {
        const statusFrom = async (path: string, from: string) => {
          const head = [`GET ${path} HTTP/1.1`, 'Host: localhost', scraping, `X-Forwarded-For: ${from}`]
          return (await sendRaw(origin, [...head, 'Connection: close', '', ''].join('\r\n')).all).slice(9, 12)
        }
        for (const from of ['203.0.113.7:1', '"203.0.113.7"', '[2001:db8::1]:443', 'unknown', '_hidden'])
          assert.equal(await statusFrom('/metrics', from), '404', from)
        const statuses = []
        for (let port = 1; port <= 6; port += 1)
          statuses.push(await statusFrom('/cal/events/v1/', `203.0.113.8:${port}`))
        assert.equal(statuses.at(-1), '429')
      }),
  },
]
