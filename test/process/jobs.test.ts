import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { readConfig } from '../../src/base/config/config.ts'
import { derivationsFor } from '../../src/calendar/derivations.ts'
import { auditedTables } from '../../src/operate/audit/audited.fields.ts'
import { openStorage } from '../../src/storage/database/open.ts'
import { randomFrom } from '../../tools/bench/random.ts'
import { openClient } from '../support/client.ts'
import { givenDatabaseUrl } from '../support/database.ts'
import { durabilityEnvironment } from '../support/durability.ts'
import { plainEvent } from '../support/given.ts'
import { isLong } from '../support/long.ts'
import { pause } from '../support/pause.ts'
import { adminAuthorization } from '../support/service.process.ts'
import { type Served, startShell } from '../support/shell.ts'

const processes = 4
/** `JOBS_KILLS=40` is a thorough run. */
const thorough = process.env.JOBS_KILLS
/** As many on PostgreSQL, because each engine has its own way to give a job to one process. */
const kills = Number(thorough ?? (isLong ? 12 : 4))
const eventsPerKill = 8
const seed = Number(process.env.JOBS_SEED ?? Math.floor(Math.random() * 1e9))

async function ended({ child }: Served, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const isOver = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await isOver
}

test(`of ${processes} processes that are killed at random, each job has its effect once (seed ${seed})`, {
  timeout: thorough === undefined ? 120_000 : 1_800_000,
}, async (t) => {
  const url = await givenDatabaseUrl(t)
  if (url === undefined) return t.skip('PGlite serves one process only.')
  const shell = await startShell(t)
  const random = randomFrom(seed)
  const environment = { ...durabilityEnvironment, DATABASE_URL: url }
  // They create the database one after the other, so that each sees the same first administrator.
  const nodes: Served[] = [await shell.serve([], environment)]
  while (nodes.length < processes) nodes.push(await shell.serve([], environment))
  const storage = await openStorage(readConfig({ DATA_DIR: join(shell.folder, 'data'), DATABASE_URL: url }), {
    audited: auditedTables,
    derivations: derivationsFor(),
  })
  t.after(() => storage.close())
  const client = openClient(nodes[0]?.api ?? '', adminAuthorization)
  const { body: event } = await client.send('POST', '/events', plainEvent)
  const ids: number[] = [event.id]
  while (ids.length < kills * eventsPerKill) ids.push((await client.send('POST', '/events', plainEvent)).body.id)
  client.close()
  const scheduled = async () => {
    const rows = await storage.db.selectFrom('records').select('id').where('status', '=', 'future').execute()
    return rows.length
  }
  const after = (
    await storage.db
      .selectFrom('audit')
      .select((e) => e.fn.max('id').as('last'))
      .executeTakeFirstOrThrow()
  ).last

  for (let round = 0; round < kills; round += 1) {
    const due = Math.floor(Date.now() / 1000) - 1
    const some = ids.slice(round * eventsPerKill, (round + 1) * eventsPerKill)
    // Due at once: all processes find them, and one publishes them.
    await storage.write(async (tx) => {
      await tx
        .updateTable('records')
        .set({ status: 'future', is_dated: 1, dated_at: due })
        .where('id', 'in', some)
        .execute()
      const expired = some.map((id) => ({ user_id: 1, digest: `old-${id}`, request: '', result: '', used_at: 1 }))
      await tx.insertInto('idempotency_keys').values(expired).execute()
    })
    const victim = Math.floor(random() * processes)
    if (random() < 0.5) await pause()
    await ended(nodes[victim] as Served, 'SIGKILL')
    // A process checks all jobs when it starts.
    nodes[victim] = await shell.serve([], environment)
  }
  while ((await scheduled()) > 0) await pause()
  // A process that was killed during this job holds its lease for some seconds. The job runs every hour and at starts.
  const isLeased = async () => {
    const { rows } = await sql`select 1 from leases
      where name = 'expire-idempotency-keys' and expires_at > ${Math.floor(Date.now() / 1000)}`.execute(storage.db)
    return rows.length > 0
  }
  while (await isLeased()) await pause()
  await ended(nodes[0] as Served, 'SIGTERM')
  nodes[0] = await shell.serve([], environment)
  const expired = () => storage.db.selectFrom('idempotency_keys').select('digest').where('used_at', '=', 1).execute()
  while ((await expired()).length > 0) await pause()

  const entries = await storage.db
    .selectFrom('audit')
    .select(['item_id', 'changes', 'via'])
    .where('kind', '=', 'event')
    .where('id', '>', Number(after))
    .execute()
  const published = entries.flatMap(({ item_id, changes }) => {
    const { status } = JSON.parse(changes) as { status?: { after: string } }
    return status?.after === 'publish' ? [item_id] : []
  })
  assert.deepEqual(
    published.toSorted((one, other) => one - other),
    ids.toSorted((one, other) => one - other),
  )
  for (const node of nodes) assert.equal(node.errors(), '')
})
