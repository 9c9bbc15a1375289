import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Problem } from '../../../src/base/problems.ts'
import { createReadiness } from '../../../src/operate/health/health.ts'
import { StorageError } from '../../../src/storage/database/storage.ts'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { type Node, type NodeAnswer, startNode } from '../../support/node.ts'
import { ownServer } from '../../support/postgres.server.ts'

const password = 'open-sesame'
const server = await ownServer({ password })

const endOthers = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`

/** A node on an empty database of the private server. */
async function givenNode(
  t: { after(work: () => Promise<void>): void },
  environment = {},
  say?: (line: string) => void,
): Promise<Node> {
  const { url } = await createDatabase(server.url, undefined)
  const node = await startNode(url, { DATABASE_OUTAGE_WAIT_SECONDS: '0', ...environment }, say)
  t.after(() => node.close())
  return node
}

function assertUnavailable({ status, headers, body }: NodeAnswer): void {
  assert.equal(status, 503)
  assert.match(String(headers['retry-after']), /^\d+$/)
  assert.deepEqual([body.code, body.data], ['service_unavailable', { status: 503 }])
}

test('a server that is away at the start is waited for, and that is said', async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  await server.stop()
  const lines: string[] = []
  let starting: Promise<void> | undefined

  const node = await startNode(url, {}, (line) => {
    lines.push(line)
    starting ??= server.start()
  })

  t.after(() => node.close())
  await starting
  assert.equal((await node.send('GET', '/events')).status, 200)
  assert.match(
    lines[0] ?? '',
    /^The database postgres:.*does not answer \(.*ECONNREFUSED.*\)\. Trying again in 0\.25 s\.$/,
  )
  assert.ok(!lines.join().includes(password))
})

test('a server that stays away is given up on', async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  await server.stop()
  t.after(() => server.start())
  const lines: string[] = []

  const starting = startNode(url, { DATABASE_WAIT_SECONDS: '1' }, (line) => lines.push(line))

  await assert.rejects(
    starting,
    (error) =>
      error instanceof StorageError && /does not answer/.test(error.message) && !error.message.includes(password),
  )
  assert.ok(lines.length >= 2, lines.join('\n'))
})

for (const [what, change] of [
  ['a wrong password', (url: URL) => Object.assign(url, { password: 'wrong' })],
  ['a database that is not there', (url: URL) => Object.assign(url, { pathname: '/nowhere' })],
] as const) {
  test(`${what} ends the start at once`, async () => {
    const url = change(new URL(server.url))
    const lines: string[] = []

    const starting = startNode(url.href, {}, (line) => lines.push(line))

    await assert.rejects(
      starting,
      (error) => error instanceof StorageError && /refuses the connection/.test(error.message),
    )
    assert.deepEqual(lines, [])
  })
}

test('while the server is away reads and writes answer 503, and all is well when it is back', async (t) => {
  const node = await givenNode(t)
  const readiness = createReadiness(node.deps)
  const before = await node.send('POST', '/events', plainEvent)
  assert.equal(before.status, 201)
  assert.equal((await readiness.look()).status, 'pass')

  await server.stop('immediate')
  const health = await readiness.look()
  const during = [
    await node.send('GET', '/events'),
    await node.send('GET', `/events/${before.body.id}`),
    await node.send('POST', '/events', plainEvent),
    await node.send('DELETE', `/events/${before.body.id}`),
  ]
  await server.start()
  const list = await node.send('GET', '/events')
  const after = await node.send('POST', '/events', plainEvent)

  for (const answer of during) assertUnavailable(answer)
  assert.deepEqual([health.status, health.checks.database], ['fail', { status: 'fail', reason: 'no_answer' }])
  assert.equal((await readiness.look()).status, 'pass')
  assert.deepEqual(
    list.body.events.map((event: { id: number }) => event.id),
    [before.body.id],
  )
  assert.equal(after.status, 201)
})

test('an outage is told once at its begin and once at its end, whatever is asked meanwhile', async (t) => {
  const lines: string[] = []
  const node = await givenNode(t, { LOG_LEVEL: 'error' }, (line) => lines.push(line))
  assert.equal((await node.send('GET', '/events')).status, 200)

  for (let outage = 0; outage < 2; outage += 1) {
    await server.stop('immediate')
    for (let time = 0; time < 5; time += 1) {
      const answers = [
        await node.send('GET', '/events'),
        await node.send('POST', '/events', plainEvent),
        await node.send('GET', '//cal/service/v1/changes'),
        await node.send('GET', '//events/', undefined, ''),
        await node.send('GET', '//events/list/?ical=1', undefined, ''),
        await node.send('GET', '//admin/', undefined, ''),
      ]
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(statuses.slice(0, 5), [503, 503, 503, 503, 503])
    }
    await server.start()
    assert.equal((await node.send('GET', '/events')).status, 200)
    assert.equal((await node.send('POST', '/events', plainEvent)).status, 201)
  }

  assert.deepEqual(
    lines.map((line) => line.replace(/postgres:\S+/, 'URL').replace(/\(.*\)/, '(reason)')),
    [0, 1].flatMap(() => [
      'The database URL does not answer (reason). Until it does, requests get 503.',
      'The database URL answers again.',
    ]),
  )
  assert.ok(!lines.join().includes(password))
})

test('a server that goes away in the middle of a write leaves nothing half-done', async (t) => {
  const { deps, send } = await givenNode(t)
  const setting = (name: string) => ({ name, value: 'x' })

  const writing = deps.storage.write(async (tx) => {
    await tx.insertInto('settings').values(setting('one')).execute()
    await server.stop('immediate')
    await tx.insertInto('settings').values(setting('two')).execute()
  })

  await assert.rejects(writing, (error) => error instanceof Problem && error.code === 'service_unavailable')
  await server.start()
  assert.deepEqual(await deps.storage.db.selectFrom('settings').selectAll().execute(), [])
  assert.equal((await send('POST', '/events', plainEvent)).status, 201)
})

test('connections that an operator ends are replaced', async (t) => {
  const { deps, send } = await givenNode(t)
  const writing = deps.storage.write(async (tx) => {
    await tx.insertInto('settings').values({ name: 'one', value: 'x' }).execute()
    await runOn(server.url, endOthers)
    await tx.insertInto('settings').values({ name: 'two', value: 'x' }).execute()
  })

  await assert.rejects(writing, (error) => error instanceof Problem && error.code === 'service_unavailable')
  assert.equal((await send('POST', '/events', plainEvent)).status, 201)
})

test('a server that refuses new connections makes the service unavailable, and the cause is logged', async (t) => {
  const lines: string[] = []
  const { send } = await givenNode(t, { LOG_LEVEL: 'error' }, (line) => lines.push(line))
  t.after(() => runOn(server.url.replace(password, 'other'), `alter role cal password '${password}'`))
  await runOn(server.url, `alter role cal password 'other'; ${endOthers}`)

  const answers = [await send('GET', '/events'), await send('POST', '/events', plainEvent)]

  for (const answer of answers) assertUnavailable(answer)
  assert.match(lines.join(), /password authentication failed/)
})

test('a statement that takes too long is ended, and its write answered as unavailable', async (t) => {
  const { deps, send } = await givenNode(t, { DATABASE_STATEMENT_TIMEOUT_MS: '100' })

  const writing = deps.storage.write((tx) => sql`select pg_sleep(60)`.execute(tx))

  await assert.rejects(writing, (error) => error instanceof Problem && error.code === 'service_unavailable')
  assert.equal((await send('GET', '/events')).status, 200)
})

test('a read that takes too long is ended, and its client told how to ask for less', async (t) => {
  const { deps, send } = await givenNode(t, { QUERY_TIMEOUT_MS: '100' })
  const get = (path: string) => send('GET', path, undefined, '')

  const [list, page, editors] = await deps.storage.write(async (tx) => {
    await sql`lock table listed_events in access exclusive mode`.execute(tx)
    return [await get('/events'), await get('//fr/events/'), await send('GET', '//cal/service/v1/events')]
  })

  for (const answer of [list, page, editors]) {
    assert.equal(answer?.status, 503)
    assert.match(String(answer?.headers['retry-after']), /^\d+$/)
  }
  assert.equal(list?.body.code, 'query-too-dear')
  assert.match(list?.body.message, /Choose a shorter period/)
  assert.match(page?.body, /Choisissez une période plus courte/)
  assert.match(JSON.stringify(editors?.body), /Choose a shorter period/)
  assert.equal((await get('/events')).status, 200)
})

test('a node whose connections are all busy is ready, one whose database hangs is not, and says so in time', async (t) => {
  const { deps } = await givenNode(t, { DATABASE_POOL_SIZE: '2' })
  const readiness = createReadiness(deps)
  const hold = Promise.withResolvers<void>()
  const holding = deps.storage.db.connection().execute(() => hold.promise)

  const busy = await readiness.look()
  hold.resolve()
  await holding
  const hanging = await deps.storage.db.transaction().execute(async (tx) => {
    await sql`lock table kysely_migration in access exclusive mode`.execute(tx)
    return readiness.look()
  })

  assert.equal(busy.status, 'pass')
  assert.deepEqual([hanging.status, hanging.checks.database], ['fail', { status: 'fail', reason: 'no_answer' }])
  assert.equal((await readiness.look()).status, 'pass')
})

test('whoever finds no free connection in time is told so, and the cause is kept for the log', async (t) => {
  const { deps } = await givenNode(t, { DATABASE_POOL_SIZE: '2' })
  const hold = Promise.withResolvers<void>()
  const holding = deps.storage.db.connection().execute(() => hold.promise)

  const waiting = deps.storage.db.selectFrom('settings').selectAll().execute()

  await assert.rejects(
    waiting,
    (error) => error instanceof Problem && /timeout exceeded/.test((error.cause as Error).message),
  )
  hold.resolve()
  await holding
})
