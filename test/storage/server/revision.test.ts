import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { readConfig } from '../../../src/base/config/config.ts'
import { derivationsFor } from '../../../src/calendar/derivations.ts'
import { auditedTables } from '../../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../../src/storage/database/open.ts'
import { createDatabase, runOn } from '../../support/database.ts'
import { plainEvent } from '../../support/given.ts'
import { ownServer } from '../../support/postgres.server.ts'
import { adminAuthorization, startServiceProcess } from '../../support/service.process.ts'

const server = await ownServer()
const rounds = 100

/** Sends a request over a persistent connection, again while the database is unavailable. */
async function send(url: string, json?: object): Promise<{ readonly id: number; readonly title: string }> {
  for (;;) {
    const response = await fetch(url, {
      ...(json ? { method: 'POST', body: JSON.stringify(json) } : {}),
      headers: json ? { authorization: adminAuthorization, 'content-type': 'application/json' } : {},
    })
    const body = await response.json()
    if (response.ok) return body as { readonly id: number; readonly title: string }
    assert.equal(response.status, 503, JSON.stringify(body))
  }
}

test('no node repeats an answer from before an acknowledged write, also if it was stopped or lost its connections', {
  timeout: 300_000,
}, async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  const nodes = await Promise.all([1, 2, 3].map(() => startServiceProcess(t, url)))
  const [writing = '', ...reading] = await Promise.all(nodes.map(({ api }) => api))
  const [, stopped, killed] = nodes
  const { id } = await send(`${writing}/events`, plainEvent)
  const path = `/events/${id}`
  const stale: string[] = []
  let isOver = false
  // Visitors who read all the time, so that the nodes know the revision without asking for it.
  const visitors = reading.flatMap((api) =>
    [1, 2, 3, 4].map(async () => {
      while (!isOver) await send(`${api}${path}`)
    }),
  )

  const writeAndRead = async (title: string, meanwhile: () => Promise<void> | void = () => {}) => {
    await send(`${writing}${path}`, { title })
    await meanwhile()
    for (const read of await Promise.all(reading.map((api) => send(`${api}${path}`)))) {
      if (read.title !== title) stale.push(`“${read.title}” after “${title}”`)
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    const isStopping = round % 10 === 0
    if (isStopping) stopped?.pause()
    await writeAndRead(`Concert ${round}`, async () => {
      if (isStopping) stopped?.resume()
      if (round % 25 === 0) await runOn(server.url, endOfConnections)
    })
  }
  isOver = true
  await Promise.all(visitors)
  await killed?.kill()
  reading.pop()
  await writeAndRead('Encore')

  assert.deepEqual(stale, [])
})

test('a write is acknowledged only when no other node uses the revision from before it', async (t) => {
  const { url } = await createDatabase(server.url, undefined)
  const config = readConfig({ DATABASE_URL: url })
  const given = { audited: auditedTables, derivations: derivationsFor(config), isDurable: false }
  const [writing, reading] = [await openStorage(config, given), await openStorage(config, given)]
  t.after(() => Promise.all([writing.close(), reading.close()]))
  let isOver = false
  const keepAsking = (async () => {
    while (!isOver) {
      await reading.revision()
      await turn()
    }
  })()

  const stale: number[] = []
  for (let round = 1; round <= 300; round += 1) {
    const before = await reading.revision()
    await writing.write(async () => {})
    if ((await reading.revision()) <= before) stale.push(round)
  }
  isOver = true
  await keepAsking

  assert.deepEqual(stale, [])
})

const endOfConnections = `select pg_terminate_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`
