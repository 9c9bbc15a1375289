/**
 * Measures for how long an expanding migration, and a job that fills its column in pieces, hold writers
 * (docs/versioning.md). Changes the calendar that the settings name, so give it a copy.
 *
 *     cp -r data /tmp/copy && sync && DATA_DIR=/tmp/copy node tools/expand.ts
 */
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { readConfig } from '../src/base/config/config.ts'
import { table } from '../src/cli/output.ts'
import { openDeps } from '../src/main.ts'
import { contentTables, derivedTables, internalTables } from '../src/storage/database/schema/schema.ts'
import type { Tx } from '../src/storage/database/tables.ts'

/** A piece aims at half of what is promised. */
const pieceMs = 100
const firstPiece = 500

const { storage } = await openDeps(readConfig({ ...process.env, LOG_LEVEL: 'silent' }))
const waits: number[] = []
let isDone = false
const writing = (async () => {
  while (!isDone) {
    const beganAt = performance.now()
    await storage.write((tx) =>
      sql`insert into settings (name, value) values ('expanded', 'x') on conflict (name) do update set value = 'x'`.execute(
        tx,
      ),
    )
    waits.push(performance.now() - beganAt)
    await wait(5)
  }
})()

/** Runs a write, and returns how long it took. */
async function held(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  const beganAt = performance.now()
  await storage.writeWithoutRevision(work)
  return performance.now() - beganAt
}

const rows: string[][] = []
async function phase(name: string, work: () => Promise<readonly number[]>): Promise<void> {
  waits.length = 0
  const beganAt = performance.now()
  const took = await work()
  await wait(50)
  const ms = (number: number) => `${number.toFixed(0)} ms`
  const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0
  const total = ((performance.now() - beganAt) / 1000).toFixed(1)
  rows.push([name, String(took.length), `${total} s`, ms(Math.max(...took)), ms(p99), ms(Math.max(...waits))])
}

await wait(500)
await phase('a column of records', async () => [
  await held((tx) => sql`alter table records add column added_alone text`.execute(tx)),
])
await phase('two columns of each table, a table', async () => [
  await held(async (tx) => {
    for (const name of Object.keys({ ...contentTables, ...internalTables, ...derivedTables })) {
      await sql`alter table ${sql.table(name)} add column added_without_value text`.execute(tx)
      await sql`alter table ${sql.table(name)} add column added_with_value integer not null default 7`.execute(tx)
    }
    await sql`create table added_later (id integer primary key, note text)`.execute(tx)
  }),
])
let count = 0
await phase('the column of all records, filled in pieces', async () => {
  const took: number[] = []
  let [last, size] = [0, firstPiece]
  for (;;) {
    const next = sql<{ id: number | null; count: number }>`select max(id) as id, count(*) as count
      from (select id from records where id > ${last} order by id limit ${size}) as piece`
    const [found] = (await next.execute(storage.db)).rows
    if (!found?.id) return took
    const end = found.id
    const from = last
    took.push(
      await held((tx) =>
        sql`update records set added_with_value = length(title) where id > ${from} and id <= ${end}`.execute(tx),
      ),
    )
    last = end
    count += Number(found.count)
    size = Math.max(1, Math.floor(size * Math.min(1.5, pieceMs / (took.at(-1) ?? pieceMs))))
  }
})
await phase('an index of the column', async () => [
  await held((tx) => sql`create index added_index on records (added_with_value)`.execute(tx)),
])
isDone = true
await writing
await storage.close()
console.log(`${count} records on ${storage.dialect.name}`)
console.log(table(['step', 'pieces', 'in all', 'longest', 'write, p99', 'slowest write'], rows))
