import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { tecEvent } from '../../../test/support/recording.ts'

const sent = (payload: Buffer, query = '') => ({
  ...({ as: 'editor', method: 'POST' } as const),
  ...{ path: `//cal/service/v1/imports${query}`, payload, headers: { 'content-type': 'application/json' } },
})

test('a recording has a bounded number of records, values and levels', async (t) => {
  const app = await startTestApp(t)
  const listOf = (text: string, count: number) => `{"venues":[${Array(count).fill(text).join(',')}]}`
  const tooMany = {
    records: listOf('1', 10_001),
    values: `{"events":[{"a":${JSON.stringify(Array(400_001).fill(0))}}]}`,
    objects: `{"events":[{"a":${JSON.stringify(Array(250_000).fill({}))}}]}`,
    levels: `{"events":${'['.repeat(40)}${']'.repeat(40)}}`,
  }

  for (const [what, text] of Object.entries(tooMany)) {
    const { status, body } = await app.send(sent(Buffer.from(text), '?dry_run=true'))
    assert.deepEqual([status, body.code], [413, 'rest_request_too_large'], what)
    assert.match(body.title, /10,000 records/)
  }
  const most = await app.send(sent(Buffer.from(listOf('1', 10_000)), '?dry_run=true'))
  assert.deepEqual([most.status, most.body.venues.failed, most.body.failures.length], [200, 10_000, 500])
})

test('the records of a large recording are read in turns', async (t) => {
  const app = await startTestApp(t)
  // To say what is wrong takes longer than to see it.
  const events = Array.from({ length: 9000 }, (_, n) => tecEvent(n + 1, { end_date: 5 }))
  const payload = Buffer.from(JSON.stringify({ events, quotes: '"[{,\\' }))
  await app.send(sent(payload, '?dry_run=true'))
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  count()

  const { body } = await app.send(sent(payload, '?dry_run=true'))

  isOver = true
  assert.equal(body.events.failed, 9000)
  assert.ok(turns > 100, String(turns))
})

test('a dry run of many records tells what the import then does, also of what names new records', async (t) => {
  const app = await startTestApp(t)
  const category = (id: number, parent = 0) => ({
    ...{ id, name: `Category ${id}`, slug: `category-${id}`, parent },
    urls: { self: `https://source.test/wp-json/tribe/events/v1/categories/${id}` },
  })
  const send = async (recording: object, query = '') => {
    const { status, body, text } = await app.send(sent(Buffer.from(JSON.stringify(recording)), query))
    assert.equal(status, 200, text)
    const { dry_run: _isDry, ...counts } = body
    return counts
  }
  await send({ events: [tecEvent(1), tecEvent(2)], categories: [category(500, 1)] })

  const others = Array.from({ length: 120 }, (_, place) => category(place + 2))
  const venue = { id: 9, venue: 'Hall', global_id: 'source.test?id=9' }
  const recording = {
    events: [tecEvent(1, { venue }), tecEvent(2), tecEvent(3, { venue, title: '<script>x</script>' })],
    categories: [category(1), ...others, category(500, 1)],
  }
  const tried = await send(recording, '?dry_run=true')

  assert.equal((await app.send({ path: '/venues' })).body.total, 0)
  assert.deepEqual(tried.events, { created: 0, updated: 1, unchanged: 1, failed: 1 })
  assert.deepEqual(tried.categories, { created: 121, updated: 1, unchanged: 0, failed: 0 })
  assert.deepEqual(await send(recording), tried)
})
