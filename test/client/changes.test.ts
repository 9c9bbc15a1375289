import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startClientSite } from '../support/client.site.ts'

test('a client follows the feed of changes page by page, and continues from its cursor', async (t) => {
  const site = await startClientSite(t)
  const { events, changes } = await site.clientOf('editor')
  const kept = (await events.create({ title: 'A', start_date: '2030-02-01', end_date: '2030-02-02' })).id
  const gone = (await events.create({ title: 'B', start_date: '2030-02-01', end_date: '2030-02-02' })).id

  const pages = await Array.fromAsync(changes.follow({ kinds: ['event'], per_page: 1 }))
  await events.delete(gone)
  const next = await changes.read({ kinds: ['event'], after: pages.at(-1)?.cursor ?? '' })

  assert.deepEqual(
    pages.flatMap(({ items }) => items.map(({ state, id }) => `${state} ${id}`)),
    [`updated ${kept}`, `updated ${gone}`],
  )
  assert.deepEqual(
    next.items.map(({ state, id }) => `${state} ${id}`),
    [`deleted ${gone}`],
  )
  assert.equal(next.hasMore, false)
})
