import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createClient } from '../../packages/client/src/client.ts'
import { eachItem, type ReadPage } from '../../packages/client/src/paging.ts'
import { startCannedServer, startClientSite } from '../support/client.site.ts'
import { givenEvent, plainEvent } from '../support/given.ts'

interface Item {
  readonly id: number
}

const itemsOf = (ids: readonly number[]): readonly Item[] => ids.map((id) => ({ id }))
const idsOf = async (items: AsyncIterable<Item>) => (await Array.fromAsync(items)).map(({ id }) => id)

/** A list in pages, which may change before each page is read. */
function listOf(ids: number[], perPage: number, change: (ids: number[]) => void = () => {}) {
  const asked: number[] = []
  const readPage: ReadPage<Item> = async (page) => {
    if (asked.length > 0) change(ids)
    asked.push(page)
    const totalPages = Math.ceil(ids.length / perPage)
    if (page > 1 && page > totalPages) return undefined
    const items = itemsOf(ids.slice((page - 1) * perPage, page * perPage))
    return { page: { items, total: ids.length, totalPages, page, isLast: page >= totalPages }, pins: {} }
  }
  return { readPage, asked }
}

/** Random numbers; a change uses one after the other, reduced to its own bounds. */
const changes = fc.array(fc.nat(), { maxLength: 30 })
const listing = [fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 7 }), changes] as const
const upTo = (length: number) => Array.from({ length }, (_, place) => place + 1)

test('all of a list comes once, in its order, page by page', async () => {
  const { readPage, asked } = listOf(upTo(7), 3)

  assert.deepEqual(await idsOf(eachItem(readPage)), upTo(7))
  assert.deepEqual(asked, [1, 2, 3])
})

test('what is removed meanwhile makes nothing be missed, and nothing comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(...listing, async (length, perPage, places) => {
      const ids = upTo(length)
      const queue = [...places]
      const { readPage } = listOf(ids, perPage, () => {
        const place = queue.shift()
        if (place !== undefined && ids.length > 0) ids.splice(place % ids.length, 1 + (place % 3))
      })

      const seen = await idsOf(eachItem(readPage))

      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        ids.filter((id) => !seen.includes(id)),
        [],
      )
    }),
  )
})

test('what is added meanwhile makes nothing be missed, and nothing comes twice', async () => {
  await fc.assert(
    fc.asyncProperty(...listing, async (length, perPage, places) => {
      const ids = upTo(length)
      const queue = [...places]
      const { readPage } = listOf(ids, perPage, () => {
        const place = queue.shift()
        if (place !== undefined) ids.splice(place % (ids.length + 1), 0, 1000 + queue.length)
      })

      const seen = await idsOf(eachItem(readPage))

      assert.equal(new Set(seen).size, seen.length)
      assert.deepEqual(
        upTo(length).filter((id) => !seen.includes(id)),
        [],
      )
    }),
  )
})

test('a list that is given otherwise each time is not followed for ever', async () => {
  const endless: ReadPage<Item> = async (page) => {
    const total = Math.max(1, 1_000_000 - page)
    return page % 2 === 0
      ? undefined
      : { page: { items: itemsOf([page]), total, totalPages: total, page, isLast: false }, pins: {} }
  }

  assert.deepEqual(await idsOf(eachItem(endless)), [1])
})

test('no page is asked for before it is wanted, and no more items come than were asked for', async () => {
  const { readPage, asked } = listOf(upTo(9), 2)

  const three = await idsOf(eachItem(readPage, 3))
  const none = await idsOf(eachItem(readPage, 0))
  for await (const { id } of eachItem(readPage)) if (id === 2) break

  assert.deepEqual([three, none], [[1, 2, 3], []])
  assert.deepEqual(asked, [1, 2, 1])
})

test('all events come, also where some are removed between two pages', async (t) => {
  const site = await startClientSite(t)
  const events: { readonly id: number }[] = []
  for (let day = 1; day <= 7; day += 1) {
    const [start_date, end_date] = [`2030-02-0${day} 19:00:00`, `2030-02-0${day} 21:00:00`]
    events.push(await givenEvent(site.app, { start_date, end_date }))
  }
  const editor = await site.clientOf('editor')
  const seen: number[] = []

  for await (const { id } of site.visitor().events.all({ per_page: 2, search: 'concert' })) {
    seen.push(id)
    if (seen.length === 2) for (const { id } of events.slice(0, 2)) await editor.events.delete(id)
    if (seen.length === 6) for (const { id } of events.slice(2, 5)) await editor.events.delete(id)
  }

  assert.deepEqual(
    seen,
    events.map(({ id }) => id),
  )
  const { venues, organizers, tags, categories } = editor
  for (const list of [venues, organizers, tags, categories]) assert.deepEqual(await idsOf(list.all()), [])
})

test('the pages are those of the day on which the first was asked for', async (t) => {
  const page = (id: number, next?: string) => {
    const next_rest_url = `https://elsewhere.example/events/?${next}`
    return { body: { events: [{ id }], total: 2, total_pages: 2, ...(next ? { next_rest_url } : {}) } }
  }
  const { url, heard } = await startCannedServer(
    t,
    page(1, 'per_page=1&start_date=2030-01-14+00%3A00%3A00&search=other&page=2'),
    page(2),
  )

  const client = createClient({ baseUrl: url, credentials: { token: 'abc' } })
  const ids = await idsOf(client.events.all({ start_date: 'yesterday', search: 'fête', per_page: 1 }))

  assert.deepEqual(ids, [1, 2])
  assert.deepEqual(
    heard.map(({ url }) => [...new URL(url, 'http://a').searchParams].map((pair) => pair.join('='))),
    [
      ['per_page=1', 'start_date=yesterday', 'search=fête', 'page=1'],
      ['per_page=1', 'start_date=2030-01-14 00:00:00', 'search=fête', 'page=2'],
    ],
  )
})

test('an answer that is kept is asked for only in case it has changed', async (t) => {
  const site = await startClientSite(t)
  const { id } = await givenEvent(site.app)
  const statuses: number[] = []
  const watching: typeof fetch = async (...sent) => {
    const answer = await fetch(...sent)
    statuses.push(answer.status)
    return answer
  }
  const { events } = site.visitor({ keptAnswers: 1, fetch: watching })

  const first = await events.get(id)
  const again = await events.get(id)
  await (await site.clientOf('editor')).events.update(id, { title: 'Recital' })
  const changed = await events.get(id)
  await events.list()
  await events.get(id)

  assert.deepEqual([first.title, again, changed.title], [plainEvent.title, first, 'Recital'])
  assert.deepEqual(statuses, [200, 304, 200, 200, 200])
})
