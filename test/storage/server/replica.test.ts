import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { secretDigest } from '../../../src/access/auth/credentials.ts'
import { listKeys } from '../../../src/access/auth/key.repository.ts'
import { renewKeys } from '../../../src/access/auth/key.service.ts'
import { findUserByLogin } from '../../../src/access/auth/user.repository.ts'
import { createUser } from '../../../src/access/auth/user.service.ts'
import { createReadiness } from '../../../src/operate/health/health.ts'
import { readRevision } from '../../../src/storage/database/revision.ts'
import type { Db } from '../../../src/storage/database/tables.ts'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { type Node, startNode } from '../../support/node.ts'
import { ownReplica, ownServer, type PrivateServer } from '../../support/postgres.server.ts'
import { startRelay } from '../../support/relay.ts'

const primary = await ownServer()
const replica = await ownReplica(primary)

const secret = 'gggg hhhh iiii jjjj kkkk llll'
const options = { timeout: 60_000 }

/** Credentials by client. */
const clients = {
  visitor: '',
  admin: undefined,
  zoe: `Basic ${btoa(`zoe:${secret}`)}`,
} as const
type ClientName = keyof typeof clients

interface Site {
  readonly node: Node
  /** Name of its database. */
  readonly name: string
  /** The database on the primary. */
  readonly url: string
  /** The lines of its log. */
  readonly lines: readonly string[]
  write(client: ClientName, title: string): Promise<void>
  /** Titles of all events, as a client sees them. */
  read(client: ClientName): Promise<readonly string[]>
}

/**
 * A node that reads from the replica, with a lag of up to an hour by default: on an empty database, or on that of
 * another node.
 */
async function given(
  t: TestContext,
  { name, maxLagMs = 3_600_000 }: { readonly name?: string; readonly maxLagMs?: number } = {},
): Promise<Site> {
  const database = name ?? (await createDatabase(primary.url, undefined)).name
  const url = addressOn(primary, database)
  const lines: string[] = []
  const settings = {
    DATABASE_REPLICA_URL: addressOn(replica, database),
    DATABASE_REPLICA_MAX_LAG_MS: String(maxLagMs),
  }
  const node = await startNode(url, settings, (line) => lines.push(line))
  t.after(() => node.close())
  if (name === undefined) await createUser(node.deps, { name: 'zoe', role: 'editor', secret })
  return {
    node,
    name: database,
    url,
    lines,
    write: async (client, title) => {
      const { status } = await node.send('POST', '/events', { ...plainEvent, title }, clients[client])
      assert.equal(status, 201)
    },
    read: async (client) => {
      const { status, body } = await node.send('GET', '/events', undefined, clients[client])
      assert.equal(status, 200)
      return body.events.map((event: { title: string }) => event.title).sort()
    },
  }
}

function addressOn(server: PrivateServer, database: string): string {
  const url = new URL(server.url)
  url.pathname = `/${database}`
  return url.href
}

/** The server that answers a read that requires all writes up to this one. */
function readingDb({ node }: Site, lastRevision = 0): Db {
  const { storage } = node.deps
  return storage.forRequest({ origin: { via: 'http' }, lastRevision, isReading: true }).db
}

