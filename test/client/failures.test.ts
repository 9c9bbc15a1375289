import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { createClient } from '../../packages/client/src/client.ts'
import { ApiError, isApiError, NetworkError, TimeoutError } from '../../packages/client/src/errors.ts'
import type { ClientOptions } from '../../packages/client/src/options.ts'
import { mayRetry, retryAfterOf, waitBeforeRetry } from '../../packages/client/src/retry.ts'
import { type CannedResponse, startCannedServer, startClientSite } from '../support/client.site.ts'
import { plainEvent } from '../support/given.ts'

const busy: CannedResponse = {
  status: 503,
  headers: { 'Retry-After': '0' },
  body: { code: 'service_unavailable', message: 'x' },
}
const limited: CannedResponse = { ...busy, status: 429, body: { code: 'rest_too_many_requests', message: 'x' } }
const user: CannedResponse = { body: { id: 1, name: 'eve', email: '', role: 'author' } }
const event: CannedResponse = { body: { id: 7 } }

/** A client of a server that gives these answers, and the requests that the server received. */
async function clientOf(t: TestContext, answers: readonly CannedResponse[], options: Partial<ClientOptions> = {}) {
  const { url, heard } = await startCannedServer(t, ...answers)
  return { client: createClient({ baseUrl: url, ...options }), heard }
}

test('missing and faulty parameters are told by name, as the service says it', async (t) => {
  const { events } = await (await startClientSite(t)).clientOf('editor')
  // @ts-expect-error The types require the missing member.
  const missing = await events.create({ title: 'Concert' }).catch((error: ApiError) => error)
  const faulty = await events.list({ start_date: 'never', page: 0 }).catch((error: ApiError) => error)

  assert.ok(isApiError(missing, 'rest_missing_callback_param'))
  assert.deepEqual(Object.keys(missing.faults), ['start_date', 'end_date'])
  assert.ok(isApiError(faulty, 'rest_invalid_param'))
  assert.deepEqual([faulty.status, Object.keys(faulty.faults)], [400, ['page', 'start_date']])
  assert.match(faulty.faults.start_date ?? '', /date/)
})

test('a client that is limited waits for as long as it is told to, and then is answered', async (t) => {
  const site = await startClientSite(t, { RATE_LIMIT: '1/1', RATE_LIMIT_EXEMPT: '' })
  let asked = 0
  const counting: typeof fetch = (...sent) => {
    asked += 1
    return fetch(...sent)
  }
  const { events } = site.visitor({ fetch: counting })

  const pages = await Promise.all([events.list(), events.list()])

  assert.deepEqual(
    pages.map(({ total }) => total),
    [0, 0],
  )
  assert.ok(asked > 2)
})

test('a client that would have to wait for too long is told so at once', async (t) => {
  const site = await startClientSite(t, { RATE_LIMIT: '1/600', RATE_LIMIT_EXEMPT: '' })
  const { events } = site.visitor()
  await events.list()

  const error = await events.list().catch((reason: ApiError) => reason)

  assert.ok(isApiError(error, 'rest_too_many_requests'))
  assert.ok((error.retryAfterMs ?? 0) > 30_000)
})

test('what is repeatable is sent again after 503, a POST is not, and both are after 429', async (t) => {
  const outcomeOf = async (said: CannedResponse, call: 'get' | 'update' | 'delete' | 'create') => {
    const { client, heard } = await clientOf(t, [said, event])
    const { events } = client
    const calls = {
      get: () => events.get(7),
      update: () => events.update(7, { cost: 5 }),
      delete: () => events.delete(7),
      create: () => events.create(plainEvent),
    }
    const outcome = await calls[call]().then(
      ({ id }) => id,
      (error: ApiError) => error.status,
    )
    return [outcome, heard.length]
  }
  const calls = ['get', 'update', 'delete', 'create'] as const

  assert.deepEqual(await Promise.all(calls.map((call) => outcomeOf(busy, call))), [
    ...[
      [7, 2],
      [7, 2],
      [7, 2],
    ],
    [503, 1],
  ])
  assert.deepEqual(await Promise.all(calls.map((call) => outcomeOf(limited, call))), Array(4).fill([7, 2]))
})

test('what is sent again is the same', async (t) => {
  const { client, heard } = await clientOf(t, [limited, event], { credentials: { token: 'abc' }, language: 'fr-CA' })

  await client.events.create({ ...plainEvent, title: 'Fête' })

  const [first, second] = heard
  assert.deepEqual([second?.url, second?.body], [first?.url, first?.body])
  assert.equal(first?.url, '/fr/cal/events/v1/events?ml_language=fr-CA')
  assert.deepEqual(JSON.parse(first?.body ?? ''), { ...plainEvent, title: 'Fête' })
  assert.equal(second?.headers.authorization, 'Bearer abc')
})

test('a request is given up after so many retries, and at once where the wait is too long', async (t) => {
  const often = await clientOf(t, [busy], { retries: 1 })
  const long = await clientOf(t, [{ ...busy, headers: { 'Retry-After': '31' } }])

  const errors = await Promise.all([often, long].map(({ client }) => client.me().catch((error: ApiError) => error)))

  assert.deepEqual([often.heard.length, long.heard.length], [2, 1])
  for (const error of errors) assert.ok(isApiError(error, 'service_unavailable'))
})

