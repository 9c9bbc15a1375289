import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { recordedFiles } from '../../test/support/recording.ts'
import { startShell } from '../../test/support/shell.ts'
import { readConfig } from '../base/config/config.ts'
import { indexLeft } from './index.left.ts'

/** Changes a database in its file. */
function change(file: string, text: string): void {
  const database = new Database(file)
  try {
    database.exec(text)
  } finally {
    database.close()
  }
}

function numberIn(file: string, text: string): unknown {
  const database = new Database(file, { readonly: true })
  try {
    return database.prepare(text).pluck().get()
  } finally {
    database.close()
  }
}

/** The events of the recorded lists fill several rows of this size. */
const smallRows = 'update search_state set row_size = 8'
const indexed = 'select documents from search_state'

/** Provides the command line and an empty calendar with small rows. */
async function givenEmpty(t: TestContext) {
  const shell = await startShell(t)
  const file = join(shell.folder, 'data', 'calendar.sqlite')
  assert.equal((await shell.run(['migrate'])).exitCode, 0)
  change(file, smallRows)
  return { ...shell, file, importAll: () => shell.run(['import', 'tec', ...recordedFiles, '--quiet']) }
}

test('a copy is indexed for search when it is complete, and a refused one changes nothing', async (t) => {
  const { folder, run, file, importAll } = await givenEmpty(t)
  assert.equal((await importAll()).exitCode, 0)
  const target = join(folder, 'copy.sqlite')
  await run(['migrate'], { DATABASE_URL: `sqlite:${target}` })
  change(target, smallRows)
  const copy = () => run(['db', 'copy', '--from', `sqlite:${file}`, '--to', `sqlite:${target}`])

  const copied = await copy()
  const afterCopy = numberIn(target, indexed)
  change(target, 'insert into stale_events (event_id) select min(record_id) from events')
  const refused = await copy()

  assert.equal(copied.exitCode, 0, copied.err)
  assert.equal(afterCopy, 32)
  assert.equal(refused.exitCode, 1)
  assert.match(refused.err, /^The target is not empty\./)
  assert.equal(numberIn(target, 'select count(*) from stale_events'), 1)
})

test('a first import reports what it did, also if what it left cannot be indexed', async (t) => {
  const { folder, file, importAll } = await givenEmpty(t)
  change(file, "create trigger full before insert on search_rows begin select raise(abort, 'no room'); end")

  const imported = await importAll()
  const left = numberIn(file, 'select count(*) from search_pending')
  change(file, 'drop trigger full')
  const shown: (readonly number[])[] = []
  await indexLeft(readConfig({ DATA_DIR: join(folder, 'data') }), {
    show: (done, total) => shown.push([done, total]),
    stop: () => shown.push([]),
  })

  assert.match(imported.out, /^39 of 39 events imported/)
  assert.match(imported.err, /no room/)
  assert.notEqual(imported.exitCode, 0)
  assert.equal(left, 39)
  assert.equal(numberIn(file, indexed), 32)
  assert.deepEqual(shown.at(-2), [32, 39])
  assert.deepEqual(shown.at(-1), [])
})
