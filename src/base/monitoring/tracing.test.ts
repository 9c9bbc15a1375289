import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { givenCollector } from '../../../test/support/collector.ts'
import { plainEvent } from '../../../test/support/given.ts'
import { startMonitoredApp } from '../../../test/support/monitored.app.ts'

/** Some tests wait for events after a response. */
const options = { timeout: 60_000 }

const api = '/cal/events/v1'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${parentId}-01`

/** Sets variables of the process, since the exporter reads these. */
function useEnvironment(t: TestContext, environment: Readonly<Record<string, string>>) {
  const before = { ...process.env }
  Object.assign(process.env, environment)
  t.after(() => {
    process.env = before
  })
  return { environment }
}

test(
  'requests are traced with their statements, in the trace that they came with, and told to the collector',
  options,
  async (t) => {
    const collector = await givenCollector(t)
    const told = useEnvironment(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' })
    const app = await startMonitoredApp(t, {}, told)
    const { id } = (await (await app.post(`${api}/events`, { ...plainEvent, title: 'Sunflower' })).json()) as {
      id: number
    }

    const answer = await app.get(`${api}/events/${id}?password=hunter2`, { traceparent, 'x-request-id': 'proxy-7' })
    const spans = await collector.until((all) => all.some((span) => span.parentSpanId === parentId))

    assert.equal(answer.status, 200)
    const span = spans.find((one) => one.parentSpanId === parentId)
    assert.equal(span?.name, `GET ${api}/events/{id}`)
    assert.deepEqual(span?.attributes, {
      'http.request.method': 'GET',
      'http.route': `${api}/events/{id}`,
      'http.response.status_code': 200,
      'cal_events.request_id': 'proxy-7',
    })
    assert.equal(span?.traceId, traceId)
    const statements = spans.filter((one) => one.parentSpanId === span?.spanId)
    assert.ok(statements.length > 0)
    for (const { traceId: ofStatement, attributes } of statements) {
      assert.equal(ofStatement, traceId)
      assert.equal(attributes['db.operation.name'], 'select')
    }
    const write = spans.find(({ name }) => name === `POST ${api}/events`)
    assert.equal(write?.attributes['user.id'], String(app.userId))
    assert.ok(spans.some(({ parentSpanId, name }) => parentSpanId === write?.spanId && name.startsWith('insert ')))
    assert.equal((await app.lineOf('proxy-7')).trace, traceId)
    for (const personal of [/hunter2/, /sunflower/i, /roberta/]) assert.doesNotMatch(collector.text(), personal)
  },
)

test('a request that its client does not want to be traced is not', options, async (t) => {
  const collector = await givenCollector(t)
  const told = useEnvironment(t, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '20' })
  const app = await startMonitoredApp(t, {}, told)

  await (await app.get(`${api}/venues`, { traceparent: traceparent.replace(/1$/, '0') })).arrayBuffer()
  await (await app.get(`${api}/organizers`, { traceparent })).arrayBuffer()
  const spans = await collector.until((all) => all.some((span) => span.parentSpanId === parentId))

  assert.ok(!spans.some(({ name }) => name.includes('venues')))
})

test('without the standard variables, or where they say so, nothing is traced', options, async (t) => {
  for (const environment of [
    {},
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' },
  ]) {
    const app = await startMonitoredApp(t, {}, { environment })
    await (await app.get(`${api}/venues`, { traceparent, 'x-request-id': 'proxy-7' })).arrayBuffer()
    assert.equal((await app.lineOf('proxy-7')).trace, undefined)
  }
})

test('a collector that takes nothing is told of once, and keeps nobody from being answered', options, async (t) => {
  let asked = 0
  const twice = Promise.withResolvers<void>()
  const broken = createServer((_request, response) => {
    asked += 1
    response.writeHead(400).end()
    if (asked === 3) twice.resolve()
  }).listen(0, '127.0.0.1')
  await once(broken, 'listening')
  const { port } = broken.address() as AddressInfo
  const endpoint = `http://127.0.0.1:${port}`
  const told = useEnvironment(t, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '20' })
  const app = await startMonitoredApp(t, { LOG_LEVEL: 'warn' }, told)
  // After the service has sent its remaining spans.
  t.after(() => broken.close())
  let isOver = false
  void twice.promise.then(() => {
    isOver = true
  })

  while (!isOver) assert.equal((await app.get(`${api}/venues`)).status, 200)

  assert.equal(app.lines().filter(({ msg }) => /cannot be sent/.test(String(msg))).length, 1)
})
