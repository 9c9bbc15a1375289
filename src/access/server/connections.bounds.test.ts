import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { metricsOf, startMonitoredApp } from '../../../test/support/monitored.app.ts'
import { answerIn, sendRaw } from '../../../test/support/socket.ts'

/** The timeout fails a test that waits for a connection that never closes or is never answered. */
const options = { timeout: 20_000 }

const api = '/cal/events/v1'
const metricsToken = 'a-token-of-metrics'
const [first, second, third, fourth] = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'] as const

/**
 * Starts the service over real connections and allows few of them. By default all addresses of this machine are exempt.
 */
async function listening(t: TestContext, environment: Readonly<Record<string, string>>) {
  const sockets: Socket[] = []
  // Runs before the service closes, because closing waits for open requests.
  t.after(() => sockets.map((socket) => socket.destroy()))
  const app = await startMonitoredApp(t, { METRICS_TOKEN: metricsToken, ...environment })
  const { url } = app
  const ask = async (from: string, path: string, ...lines: readonly string[]) =>
    sendRaw(url, [`GET ${path} HTTP/1.1`, 'Host: localhost', ...lines, 'Connection: close', '', ''].join('\r\n'), from)
      .all
  const open = async (from: string, bytes: string, until: RegExp): Promise<Socket> => {
    const { socket } = sendRaw(url, bytes, from)
    sockets.push(socket)
    let heard = ''
    while (!until.test(heard)) heard += String((await once(socket, 'data'))[0])
    return socket
  }
  const silent = async (from: string): Promise<Socket> => {
    const { socket } = sendRaw(url, `GET ${api}/events HTTP/1.1\r\nX-Slow: `, from)
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
  return {
    app,
    /** Sends a request on its own connection. Returns the whole response, or '' if the connection was closed. */
    ask,
    /** Returns the status of such a request, or `closed` if there was no response. */
    statusOf: async (from: string, path = `${api}/events`) => answerIn(await ask(from, path)).status || 'closed',
    /** A connection that has received a response and stays open. */
    idle: (from: string) => open(from, 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', /"pass"/),
    /** A connection whose request has a body that never arrives. */
    slow: (from: string) =>
      open(
        from,
        `POST ${api}/events HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n`,
        /100 Continue\r\n\r\n/,
      ),
    /** A connection that never finishes its headers. */
    silent,
    closed: async () => {
      const numbers = await metricsOf(app, { authorization: `Bearer ${metricsToken}` })
      return (reason: string) => numbers.get(`cal_events_http_connections_closed_total{reason="${reason}"}`) ?? 0
    },
  }
}

test('an address has so many connections as it may, and others are served', options, async (t) => {
  const { statusOf, slow, closed } = await listening(t, { RATE_LIMIT_EXEMPT: '', MAX_CONNECTIONS_PER_ADDRESS: '2' })
  const held = [await slow(first), await slow(first)]

  assert.deepEqual([await statusOf(first), await statusOf(second)], ['closed', 200])
  const [one] = held
  one?.end('{"a": 1}\n')
  await once(one as Socket, 'close')
  assert.deepEqual([await statusOf(first), await statusOf(second)], [200, 200])
  assert.equal((await closed())('address'), 1)
})

test(
  'who has as many connections as he may and uses none of them gets a new one for the oldest',
  options,
  async (t) => {
    const { statusOf, idle } = await listening(t, { RATE_LIMIT_EXEMPT: '', MAX_CONNECTIONS_PER_ADDRESS: '2' })
    const [older, newer] = [await idle(first), await idle(first)]
    const gone = once(older, 'close')

    assert.equal(await statusOf(first), 200)
    await gone
    assert.equal(newer.closed, false)
  },
)

test('addresses that stand for many have no bound of their own', options, async (t) => {
  const environments = [{}, { RATE_LIMIT_EXEMPT: '', TRUST_PROXY: '127.0.0.0/8' }]
  for (const environment of environments) {
    const { statusOf, slow } = await listening(t, { ...environment, MAX_CONNECTIONS_PER_ADDRESS: '1' })
    await slow(first)

    assert.equal(await statusOf(first), 200)
  }
})

for (const kind of ['idle', 'silent', 'slow'] as const) {
  test(`where one address takes all connections and is ${kind} on them, all others are served`, options, async (t) => {
    const { statusOf, closed, ...open } = await listening(t, { MAX_CONNECTIONS: '4' })
    const kept = await open.idle(second)
    for (let count = 0; count < 3; count += 1) await open[kind](first)

    const seen = []
    for (const from of [third, second, third, second]) {
      seen.push(await statusOf(from))
      await open[kind](first)
    }

    assert.deepEqual(seen, [200, 200, 200, 200])
    // Idle connections are closed first. So `kept` is safe only if the connections of the first address are idle too.
    if (kind === 'idle') assert.equal(kept.closed, false)
    assert.ok((await closed())({ idle: 'idle', silent: 'no_request', slow: 'slow' }[kind]) >= 3)
  })
}

test(
  'idle connections go before those that have not sent a request, and these before slow ones',
  options,
  async (t) => {
    const { idle, silent, slow, statusOf } = await listening(t, { MAX_CONNECTIONS: '4' })
    const kept = {
      slow: await slow(first),
      other: await slow(first),
      silent: await silent(first),
      idle: await idle(first),
    }
    const gone: string[] = []
    const closing = Object.entries(kept).map(([kind, socket]) => once(socket, 'close').then(() => gone.push(kind)))

    const held = []
    for (const from of [second, third, fourth]) held.push(await slow(from))

    const [slowGone, , silentGone, idleGone] = closing
    await Promise.all([slowGone, silentGone, idleGone])
    assert.deepEqual(gone, ['idle', 'silent', 'slow'])
    // Each client now has one connection, so none has to make room for another.
    assert.equal(await statusOf('127.0.0.6'), 503)
    assert.ok([kept.other, ...held].every((socket) => !socket.closed))
  },
)

test('probes are answered where every connection is taken, and all else is told to come again', options, async (t) => {
  const { app, ask, slow, closed } = await listening(t, { MAX_CONNECTIONS: '2' })
  const held = [await slow(first), await slow(first)]
  const statusOf = async (path: string, ...lines: readonly string[]) => (await ask(first, path, ...lines)).slice(9, 12)

  assert.deepEqual(
    [
      await statusOf('/health/live'),
      await statusOf('/health/ready'),
      await statusOf('/metrics', `Authorization: Bearer ${metricsToken}`),
      await statusOf('/metrics'),
    ],
    ['200', '200', '200', '503'],
  )
  for (const [path, words] of [
    [`${api}/events`, /cannot answer/],
    [`/fr${api}/events`, /ne peut pas répondre/],
    ['/events/', /cannot answer/],
  ] as const) {
    const { status, head, body } = answerIn(await ask(first, path))
    assert.deepEqual([status, body.code], [503, 'service_unavailable'], path)
    assert.match(body.message, words)
    assert.match(head, /\r\nconnection: close/i)
    assert.match(head, /\r\nretry-after: 1/i)
  }
  // Applies to a client that asks for keep-alive too.
  assert.match(await sendRaw(app.url, 'GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n', first).all, /"pass"/)

  const gone = held.map((socket) => once(socket.end('{"a": 1}\n'), 'close'))
  await Promise.all(gone)
  assert.equal(await statusOf(`${api}/events`), '200')
  assert.equal((await closed())('full'), 4)
})

test(
  'who fills what is kept for probes as well does not keep a probe of another address from it',
  options,
  async (t) => {
    const { ask, slow, silent } = await listening(t, { MAX_CONNECTIONS: '1', TRUST_PROXY: 'false' })
    await slow(first)
    for (let count = 0; count < 200; count += 1) await silent(first)

    assert.match(await ask(first, '/health/live'), /^HTTP\/1\.1 200/)
    assert.match(await ask(second, '/health/live'), /^HTTP\/1\.1 200/)
  },
)
