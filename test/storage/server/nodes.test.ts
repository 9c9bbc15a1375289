import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { startNode } from '../../support/node.ts'
import { ownServer } from '../../support/postgres.server.ts'
import { adminAuthorization, type ServiceProcess, startServiceProcess } from '../../support/service.process.ts'

const server = await ownServer()
const nodes = 3
const options = { timeout: 120_000 }
const signedIn = { authorization: adminAuthorization }

interface Asked {
  readonly api: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly json?: object
  readonly isVisitor?: boolean
}

/** Sends a request over a persistent connection. */
async function ask({ api, method, path, json, isVisitor = false }: Asked) {
  const response = await fetch(`${api}${path}`, {
    method,
    headers: { ...(isVisitor ? {} : signedIn), ...(json ? { 'content-type': 'application/json' } : {}) },
    ...(json ? { body: JSON.stringify(json) } : {}),
  })
  const body = (await response.json()) as { readonly id: number; readonly title: string }
  assert.ok(response.ok, `${method} ${path} answers ${response.status}: ${JSON.stringify(body)}`)
  return body
}

function startAll(t: TestContext, url: string): Promise<readonly ServiceProcess[]> {
  return Promise.all(Array.from({ length: nodes }, () => startServiceProcess(t, url)))
}

test(
  'nodes that start at once on an empty database make one administrator, and none reads what is stale',
  options,
  async (t) => {
    const { url } = await createDatabase(server.url, undefined)
    const apis = await Promise.all((await startAll(t, url)).map(({ api }) => api))
    const clients = 9
    const atLeast = 1500
    let asked = 0
    const stale: string[] = []

    const client = async (name: number) => {
      const event = await ask({ api: apis[name % nodes] ?? '', method: 'POST', path: '/events', json: plainEvent })
      const path = `/events/${event.id}`
      for (let round = 1; asked < atLeast; round += 1) {
        const writer = (name + round) % nodes
        const title = `Concert ${name}, ${round}`
        await ask({ api: apis[writer] ?? '', method: 'POST', path, json: { title } })
        const readers = apis.filter((_api, index) => index !== writer)
        const found = await Promise.all(
          readers.map((api, index) => ask({ api, method: 'GET', path, isVisitor: index === round % 2 })),
        )
        asked += 1 + found.length
        for (const read of found) if (read.title !== title) stale.push(`“${read.title}” after “${title}”`)
      }
    }
    await Promise.all(Array.from({ length: clients }, (_, name) => client(name)))

    assert.deepEqual(stale, [])
    assert.ok(asked >= atLeast)
  },
)

/** Another client that records what nodes do to due records, and can block them in the middle. */
async function givenWitness(t: TestContext, url: string): Promise<Client> {
  const witness = new Client(url)
  await witness.connect()
  t.after(() => witness.end())
  await witness.query(`
    create table published (record_id bigint not null);
    create table gate (record_id bigint not null);
    create function witness() returns trigger language plpgsql as $$
      begin
        insert into published values (new.id);
        if exists (select 1 from gate where record_id = new.id) then perform pg_advisory_xact_lock(1); end if;
        return new;
      end $$;
    create trigger witness after update of status on records
      for each row when (new.status = 'publish') execute function witness()`)
  return witness
}

/** Events that are due since a minute ago, more than fit in one transaction. */
async function givenDue(url: string): Promise<readonly number[]> {
  const node = await startNode(url)
  const ids: number[] = []
  for (let made = 0; made < 150; made += 1) {
    const { status, body } = await node.send('POST', '/events', plainEvent)
    assert.equal(status, 201)
    ids.push(body.id)
  }
  const minuteAgo = Math.floor(Date.now() / 1000) - 60
  await runOn(url, `update records set status = 'future', is_dated = 1, dated_at = ${minuteAgo}`)
  await node.close()
  return ids
}

/** Waits until `query` finds this number of rows. */
async function untilFound(witness: Client, query: string, count: number): Promise<void> {
  for (;;) {
    const { rowCount } = await witness.query(query)
    if ((rowCount ?? 0) >= count) return
    await turn()
  }
}

test(
  'each due record is published once by three nodes, even if one is killed in the middle of it',
  options,
  async (t) => {
    const { url } = await createDatabase(server.url, undefined)
    const due = await givenDue(url)
    const witness = await givenWitness(t, url)
    await witness.query(`insert into gate values (${due[50]})`)
    await witness.query('select pg_advisory_lock(1)')
    const waiting = (held: string) => `select 1 from pg_locks where not granted and locktype = 'advisory' and ${held}`

    const first = await startServiceProcess(t, url)
    await untilFound(witness, waiting('objid = 1'), 1)
    // As if its work had lasted longer than its lease: the others try to take over.
    await witness.query('update leases set expires_at = 0')
    await Promise.all([startServiceProcess(t, url), startServiceProcess(t, url)])
    await untilFound(witness, waiting('objid <> 1'), 2)
    await first.kill()
    const halfDone = await witness.query(`select 1 from records where status <> 'future'`)
    await witness.query('select pg_advisory_unlock(1)')
    await untilFound(witness, `select 1 from records where status = 'publish'`, due.length)

    const { rows } = await witness.query('select record_id from published order by record_id')
    assert.equal(halfDone.rowCount, 0)
    assert.deepEqual(
      rows.map(({ record_id }) => Number(record_id)),
      due,
    )
  },
)

test('a node that was stopped leaves no connection, also if nobody asked for its health', {
  timeout: 30_000,
}, async () => {
  const { url, name } = await createDatabase(server.url, undefined)
  const node = await startNode(url)
  await node.deps.storage.revision()

  await node.close()

  // It would keep its connections for a minute. The server needs a moment to see that they are closed.
  for (;;) {
    const error = await runOn(server.url, `drop database ${name}`).catch((failed: Error) => failed)
    if (!error) return
    assert.match(error.message, /being accessed by other users/)
  }
})
