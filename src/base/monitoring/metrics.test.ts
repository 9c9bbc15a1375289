import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainEvent } from '../../../test/support/given.ts'
import { type MonitoredApp, metricsOnce, startMonitoredApp } from '../../../test/support/monitored.app.ts'

/** Some tests wait for events after a response. */
const options = { timeout: 60_000 }

const api = '/cal/events/v1'
const token = 'a-token-of-metrics'

test('without a setting nobody may read the numbers, and strangers find nothing there', options, async (t) => {
  const off = await startMonitoredApp(t)
  const withToken = await startMonitoredApp(t, { METRICS_TOKEN: token })
  const near = await startMonitoredApp(t, { METRICS_FROM: 'private' })
  const far = await startMonitoredApp(t, { METRICS_FROM: '203.0.113.0/24', METRICS_TOKEN: token })
  const behind = await startMonitoredApp(t, { METRICS_FROM: '203.0.113.0/24', TRUST_PROXY: 'private' })
  const bearer = { authorization: `Bearer ${token}` }
  const statusOf = async (app: MonitoredApp, headers: Readonly<Record<string, string>> = {}) =>
    (await app.get('/metrics', headers)).status

  assert.deepEqual(
    [await statusOf(off), await statusOf(off, bearer), await statusOf(withToken), await statusOf(withToken, bearer)],
    [404, 404, 404, 200],
  )
  for (const wrong of ['Bearer ', 'Bearer a', `Bearer ${token}x`, `Basic ${token}`, token])
    assert.equal(await statusOf(withToken, { authorization: wrong }), 404, wrong)
  assert.deepEqual([await statusOf(near), await statusOf(far, bearer)], [200, 404])
  // An untrusted proxy forwards all requests from its own address.
  assert.equal(await statusOf(near, { 'x-forwarded-for': '203.0.113.9' }), 404)
  assert.equal(await statusOf(behind, { 'x-forwarded-for': '203.0.113.9' }), 200)
  assert.equal(await statusOf(behind, { 'x-forwarded-for': '198.51.100.9' }), 404)
  // A client with an unknown address is not the proxy. Neither is a client named only in another header.
  const inside = await startMonitoredApp(t, { METRICS_FROM: 'private', TRUST_PROXY: 'true' })
  for (const headers of [
    { 'x-forwarded-for': '203.0.113.9:4711' },
    { 'x-forwarded-for': 'unknown' },
    { forwarded: 'for=203.0.113.9' },
    { via: '1.1 proxy' },
  ])
    assert.equal(await statusOf(inside, headers), 404, JSON.stringify(headers))
  assert.equal(await statusOf(inside, { 'x-forwarded-for': '10.1.2.3:4711' }), 200)
  const [refused, nothing] = [await off.get('/metrics'), await off.get('/nothing')]
  assert.equal(await refused.text(), await nothing.text())
})

test(
  'the numbers can be read at any host, and by however many requests the service is kept busy',
  options,
  async (t) => {
    const app = await startMonitoredApp(t, {
      METRICS_FROM: 'private',
      ALLOWED_HOSTS: 'calendar.example',
      MAX_IN_FLIGHT: '1',
    })
    const one = Promise.withResolvers<void>()
    const busy = app.deps.limits.inFlight.run(() => one.promise)

    assert.equal((await app.get(`${api}/events`)).status, 421)
    assert.equal((await app.get('/metrics')).status, 200)

    one.resolve()
    await busy
  },
)

