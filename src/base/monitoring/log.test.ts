import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { plainEvent } from '../../../test/support/given.ts'
import { type MonitoredApp, startMonitoredApp } from '../../../test/support/monitored.app.ts'
import { requestIdOf } from './monitoring.ts'

/** Some tests wait for events after a response. */
const options = { timeout: 60_000 }

const api = '/cal/events/v1'
const newId = /^[\w-]{12}-[0-9a-z]+$/

async function lineAfter(app: MonitoredApp, answer: Response) {
  await answer.arrayBuffer()
  const { time: _time, ms, pid, ...line } = await app.lineOf(answer.headers.get('x-request-id') ?? '')
  assert.equal(pid, process.pid)
  assert.ok(typeof ms === 'number' && ms >= 0 && ms < 60_000)
  return line
}

test('a request has the id that it came with where that is a sane word, else a new one', () => {
  const idOf = (sent: string) => requestIdOf({ headers: { 'x-request-id': sent } })

  for (const sane of ['a', '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'Root=1-67891233-abcdef012345678912345678', 'x'.repeat(128)])
    assert.equal(idOf(sane), sane)
  for (const other of ['', ' ', 'a b', 'a"b', 'a@b.ca', 'é', '<x>', '{}', 'x'.repeat(129)])
    assert.match(idOf(other), newId)
  fc.assert(fc.property(fc.string(), (sent) => /^[\w.:=+/-]{1,128}$/.test(idOf(sent))))
})

test('every answer says the id of its request, whoever gives it', options, async (t) => {
  const app = await startMonitoredApp(t, { ALLOWED_HOSTS: '127.0.0.1' })
  const sent = { 'x-request-id': 'proxy-7' }

  for (const path of [
    `${api}/events`,
    `${api}/events`,
    '/events/',
    '/cal/service/v1/nothing',
    '/uploads/x',
    '/nothing',
  ]) {
    assert.equal((await app.get(path, sent)).headers.get('x-request-id'), 'proxy-7', path)
    assert.match((await app.get(path)).headers.get('x-request-id') ?? '', newId, path)
  }
  const tooLong = await app.get(`/${'x'.repeat(17_000)}`, sent)
  assert.deepEqual([tooLong.status, tooLong.headers.get('x-request-id')], [414, 'proxy-7'])
})

test(
  'a request is told in one line: who, which route, how it went, and nothing that was searched for',
  options,
  async (t) => {
    const app = await startMonitoredApp(t)
    const { id } = (await (await app.post(`${api}/events`, { ...plainEvent, title: 'Sunflower' })).json()) as {
      id: number
    }
    const search = `${api}/events?search=Marguerite&ml_language=en`

    const seen = [
      await app.post(`${api}/events`, { ...plainEvent, title: 'Sunflower' }),
      await app.get(search),
      await app.get(search),
      await app.get(`/fr${api}/events/${id}?password=hunter2`),
      await app.get('/events/month/2030-01/?search=Marguerite'),
      await app.get('/cal/service/v1/users/me', { authorization: app.authorization }),
      await app.get('/cal/service/v1/users/me', { authorization: `Basic ${btoa('marguerite@example.org:secret')}` }),
      await app.get('/marguerite@example.org'),
    ]
    const lines = []
    for (const answer of seen) {
      const { requestId, bytes, queries: _queries, ...line } = await lineAfter(app, answer)
      assert.equal(requestId, answer.headers.get('x-request-id'))
      assert.ok(Number(bytes) > 100)
      lines.push(line)
    }

    const told = { level: 30, msg: 'request' }
    const user = app.userId
    assert.deepEqual(lines, [
      { ...told, method: 'POST', route: `${api}/events`, status: 201, user },
      { ...told, method: 'GET', route: `${api}/events`, status: 200, memory: 'miss' },
      { ...told, method: 'GET', route: `${api}/events`, status: 200, memory: 'hit' },
      { ...told, method: 'GET', route: `${api}/events/{id}`, status: 200 },
      { ...told, method: 'GET', route: '/events/month/{month}/', status: 200, memory: 'miss' },
      { ...told, method: 'GET', route: '/cal/service/v1/users/{user}', status: 200, user },
      {
        ...{ ...told, method: 'GET', route: '/cal/service/v1/users/{user}', status: 401 },
        problem: 'incorrect_password',
      },
      { ...told, method: 'GET', route: 'unmatched', status: 404, memory: 'miss', problem: 'rest_no_route' },
    ])
    for (const personal of [/marguerite/i, /sunflower/i, /hunter2/, /roberta/, /127\.0\.0\.1[^:]/, /admin/])
      assert.doesNotMatch(app.text(), personal)
  },
)

test(
  'what goes wrong inside is told with the id of its request, at a level that is told by default',
  options,
  async (t) => {
    const app = await startMonitoredApp(t, { LOG_LEVEL: 'warn' })
    await app.deps.storage.write((tx) => sql`alter table audit rename to lost_audit`.execute(tx))

    const broken = await app.post(`${api}/events`, plainEvent)
    const line = await lineAfter(app, broken)
    await (await app.get(`${api}/venues`)).arrayBuffer()

    const [bug, ...others] = app.lines().filter(({ msg }) => msg !== 'request')
    assert.equal(broken.status, 500)
    assert.deepEqual([line.level, line.problem], [40, 'internal_server_error'])
    assert.deepEqual([bug?.level, bug?.requestId, others], [50, line.requestId, []])
    assert.equal(app.lines().length, 2)
  },
)

test('the entry of a write names its request as the log does', options, async (t) => {
  const app = await startMonitoredApp(t)

  const written = await app.post(`${api}/tags`, { name: 'jazz' })
  const line = await lineAfter(app, written)
  const audit = await app.get('/cal/service/v1/audit', { authorization: app.authorization })

  assert.match(String(line.requestId), newId)
  assert.ok((await audit.text()).includes(`"request_id":"${line.requestId}"`))
})

test('files and what machines ask all the time are told at the level debug only', options, async (t) => {
  const app = await startMonitoredApp(t, { LOG_LEVEL: 'debug' })
  const asked = [await app.get('/uploads/none.jpg'), await app.get('/assets/none.css'), await app.get('/events/')]

  const levels = []
  for (const answer of asked) levels.push((await lineAfter(app, answer)).level)

  assert.deepEqual(levels, [20, 20, 30])
})

test('addresses of clients are told where a setting says so', options, async (t) => {
  const app = await startMonitoredApp(t, { LOG_ADDRESSES: 'true', TRUST_PROXY: 'true' })

  const line = await lineAfter(app, await app.get('/events/', { 'x-forwarded-for': '203.0.113.9' }))

  assert.equal(line.address, '203.0.113.9')
})

test('answers say how long their parts took where a setting says so, and by default never', options, async (t) => {
  const app = await startMonitoredApp(t, { SERVER_TIMING: 'true' })
  const plain = await startMonitoredApp(t)
  const timing = async (path: string) => (await app.get(path)).headers.get('server-timing') ?? ''

  assert.match(
    await timing(`${api}/events`),
    /^cache;desc=miss, db;desc="\d+ statements";dur=[\d.]+, app;dur=[\d.]+, total;dur=/,
  )
  assert.match(await timing(`${api}/events`), /^cache;desc=hit, app;dur=[\d.]+, total;dur=/)
  assert.equal((await plain.get(`${api}/events`)).headers.get('server-timing'), null)
  assert.equal((await plain.get(`${api}/events`)).headers.get('server-timing'), null)
})