test('other failures are not sent again', async (t) => {
  for (const status of [400, 401, 404, 408, 500, 502, 504]) {
    const { client, heard } = await clientOf(t, [{ ...busy, status }, user])

    await assert.rejects(client.me(), ApiError)

    assert.equal(heard.length, 1, String(status))
  }
})

test('an answer that is not of the service is told with its status', async (t) => {
  const codeOf = async (said: CannedResponse) => {
    const { client } = await clientOf(t, [said])
    return client.me().catch((error: ApiError) => [error.status, error.code, error.requestId])
  }
  const headers = { 'X-Request-Id': 'abc' }

  assert.deepEqual(await codeOf({ body: '<html>Sign in</html>' }), [200, 'unreadable-answer', undefined])
  assert.deepEqual(await codeOf({ status: 502, body: '<html></html>', headers }), [502, 'unreadable-answer', 'abc'])
  assert.deepEqual(await codeOf({ status: 418, body: { code: 'of-tomorrow', title: 'T' } }), [
    418,
    'of-tomorrow',
    undefined,
  ])
})

test('a write that is redirected fails, where it would seem to have succeeded', async (t) => {
  const moved: CannedResponse = { status: 301, headers: { Location: '/cal/service/v1/users/me' } }
  const { client, heard } = await clientOf(t, [moved, user])

  await assert.rejects(client.events.create(plainEvent), NetworkError)

  assert.equal(heard.length, 1)
})

test('no connection, an answer that breaks off, no answer in time and an abort are told apart', async (t) => {
  const silent = createServer((socket) => socket.on('error', () => {}))
  const breaking = createServer((socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{')),
  )
  const portOf = async (server: typeof silent) => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    return (server.address() as { readonly port: number }).port
  }
  const baseUrl = `http://127.0.0.1:${await portOf(silent)}`
  const reason = new Error('The page was left.')
  const aborting = new AbortController()
  const waiting = createClient({ baseUrl, signal: aborting.signal }).me()
  const single = createClient({ baseUrl }).me({ signal: aborting.signal })
  aborting.abort(reason)

  await assert.rejects(waiting, reason)
  await assert.rejects(single, reason)
  await assert.rejects(createClient({ baseUrl, signal: aborting.signal }).me(), reason)
  await assert.rejects(createClient({ baseUrl, timeoutMs: 50 }).me(), TimeoutError)
  await assert.rejects(createClient({ baseUrl: `http://127.0.0.1:${await portOf(breaking)}` }).me(), NetworkError)
  await assert.rejects(createClient({ baseUrl: 'http://127.0.0.1:1' }).me(), NetworkError)
})

test('an abort ends the wait before a retry', async (t) => {
  const aborting = new AbortController()
  const { url, heard } = await startCannedServer(t, { ...busy, headers: { 'Retry-After': '29' } })
  const abortAfter: typeof fetch = async (...sent) => {
    const answer = await fetch(...sent)
    setImmediate(() => aborting.abort())
    return answer
  }

  const call = createClient({ baseUrl: url, fetch: abortAfter }).me({ signal: aborting.signal })

  await assert.rejects(call, { name: 'AbortError' })
  assert.equal(heard.length, 1)
})

test('an address that is none of a service is refused at once', () => {
  for (const baseUrl of ['calendar', 'ftp://a.example', 'https://eve:secret@a.example', 'https://a.example?b']) {
    assert.throws(() => createClient({ baseUrl }), TypeError, baseUrl)
  }
})

test('the wait is never shorter than what the service asks for, never longer than the most, and bounded in times', () => {
  const patience = fc.record({ retries: fc.nat(9), longestWaitMs: fc.nat(60_000) })
  const asked = fc.option(fc.nat(90_000), { nil: undefined })
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      asked,
      patience,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (...of) => {
        const [failures, retryAfterMs = 0, { retries, longestWaitMs }] = of
        const waitMs = waitBeforeRetry(...of)
        if (waitMs === undefined) assert.ok(failures > retries || retryAfterMs > longestWaitMs)
        else assert.ok(failures <= retries && waitMs >= retryAfterMs && waitMs <= longestWaitMs)
      },
    ),
  )
})

test('the time to wait is read as seconds and as a date', () => {
  const now = Date.parse('2030-01-15T12:00:00Z')

  assert.equal(retryAfterOf('120', now), 120_000)
  assert.equal(retryAfterOf('Tue, 15 Jan 2030 12:00:07 GMT', now), 7000)
  assert.equal(retryAfterOf('Tue, 15 Jan 2030 11:00:00 GMT', now), 0)
  assert.equal(retryAfterOf('soon', now), undefined)
  assert.equal(retryAfterOf(null, now), undefined)
  assert.deepEqual(
    [mayRetry(429, false), mayRetry(503, false), mayRetry(503, true), mayRetry(500, true)],
    [true, false, true, false],
  )
})