test('requests, statements, refusals and cached responses are counted', options, async (t) => {
  const app = await startMonitoredApp(t, { METRICS_FROM: 'private', LOG_LEVEL: 'silent' })
  const { id } = (await (await app.post(`${api}/events`, plainEvent)).json()) as { readonly id: number }
  for (const path of [`${api}/events/${id}`, `${api}/events/${id}`, `${api}/events/999999`, '/events/'])
    await (await app.get(path)).arrayBuffer()
  const page = 'cal_events_http_requests_total{method="GET",route="/events/",status="200"}'

  const numbers = await metricsOnce(app, (now) => now.has(page))

  const route = `method="GET",route="${api}/events/{id}"`
  const { engine } = { engine: app.deps.config.database.engine }
  const expected: Readonly<Record<string, number>> = {
    [`cal_events_http_requests_total{method="POST",route="${api}/events",status="201"}`]: 1,
    [`cal_events_http_requests_total{${route},status="200"}`]: 2,
    [`cal_events_http_requests_total{${route},status="404"}`]: 1,
    [`cal_events_http_request_duration_seconds_count{${route}}`]: 3,
    'cal_events_memory_requests_total{result="hit"}': 1,
    'cal_events_memory_requests_total{result="miss"}': 3,
    'cal_events_problems_total{code="rest-event-not-found"}': 1,
    cal_events_processes: 1,
    cal_events_writes_waiting: 0,
    cal_events_http_requests_waiting: 0,
    cal_events_fetches_waiting: 0,
    cal_events_pictures_waiting: 0,
    cal_events_memory_answers: 2,
    cal_events_revision: await app.deps.storage.revision(),
  }
  for (const [series, value] of Object.entries(expected)) assert.equal(numbers.get(series), value, series)
  assert.ok((numbers.get('cal_events_http_requests_in_flight') ?? 0) >= 1)
  assert.ok((numbers.get('cal_events_http_connections') ?? 0) >= 1)
  assert.ok((numbers.get('cal_events_memory_bytes') ?? 0) > 100)
  const selects = `cal_events_database_query_duration_seconds_count{engine="${engine}",operation="select"}`
  assert.ok((numbers.get(selects) ?? 0) > 0, selects)
  assert.ok([...numbers.keys()].some((name) => name.startsWith('nodejs_eventloop_lag_p99_seconds')))
})

test('whatever strangers ask for, there are no more series than before', options, async (t) => {
  const app = await startMonitoredApp(t, { METRICS_FROM: 'private', LOG_LEVEL: 'silent' })
  const ask = async (name: string) => {
    const paths = ['', '/', '.html', '/events', '/ical/'].map((end) => `/event/${name}${end}`)
    const more = [`/${name}`, `${api}/${name}`, `${api}/events/by-slug/${name}`, `/health/${name}`, `/uploads/${name}`]
    for (const path of [...paths, ...more, `/assets/${name}`, `/docs/${name}`, `/cal/service/v1/${name}`])
      await (await app.get(path)).arrayBuffer()
    await (await fetch(`${app.url}${api}/events`, { method: 'PROPFIND' })).arrayBuffer()
  }
  const asked = 'cal_events_http_requests_total{method="other"'
  const countOf = (numbers: Map<string, number>) =>
    [...numbers].reduce((sum, [name, value]) => (name.startsWith(asked) ? sum + value : sum), 0)
  await ask('one')
  const before = await metricsOnce(app, (now) => countOf(now) === 1)

  for (const name of ['two', 'three', 'marguerite']) await ask(name)
  const after = await metricsOnce(app, (now) => countOf(now) === 4)

  const ours = (numbers: Map<string, number>) =>
    [...numbers.keys()].filter((name) => name.startsWith('cal_events_') && !name.includes('"/metrics"')).sort()
  assert.deepEqual(ours(after), ours(before))
  assert.doesNotMatch(ours(after).join(), /marguerite|two/)
})

test('statements of writes that share a commit are told of the request that asked for them', options, async (t) => {
  const app = await startMonitoredApp(t, { METRICS_FROM: 'private' })
  // The first request with a key records its use.
  await app.post(`${api}/tags`, { name: 'first' })
  const alone = await app.post(`${api}/tags`, { name: 'alone' })
  const together = await Promise.all(['a', 'b', 'c', 'd'].map((name) => app.post(`${api}/tags`, { name })))

  const counts: number[] = []
  for (const answer of [alone, ...together]) {
    assert.equal(answer.status, 201)
    counts.push(Number((await app.lineOf(answer.headers.get('x-request-id') ?? '')).queries))
  }

  const [own = 0] = counts
  assert.ok(own > 3)
  // Writes of one caller that share a commit look the caller up once.
  assert.ok(
    counts.every((count) => count === own || count === own - 1),
    String(counts),
  )
})