/** Whether a replica answers, as the server itself reports. */
async function isOnReplica(db: Db): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select pg_is_in_recovery() as is`.execute(db)
  return rows[0]?.is === true
}

/** Polls until the condition holds. If it never holds, the test ends with its timeout. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await turn()
}

/** Polls until reads come from a replica that has all writes. */
async function untilCaughtUp(site: Site): Promise<void> {
  const revision = await readRevision(site.node.deps.storage.db)
  await until(() => isOnReplica(readingDb(site, revision)))
}

async function untilRead(site: Site, client: ClientName, titles: readonly string[]): Promise<void> {
  await until(async () => (await site.read(client)).join() === titles.join())
}

/** Pauses the replay of the replica, until the test ends or resumes it. */
async function pauseReplay(t: TestContext): Promise<{ resume(): Promise<void> }> {
  const direct = new Client(replica.url)
  await direct.connect()
  const resume = async () => {
    await direct.query('select pg_wal_replay_resume()')
  }
  t.after(async () => {
    await resume()
    await direct.end()
  })
  await direct.query('select pg_wal_replay_pause()')
  await until(async () => {
    const { rows } = await direct.query('select pg_get_wal_replay_pause_state() as state')
    return rows[0].state === 'paused'
  })
  return { resume }
}

test(
  'who has written reads it at once, and others read from the replica, while it replays nothing',
  options,
  async (t) => {
    const site = await given(t)
    await site.write('admin', 'A')
    await untilCaughtUp(site)
    await pauseReplay(t)

    for (const [index, title] of ['B', 'C', 'D'].entries()) {
      await site.write('zoe', title)
      const written = ['A', 'B', 'C', 'D'].slice(0, index + 2)
      assert.deepEqual(await site.read('zoe'), written)
      // Only the replica does not have them yet.
      await untilRead(site, 'visitor', ['A'])
      await untilRead(site, 'admin', ['A'])
      assert.deepEqual(await site.read('zoe'), written)
    }
  },
)

test('who has written on one node reads it at once on another', options, async (t) => {
  const site = await given(t)
  const other = await given(t, site)
  await untilCaughtUp(site)
  await untilCaughtUp(other)
  await pauseReplay(t)

  await site.write('zoe', 'A')

  assert.deepEqual(await other.read('zoe'), ['A'])
  await untilRead(other, 'admin', [])
  assert.deepEqual(await other.read('zoe'), ['A'])
})

test('a key that was revoked opens nothing, though the replica still has it', options, async (t) => {
  const site = await given(t)
  await site.write('admin', 'A')
  await untilCaughtUp(site)
  await pauseReplay(t)
  await untilRead(site, 'zoe', ['A'])
  const { deps } = site.node
  const user = await findUserByLogin(deps.storage.db, 'zoe')
  assert.ok(user)

  await renewKeys(deps, user.id)

  assert.equal((await site.node.send('GET', '/events', undefined, clients.zoe)).status, 401)
  assert.ok(await isOnReplica(readingDb(site)))
  assert.equal((await listKeys(readingDb(site), user.id))[0]?.digest, secretDigest(secret))
})

test('how far a replica is behind is told, and turns nobody away', options, async (t) => {
  const site = await given(t)
  const readiness = createReadiness(site.node.deps)
  const replicasNow = async () => {
    const { status, checks } = await readiness.look()
    assert.equal(status, 'pass')
    return checks.replicas
  }
  await untilCaughtUp(site)
  assert.deepEqual(await replicasNow(), { status: 'pass', lagMs: [0] })
  const replay = await pauseReplay(t)
  await site.write('admin', 'A')

  await until(async () => Number((await replicasNow())?.lagMs?.[0]) > 0)
  await replay.resume()
  await until(async () => Number((await replicasNow())?.lagMs?.[0]) === 0)
})

test('when the replica has caught up, who has written reads from it as well', options, async (t) => {
  const site = await given(t)
  await untilCaughtUp(site)
  const replay = await pauseReplay(t)
  await site.write('zoe', 'A')
  assert.deepEqual(await site.read('zoe'), ['A'])

  await replay.resume()
  await untilCaughtUp(site)
  await pauseReplay(t)
  await site.write('admin', 'B')

  await untilRead(site, 'zoe', ['A'])
  assert.deepEqual(await site.read('admin'), ['A', 'B'])
})

test('a replica that is behind by more than is allowed is not read from', options, async (t) => {
  const site = await given(t, { maxLagMs: 1000 })
  await untilCaughtUp(site)
  const replay = await pauseReplay(t)
  await site.write('admin', 'A')

  await untilRead(site, 'visitor', ['A'])
  assert.equal(await isOnReplica(readingDb(site)), false)
  await replay.resume()
  await untilCaughtUp(site)
  assert.deepEqual(await site.read('visitor'), ['A'])
})

for (const how of ['fast', 'immediate'] as const) {
  test(`a replica that is stopped (${how}) is not missed, and is used again when it is back`, options, async (t) => {
    const site = await given(t)
    await site.write('admin', 'A')
    await untilCaughtUp(site)
    const before = site.lines.length

    await replica.stop(how)
    assert.deepEqual(await site.read('visitor'), ['A'])
    await site.write('zoe', 'B')
    for (const client of ['visitor', 'admin', 'zoe'] as const) assert.deepEqual(await site.read(client), ['A', 'B'])
    const { status, checks } = await createReadiness(site.node.deps).look()
    await replica.start()
    await untilCaughtUp(site)

    assert.deepEqual(await site.read('visitor'), ['A', 'B'])
    const [gone = '', back = '', ...more] = site.lines.slice(before)
    assert.match(gone, /^The replica postgres:.* cannot be used \(.+\): the primary is read from\.$/)
    assert.match(back, /^The replica postgres:.* is used again\.$/)
    assert.deepEqual(more, [])
    assert.deepEqual([status, checks.replicas], ['pass', { status: 'warn', reason: 'behind', lagMs: [null] }])
  })
}

test('a node starts and answers without its replica', options, async (t) => {
  await replica.stop()
  t.after(() => replica.start())

  const site = await given(t)

  await site.write('admin', 'A')
  assert.deepEqual(await site.read('visitor'), ['A'])
})

test('a read that stands in the way of what the replica replays is finished by the primary', options, async (t) => {
  const site = await given(t)
  await runOn(replica.url, `alter system set max_standby_streaming_delay = 0`)
  await runOn(replica.url, 'select pg_reload_conf()')
  await untilCaughtUp(site)

  const reading = sql<{ by: string }>`
    select case when pg_is_in_recovery() then 'replica' || pg_sleep(60) else 'primary' end as by from users limit 1`.execute(
    readingDb(site),
  )
  await untilAsleep()
  await runOn(site.url, 'alter table users add column nickname text')

  assert.deepEqual((await reading).rows, [{ by: 'primary' }])
})

async function untilAsleep(): Promise<void> {
  const direct = new Client(replica.url)
  await direct.connect()
  await until(async () => {
    const { rowCount } = await direct.query(`select 1 from pg_stat_activity where wait_event = 'PgSleep'`)
    return rowCount === 1
  })
  await direct.end()
}

test('queries of a request move to the primary when the replica falls silent', options, async (t) => {
  const { url, name } = await createDatabase(primary.url, undefined)
  const relay = await startRelay(replica.url)
  const environment = { DATABASE_REPLICA_URL: relay.through(addressOn(replica, name)), QUERY_TIMEOUT_MS: '15000' }
  const node = await startNode(url, environment)
  t.after(() => node.close())
  await node.send('POST', '/events', plainEvent)
  await until(async () => (await node.deps.storage.replicaLagsMs())[0] === 0)
  const reading = node.deps.storage.forRequest({ origin: { via: 'http' }, lastRevision: 0, isReading: true })
  const beganAt = performance.now()

  relay.freeze()
  // Only the first one waits for the replica.
  const counts: number[] = []
  for (const _ of Array(40)) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from events`.execute(reading.db)
    counts.push(Number(rows[0]?.count))
  }

  assert.deepEqual(new Set(counts), new Set([1]))
  // A connection that does not answer is given up 5 seconds after the limit of its query.
  assert.ok(performance.now() - beganAt < 8000)
})
