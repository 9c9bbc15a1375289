import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../../test/support/database.ts'
import type { Tx } from '../tables.ts'
import { compiledStatement } from './compiled.statement.ts'
import { parameterOf } from './sql.parameters.ts'

interface Setting {
  readonly name: string
  readonly value: string
}

const settingNamed = compiledStatement<{ readonly name: string }, Setting>(
  ({ name }) => sql<Setting>`select name, value from settings where name = ${name}`,
)

test('a statement is built once for each handle, and runs with the values of each call', async (t) => {
  let built = 0
  const statement = compiledStatement<{ readonly name: string }, Setting>(({ name }) => {
    built += 1
    return sql<Setting>`select name, value from settings where name = ${name} and value <> ${'none'}`
  })
  const databases = [await openTestDatabase({}), await openTestDatabase({})]
  t.after(() => Promise.all(databases.map((database) => database.remove())))

  for (const { storage } of databases) {
    await storage.write(async (tx) => {
      await tx.insertInto('settings').values({ name: 'one', value: '1' }).execute()
      await tx.insertInto('settings').values({ name: 'two', value: '2' }).execute()
      assert.deepEqual(await statement(tx, { name: 'two' }), [{ name: 'two', value: '2' }])
    })
    const rows = await Promise.all(['one', 'two', 'three'].map((name) => statement(storage.db, { name })))
    assert.deepEqual(rows, [[{ name: 'one', value: '1' }], [{ name: 'two', value: '2' }], []])
  }

  // A database has at most two handles: one that reads, and one that writes.
  assert.ok(built <= 2 * databases.length, `built ${built} times`)
})

test('the shape chooses the text of a statement, and lists are one parameter', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  const among = compiledStatement<{ readonly ids: readonly number[] }, { readonly id: number }>(
    ({ ids }, dialect) =>
      sql<{ readonly id: number }>`select id from revisions where ${dialect.isAmong(sql.ref('id'), ids)} order by id`,
  )
  const ordered = compiledStatement<object, { readonly id: number }, 'asc' | 'desc'>(
    (_given, _dialect, direction) =>
      sql<{ readonly id: number }>`select id from revisions where id between 3 and 4 order by id ${sql.raw(direction)}`,
  )

  const found = [
    await among(storage.db, { ids: [3] }),
    await among(storage.db, { ids: [3, 4] }),
    await ordered(storage.db, {}, 'asc'),
    await ordered(storage.db, {}, 'desc'),
  ]

  assert.deepEqual(
    found.map((rows) => rows.map(({ id }) => id)),
    [[3], [3, 4], [3, 4], [4, 3]],
  )
})

test('a hostile value is only ever a parameter', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)

  assert.deepEqual(await settingNamed(storage.db, { name: `' or '1' = '1` }), [])
})

test('a statement that computes with a value that it does not have yet fails', async (t) => {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  const computing = compiledStatement<{ readonly page: number; readonly ids: readonly number[] }, object>(
    ({ page }) => sql<object>`select ${page - 1} as number`,
  )
  const spreading = compiledStatement<{ readonly ids: readonly number[] }, object>(
    ({ ids }) => sql<object>`select ${[...ids].length} as number`,
  )

  await assert.rejects(computing(storage.db, { page: 2, ids: [] }), /“page” has no value while/)
  await assert.rejects(spreading(storage.db, { ids: [1] }), /“ids” has no value while/)
  assert.equal(
    parameterOf(2, (page) => page - 1),
    1,
  )
})

test('a compiled statement is reported, and refused after the end of its transaction', async (t) => {
  const texts: string[] = []
  const { storage, remove } = await openTestDatabase({}, { onQuery: (text) => texts.push(text) })
  t.after(remove)
  let ended: Tx | undefined

  await storage.write(async (tx) => {
    ended = tx
    texts.length = 0
    await settingNamed(tx, { name: 'one' })
    assert.equal(texts.length, 1)
    assert.match(texts[0] ?? '', /from settings/)
  })

  await assert.rejects(settingNamed(ended ?? assert.fail(), { name: 'one' }), /already committed/)
})
