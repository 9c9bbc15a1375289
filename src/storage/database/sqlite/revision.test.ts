import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { openSqlite } from './sqlite.ts'

const nothingAudited = { items: {}, parts: {} }

test('the revision is another one after every commit, of any program, but not after one that stands aside', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'cal-events-revision-'))
  const file = join(folder, 'calendar.sqlite')
  const [here, there] = [
    await openSqlite(file, { audited: nothingAudited, derivations: [] }),
    await openSqlite(file, { audited: nothingAudited, derivations: [] }),
  ]
  const foreign = new Database(file)
  t.after(async () => {
    foreign.close()
    await here.close()
    await there.close()
    await rm(folder, { recursive: true })
  })
  const put = (name: string) => (tx: Parameters<Parameters<typeof here.write>[0]>[0]) =>
    tx.insertInto('settings').values({ name, value: '' }).execute()
  let seen = await here.revision()
  const isAnother = async () => {
    const before = seen
    seen = await here.revision()
    return seen !== before
  }

  const changes = [await isAnother()]
  await here.write(put('a'))
  changes.push(await isAnother())
  await there.write(put('b'))
  changes.push(await isAnother())
  await here.writeWithoutRevision(put('c'))
  await there.writeWithoutRevision(put('d'))
  changes.push(await isAnother())
  await Promise.all([here.writeWithoutRevision(put('e')), here.write(put('f'))])
  changes.push(await isAnother())
  foreign.exec(`insert into settings values ('g', '')`)
  changes.push(await isAnother(), await isAnother())

  assert.deepEqual(changes, [false, true, true, false, true, true, false])
})
