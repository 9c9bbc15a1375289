import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReadCache } from './read.cache.ts'

/** Caches texts of `maxSize` characters together, and notes each read of a source. */
function given(maxSize = 100) {
  const source = new Map([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ])
  const asked: (readonly number[])[] = []
  const cached = createReadCache<string>(maxSize, (text) => text.length)
  const read = async (ids: readonly number[]) => {
    asked.push(ids)
    return new Map(ids.flatMap((id) => (source.has(id) ? [[id, source.get(id) ?? ''] as const] : [])))
  }
  return {
    source,
    asked,
    read,
    values: async (state: number | undefined, ids: readonly number[]) =>
      Object.fromEntries(await cached(state, ids, read)),
    cached,
  }
}

test('only what was not read in this state is read', async () => {
  const { asked, values } = given()

  await values(7, [1, 2])
  const found = await values(7, [3, 2, 9])

  assert.deepEqual(found, { 2: 'two', 3: 'three' })
  assert.deepEqual(asked, [
    [1, 2],
    [3, 9],
  ])
})

test('nothing of an earlier state is given, nor where the state is not known', async () => {
  const { source, values } = given()
  await values(7, [1])
  source.set(1, 'uno')

  assert.deepEqual(await values(undefined, [1]), { 1: 'uno' })
  source.set(1, 'ein')
  assert.deepEqual(await values(undefined, [1]), { 1: 'ein' })
  assert.deepEqual(await values(8, [1]), { 1: 'ein' })
})

test('what was read while the state changed is not kept', async () => {
  const { source, cached, values } = given()
  const begun = Promise.withResolvers<void>()
  const slow = cached(7, [1], async () => {
    await begun.promise
    return new Map([[1, 'one']])
  })
  source.set(1, 'uno')
  await values(8, [2])
  begun.resolve()

  assert.deepEqual(await slow, new Map([[1, 'one']]))
  assert.deepEqual(await values(8, [1]), { 1: 'uno' })
})

test('where there is too much, what was used least recently is dropped, and what is too large is not cached', async () => {
  const { source, asked, values } = given(9)
  source.set(4, 'four')
  source.set(5, 'x'.repeat(10))

  await values(7, [1, 2])
  await values(7, [1])
  await values(7, [4])
  await values(7, [5])
  await values(7, [1, 4])
  await values(7, [2])

  assert.deepEqual(asked, [[1, 2], [4], [5], [2]])
})
