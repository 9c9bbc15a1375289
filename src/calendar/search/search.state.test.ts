import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { openTestDatabase } from '../../../test/support/database.ts'
import { emptyDictionary, numberOf, versionWith } from './search.dictionary.ts'
import { readDictionary } from './search.state.repository.ts'

const days = { first: 0, last: 1 }
const words = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => `w${from + place}x`)

/** Opens a database whose search index has these tokens. */
async function givenTokens(t: TestContext, tokens: readonly string[]) {
  const { storage, remove } = await openTestDatabase({})
  t.after(remove)
  const addTokens = (all: readonly string[], known = 0) =>
    storage.writeWithoutRevision(async (tx) => {
      const rows = all.slice(known).map((token, place) => ({ number: numberOf(known + place + 1, token), token }))
      await sql`insert into search_tokens (number, token) select cast(value ->> 'number' as bigint), value ->> 'token'
        from ${storage.dialect.jsonRows(rows)} given`.execute(tx)
      const { count, digest } = versionWith(emptyDictionary, all)
      await sql`update search_state set tokens = ${count}, digest = ${digest}`.execute(tx)
    })
  await addTokens(tokens)
  return { storage, addTokens }
}

test('the first search reads a large dictionary in turns, and all searches meanwhile wait for the same one', async (t) => {
  const { storage } = await givenTokens(t, words(0, 9000))
  let turns = 0
  let isRead = false
  const takeTurn = () => {
    turns += 1
    if (!isRead) setImmediate(takeTurn)
  }
  setImmediate(takeTurn)

  const parts = await Promise.all(Array.from({ length: 3 }, () => readDictionary(storage.db, days)))
  isRead = true

  assert.ok(turns >= 4, `${turns} turns`)
  for (const { dictionary } of parts) {
    assert.deepEqual(dictionary.version, versionWith(emptyDictionary, words(0, 9000)))
    assert.deepEqual(dictionary.words('w8999', 'anywhere'), [numberOf(9000, 'w8999x')])
  }
  assert.equal(new Set(parts.map(({ dictionary }) => dictionary)).size, 1)
})

test('tokens that were added, and an index that was created again, are read by the next search', async (t) => {
  const { storage, addTokens } = await givenTokens(t, words(0, 2000))
  const first = readDictionary(storage.db, days)
  await addTokens(words(0, 2100), 2000)
  await first

  const { dictionary } = await readDictionary(storage.db, days)
  assert.deepEqual(dictionary.version, versionWith(emptyDictionary, words(0, 2100)))

  const begun = readDictionary(storage.db, days)
  await storage.writeWithoutRevision(async (tx) => {
    await sql`delete from search_tokens`.execute(tx)
    await sql`update search_state set generation = generation + 1`.execute(tx)
  })
  await begun
  await addTokens(words(5000, 7500))

  const again = await readDictionary(storage.db, days)
  assert.deepEqual(again.dictionary.version, versionWith(emptyDictionary, words(5000, 7500)))
})
