import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { type Node, startNode } from '../../support/node.ts'
import { ownReplica, ownServer } from '../../support/postgres.server.ts'

const options = { timeout: 90_000 }

/** A node that knows both servers of a new pair: the one that takes writes, and the one that follows it. */
async function given(t: TestContext, environment = {}) {
  const primary = await ownServer()
  const standby = await ownReplica(primary)
  const { name } = await createDatabase(primary.url, undefined)
  const on = (server: { readonly url: string }) => Object.assign(new URL(server.url), { pathname: `/${name}` })
  const hosts = `${on(standby).host},${on(primary).host}`
  const url = on(primary).href.replace(on(primary).host, hosts)
  const lines: string[] = []
  const settings = { LOG_LEVEL: 'error', DATABASE_REPLICA_URL: on(standby).href, ...environment }
  const node = await startNode(url, settings, (line) => lines.push(line))
  t.after(() => node.close())
  return { primary, standby, node, lines, ofDatabase: () => lines.filter((line) => !/ replica /.test(line)) }
}

const create = (node: Node, title: string) => node.send('POST', '/events', { ...plainEvent, title })
const read = (node: Node) => node.send('GET', '/events', undefined, '')

/** Asks until the answer is as wanted. The timeout of the test is the limit. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
    await turn()
  }
}

test('of several servers the one that takes writes is used, and after a failover the other', options, async (t) => {
  const { primary, standby, node, ofDatabase } = await given(t)
  const before = await create(node, 'before')
  await until(
    () => node.deps.storage.replicaLagsMs(),
    ([lag]) => lag === 0,
  )

  await primary.stop('immediate')
  const during = create(node, 'during')
  await until(
    async () => ofDatabase().length,
    (count) => count > 0,
  )
  await runOn(standby.url, 'select pg_promote()')

  assert.deepEqual([before.status, (await during).status], [201, 201])
  assert.deepEqual((await read(node)).body.total, 2)
  const [began, ended, ...others] = ofDatabase()
  assert.match(
    began ?? '',
    /^The database postgres:\S+,\S+ does not answer \(.*\)\. Until it does, requests get 503\.$/,
  )
  assert.match(ended ?? '', /^The database \S+ answers again\.$/)
  assert.deepEqual(others, [])
})

test('while there is no primary visitors read from the replica, and writes get 503', options, async (t) => {
  const { primary, node, ofDatabase } = await given(t, { DATABASE_OUTAGE_WAIT_SECONDS: '0' })
  await create(node, 'before')
  const lagless = () =>
    until(
      () => node.deps.storage.replicaLagsMs(),
      ([lag]) => lag === 0,
    )
  await lagless()

  await primary.stop('immediate')
  for (let time = 0; time < 5; time += 1) {
    const { status, body } = await until(
      () => read(node),
      ({ status }) => status === 200,
    )
    assert.deepEqual([status, body.total], [200, 1])
    const written = await create(node, 'during')
    assert.deepEqual([written.status, written.body.code], [503, 'service_unavailable'])
    assert.match(String(written.headers['retry-after']), /^\d+$/)
  }
  await primary.start()

  await until(
    () => create(node, 'after'),
    ({ status }) => status === 201,
  )
  assert.equal(ofDatabase().length, 2, ofDatabase().join('\n'))
})

test('replicas answer alone no longer than allowed', options, async (t) => {
  const environment = {
    DATABASE_REPLICA_ALONE_SECONDS: '0',
    DATABASE_REPLICA_MAX_LAG_MS: '1000',
    DATABASE_OUTAGE_WAIT_SECONDS: '0',
  }
  const { primary, node } = await given(t, environment)
  await create(node, 'before')

  await primary.stop('immediate')

  const { headers } = await until(
    () => read(node),
    ({ status }) => status === 503,
  )
  assert.match(String(headers['retry-after']), /^\d+$/)
})

test('a server that only reads gets no writes, which is told once, and reads go on', options, async (t) => {
  const server = await ownServer()
  const { url, name } = await createDatabase(server.url, undefined)
  const lines: string[] = []
  const node = await startNode(url, { LOG_LEVEL: 'error', DATABASE_OUTAGE_WAIT_SECONDS: '0' }, (line) =>
    lines.push(line),
  )
  t.after(() => node.close())
  const before = await create(node, 'before')
  const readOnly = (value: string) => `alter database ${name} set default_transaction_read_only = ${value}`
  const restarted = async (value: string) => {
    await runOn(server.url, readOnly(value))
    await server.stop('fast')
    await server.start()
    await until(
      () => read(node),
      ({ status }) => status === 200,
    )
    lines.splice(0, lines[0]?.includes('not answer') ? 2 : 0)
  }

  await restarted('on')
  for (let time = 0; time < 3; time += 1) {
    assert.equal((await create(node, 'during')).status, 503)
    assert.equal((await read(node)).body.total, 1)
  }
  await restarted('off')

  assert.equal((await create(node, 'after')).status, 201)
  assert.equal(before.status, 201)
  assert.deepEqual(
    lines.map((line) => line.replace(/postgres:\S+/, 'URL').replace(/\(.*\)/, '(reason)')),
    [
      'The database URL only reads (reason). Until it takes writes, these get 503.',
      'The database URL takes writes again.',
    ],
  )
})
