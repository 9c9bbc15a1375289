import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp } from '../../../test/support/app.ts'
import { answerIn, sendRaw } from '../../../test/support/socket.ts'
import { createApp } from '../../app.ts'
import { latestMigration } from '../../storage/database/migrate.ts'
import { createReadiness } from './health.ts'

interface Asked {
  readonly path: string
  readonly host?: string
  readonly from?: string
  readonly method?: string
}

/** The service over real connections, and a function that makes it unready. */
async function listening(t: TestContext, environment: Readonly<Record<string, string>> = {}) {
  const { deps } = await startTestApp(t, environment)
  const readiness = createReadiness(deps)
  const server = createApp(deps, { readiness })
  t.after(() => server.close())
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const ask = ({ path, host = 'localhost', from, method = 'GET' }: Asked) => {
    const forwarded = from === undefined ? [] : [`X-Forwarded-For: ${from}`]
    const head = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...forwarded, 'Connection: close']
    return sendRaw(url, `${head.join('\r\n')}\r\n\r\n`).all
  }
  return { deps, readiness, url, ask }
}

const pass = { status: 'pass' }

test('a process that serves is alive and ready, and says so afresh each time', async (t) => {
  const { ask } = await listening(t)

  const live = answerIn(await ask({ path: '/health/live' }))
  const ready = answerIn(await ask({ path: '/health/ready?verbose' }))
  const head = await ask({ path: '/health/ready', method: 'HEAD' })

  assert.deepEqual([live.status, live.body], [200, { status: 'pass', checks: {} }])
  assert.deepEqual(
    [ready.status, ready.body],
    [200, { ...pass, checks: { database: pass, migrations: pass, disk: pass } }],
  )
  for (const answer of [live, ready]) assert.match(answer.head, /\r\ncache-control: no-store\r\n/i)
  assert.ok(head.startsWith('HTTP/1.1 200 OK\r\n') && head.endsWith('\r\n\r\n'), head)
})

test('neither its host nor its number nor the work of others keeps a probe from its answer', async (t) => {
  const { deps, ask } = await listening(t, { TRUST_PROXY: 'true', RATE_LIMIT: '1/600', MAX_IN_FLIGHT: '1' })
  const hold = Promise.withResolvers<void>()
  const holding = deps.limits.inFlight.run(() => hold.promise)
  const asked = { host: 'calendar.example.org', from: '198.51.100.1' }
  const statusOf = async (path: string, others = {}) => answerIn(await ask({ path, ...asked, ...others })).status

  const api = [
    await statusOf('/cal/events/v1/events'),
    await statusOf('/cal/events/v1/events', { host: 'localhost' }),
    await statusOf('/cal/events/v1/events', { host: 'localhost' }),
  ]
  const probes = [await statusOf('/health/live'), await statusOf('/health/ready'), await statusOf('/health/ready')]
  hold.resolve()
  await holding

  assert.deepEqual(api, [421, 503, 429])
  assert.deepEqual(probes, [200, 200, 200])
})

test('what is no probe is left to the interface', async (t) => {
  const { ask } = await listening(t)

  for (const asked of [
    { path: '/health/live', method: 'POST' },
    { path: '/health/' },
    { path: '/health/livex' },
    { path: '/health/ready/now' },
  ]) {
    const { status, body } = answerIn(await ask(asked))
    assert.deepEqual([status, body.code], [404, 'rest_no_route'], asked.path)
  }
})

test('a database that lacks a migration is not one to serve from', async (t) => {
  const { deps, ask } = await listening(t)
  await deps.storage.writeWithoutRevision((tx) =>
    sql`delete from kysely_migration where name = ${latestMigration}`.execute(tx),
  )

  const { status, body } = answerIn(await ask({ path: '/health/ready' }))

  assert.equal(status, 503)
  assert.deepEqual(
    [body.status, body.checks.database, body.checks.migrations],
    ['fail', pass, { status: 'fail', reason: 'old_form' }],
  )
})

test('a disk without room is told, where anybody wants to know', async (t) => {
  const { ask } = await listening(t, { MIN_FREE_DISK: '99999999' })
  const careless = await listening(t, { MIN_FREE_DISK: '0' })

  const { status, body } = answerIn(await ask({ path: '/health/ready' }))

  assert.deepEqual([status, body.status, body.checks.disk], [503, 'fail', { status: 'fail', reason: 'little_room' }])
  assert.equal(answerIn(await careless.ask({ path: '/health/ready' })).status, 200)
})

test('a process that stops is alive, not ready, and sends its clients elsewhere with the answer', async (t) => {
  const { readiness, url } = await listening(t)
  const connectionOf = async (path: string) => {
    const answer = await fetch(`${url}${path}`)
    await answer.body?.cancel()
    return [answer.status, answer.headers.get('connection')]
  }
  const paths = ['/health/live', '/health/ready', '/cal/events/v1/events', '/cal/events/v1/events', '/fr/docs']
  const before = []
  for (const path of paths) before.push(await connectionOf(path))

  readiness.stop()

  const after = []
  for (const path of paths) after.push(await connectionOf(path))
  assert.deepEqual(
    before.map(([status]) => status),
    [200, 200, 200, 200, 200],
  )
  assert.deepEqual(new Set(before.map(([, connection]) => connection)), new Set(['keep-alive']))
  assert.deepEqual(
    after.map(([status]) => status),
    [200, 503, 200, 200, 200],
  )
  assert.deepEqual(new Set(after.map(([, connection]) => connection)), new Set(['close']))
  const { body } = answerIn(await sendRaw(url, 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n').all)
  assert.deepEqual(body.checks, { process: { status: 'fail', reason: 'stopping' } })
})
