import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { isUnavailable } from '../../../src/storage/database/unavailable.ts'
import { createDatabase } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { type Node, startNode } from '../../support/node.ts'
import { type Pooler, startPgBouncer, startPooler } from '../../support/pooler.ts'
import { ownServer } from '../../support/postgres.server.ts'

const server = await ownServer()
const poolers = new Map<string, Pooler>([['a pooler that shares connections', await startPooler(server.url)]])
const pgBouncer = await startPgBouncer(server.url)
if (pgBouncer) poolers.set('PgBouncer', pgBouncer)
after(async () => {
  for (const pooler of poolers.values()) await pooler.close()
})

const options = { timeout: 60_000 }
const weekly = { ...plainEvent, recurrence: 'FREQ=WEEKLY;COUNT=12' }
const operation = { method: 'POST', path: '/events', body: plainEvent }
const twoEvents = { operations: [operation, operation] }
const pooledLine = /^The database \S+ is behind a pooler: .* and statements are not prepared\.$/

for (const [name, pooler] of poolers) {
  const given = async (t: TestContext, environment = {}): Promise<Node & { readonly lines: readonly string[] }> => {
    const { url } = await createDatabase(server.url, undefined)
    const lines: string[] = []
    const node = await startNode(pooler.through(url), environment, (line) => lines.push(line))
    t.after(() => node.close())
    return { ...node, lines }
  }

  test(`behind ${name} everything is written and read as on the server, also at the same time`, options, async (t) => {
    const node = await given(t)
    const create = (title: string) => node.send('POST', '/events', { ...plainEvent, title })
    const titles = Array.from({ length: 20 }, (_, place) => `Concert ${place}`)

    const created = await Promise.all(titles.map(create))
    const lists = await Promise.all(titles.map(() => node.send('GET', '/events?per_page=50')))
    const found = await Promise.all(titles.map((_, place) => node.send('GET', `/events?search=Concert%20${place}`)))
    const series = await node.send('POST', '/events', weekly)
    const batch = await node.send('POST', '//cal/service/v1/batch', twoEvents)

    assert.deepEqual([...new Set(created.map(({ status }) => status))], [201])
    for (const { status, body } of lists) assert.deepEqual([status, body.total], [200, titles.length])
    for (const { status, body } of found) assert.ok(status === 200 && body.total >= 1, JSON.stringify(body))
    assert.equal(series.status, 201, JSON.stringify(series.body))
    assert.ok(batch.status < 300, JSON.stringify(batch.body))
    assert.equal(node.lines.length, 1)
    assert.match(node.lines[0] ?? '', pooledLine)
  })

  test(`behind ${name} reads and writes that take too long are ended`, options, async (t) => {
    const node = await given(t, { DATABASE_STATEMENT_TIMEOUT_MS: '300', QUERY_TIMEOUT_MS: '100' })
    const pause = sql`select pg_sleep(60)`
    const { storage } = node.deps

    await assert.rejects(
      storage.write((tx) => pause.execute(tx)),
      isUnavailable,
    )
    await assert.rejects(pause.execute(storage.db), /query-too-dear|dear/)
    assert.equal((await node.send('POST', '/events', plainEvent)).status, 201)
    assert.equal((await node.send('GET', '/events')).body.total, 1)
  })

  test(`behind ${name} a failed statement fails alone, and leaves no transaction open`, options, async (t) => {
    const { storage } = (await given(t, { DATABASE_POOL_SIZE: '2' })).deps

    await assert.rejects(sql`select 1 / 0`.execute(storage.db), /division by zero/)

    const { rows } = await sql`select current_setting('jit') as jit, 1 as one`.execute(storage.db)
    assert.deepEqual(rows, [{ jit: 'off', one: 1 }])
  })
}

test('a server without a pooler gets named statements, unless they are switched off', options, async (t) => {
  const namedBy = async (DATABASE_PREPARE: string) => {
    const { url } = await createDatabase(server.url, undefined)
    const lines: string[] = []
    const node = await startNode(url, { DATABASE_PREPARE }, (line) => lines.push(line))
    t.after(() => node.close())
    await node.send('POST', '/events', plainEvent)
    assert.deepEqual(lines, [])
    return node.deps.storage.write(async (tx) => {
      const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(tx)
      return rows.length
    })
  }

  assert.ok((await namedBy('auto')) > 0)
  assert.ok((await namedBy('on')) > 0)
  assert.equal(await namedBy('off'), 0)
})
