import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Client } from 'pg'
import { createDatabase } from '../../support/database.ts'
import { ownServer } from '../../support/postgres.server.ts'
import { startShell } from '../../support/shell.ts'

const server = await ownServer()
/** The least that can be set. */
const statementTimeoutMs = 100

test('a copy of a large calendar waits longer than a statement may take by the settings of the service and of the server', {
  timeout: 60_000,
}, async (t) => {
  const { folder, run } = await startShell(t)
  const { url } = await createDatabase(server.url, undefined)
  assert.equal((await run(['migrate'])).exitCode, 0)
  assert.equal((await run(['migrate'], { DATABASE_URL: url })).exitCode, 0)
  const [holder, watcher] = [new Client(url), new Client(url)]
  for (const client of [holder, watcher]) {
    await client.connect()
    t.after(() => client.end())
  }
  await watcher.query(
    `do $$ begin execute format('alter database %I set statement_timeout = ${statementTimeoutMs}', current_database()); end $$`,
  )
  await holder.query('begin')
  await holder.query('lock table organizers in access exclusive mode')

  const source = `sqlite:${join(folder, 'data', 'calendar.sqlite')}`
  const copying = run(['db', 'copy', '--from', source, '--to', url], {
    DATABASE_STATEMENT_TIMEOUT_MS: String(statementTimeoutMs),
  })
  let isEnded = false
  void copying.then(() => {
    isEnded = true
  })
  const hasWaitedLonger = async () => {
    const { rows } = await watcher.query(`select count(*) as number from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > interval '${3 * statementTimeoutMs} ms'`)
    return Number(rows[0].number) > 0
  }
  while (!isEnded && !(await hasWaitedLonger())) await turn()
  await holder.query('rollback')

  const { exitCode, err } = await copying
  assert.equal(exitCode, 0, err)
})
