import assert from 'node:assert/strict'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import Database from 'better-sqlite3'
import { recordedFiles } from '../../test/support/recording.ts'
import { startShell } from '../../test/support/shell.ts'

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
