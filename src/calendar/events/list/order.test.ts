import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { addCopies } from '../../../../test/support/copies.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../../test/support/given.ts'

interface Listed {
  readonly id: number
  readonly title: string
  readonly status: string
  readonly modified_utc: string
  readonly utc_start_date: string
}

const always = 'start_date=2000-01-01&end_date=2100-01-01'
const titles = ['Émile', 'concert', 'Concert', 'zebra', 'Art', 'Éclair', 'art', 'Żubr', '10 songs', '9 lives']
/** As titles are compared: without accents, in lower case. */
const folded = (title: string) => title.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
const keys: Readonly<Record<string, (event: Listed) => string>> = {
  start: ({ utc_start_date }) => utc_start_date,
  title: ({ title }) => folded(title),
  status: ({ status }) => status,
  modified: ({ modified_utc }) => modified_utc,
  created: () => '',
}

async function startWithEvents(t: TestContext): Promise<TestApp> {
  const app = await startTestApp(t)
  const { id: music } = await givenTerm(app, 'categories', { name: 'Music' })
  const made = []
  for (const [number, title] of titles.entries()) {
    app.pass(60)
    const day = `2030-05-${10 + ((number * 7) % 10)}`
    const more = { ...(number % 3 === 0 ? { categories: [music] } : {}), ...(number === 4 ? { status: 'draft' } : {}) }
    made.push(await givenEvent(app, { title, start_date: day, end_date: day, ...more }))
  }
  for (const place of [3, 8, 0]) {
    app.pass(60)
    const path = `/events/${made[place]?.id}`
    await app.send({ as: 'administrator', method: 'PATCH', path, json: { cost: '5' } })
  }
  return app
}

async function listed(app: TestApp, query: string, as?: 'editor'): Promise<readonly Listed[]> {
  const events: Listed[] = []
  for (let page = 1; ; page += 1) {
    const path = `/events?${query}&page=${page}`
    const { status, body } = await app.send(as ? { as, path } : { path })
    assert.equal(status, 200, JSON.stringify(body))
    events.push(...body.events)
    if (page >= body.total_pages) return events
  }
}

test('lists are ordered by title, last change or creation, for every caller, with and without filters', async (t) => {
  const app = await startWithEvents(t)
  const filters = [
    always,
    `${always}&categories=music`,
    `${always}&search=art`,
    `include=1,2,3,4,5,6,7,8,9,10,11&${always}`,
  ]
  for (const as of [undefined, 'editor'] as const) {
    for (const filter of filters) {
      const all = await listed(app, `${filter}&per_page=50`, as)
      for (const [orderby, keyOf] of Object.entries(keys)) {
        for (const order of ['asc', 'desc']) {
          const found = await listed(app, `${filter}&per_page=3&orderby=${orderby}&order=${order}`, as)

          const sign = order === 'asc' ? 1 : -1
          const compared = (one: Listed, other: Listed) =>
            keyOf(one) < keyOf(other) ? -1 : keyOf(one) > keyOf(other) ? 1 : one.id - other.id
          const expected = all.toSorted((one, other) => sign * compared(one, other))
          assert.deepEqual(
            found.map(({ id }) => id),
            expected.map(({ id }) => id),
            `${as} ${filter} ${orderby} ${order}`,
          )
        }
      }
    }
  }
})

test('without a direction, changes and new events are first at their latest, and links name the order', async (t) => {
  const app = await startWithEvents(t)
  const first = async (query: string) => (await listed(app, `${always}&per_page=3&${query}`))[0]?.title

  assert.equal(await first('orderby=title'), '10 songs')
  assert.equal(await first('orderby=modified'), 'Émile')
  assert.equal(await first('orderby=created'), '9 lives')
  const { body } = await app.send({ path: `/events?${always}&per_page=3&orderby=modified&order=asc` })
  assert.match(body.next_rest_url, /&orderby=modified&order=asc/)
})

test('words of order are read in any letter case, and unknown ones are ignored (rulings.md 43)', async (t) => {
  const app = await startWithEvents(t)
  const ask = (query: string, headers = {}) => app.send({ path: `/events?${always}&per_page=3&${query}`, headers })
  const found = async (query: string) => (await ask(query)).body.events.map(({ id }: Listed) => id)
  const [byStart, latest] = [await found(''), await found('orderby=start&order=desc')]
  assert.notDeepEqual(byStart, latest)

  for (const word of ['date', 'event_date', 'start_date', 'start', 'Event_Date', 'START', '%20date']) {
    assert.deepEqual(await found(`orderby=${word}`), byStart, word)
    assert.deepEqual(await found(`orderby=${word}&order=DESC`), latest, word)
  }
  assert.deepEqual(await found('order=DESC'), latest)
  assert.deepEqual(await found('orderby=TITLE&order=Asc'), await found('orderby=title'))
  const unknown = ['orderby=random', 'orderby=', 'orderby[]=title', 'orderby[date]=desc', 'order=up', 'order[]=desc']
  for (const query of unknown) {
    const { status, body, headers } = await ask(query)
    assert.equal(status, 200, query)
    const ids = body.events.map(({ id }: Listed) => id)
    assert.deepEqual(ids, byStart, query)
    assert.equal(headers['x-ignored-parameters'], query.startsWith('orderby') ? 'orderby' : 'order', query)
    assert.doesNotMatch(body.next_rest_url, /order/, query)
    assert.equal((await ask(query, { prefer: 'handling=strict' })).status, 400, query)
  }
  assert.deepEqual(await found('orderby=random&order=DESC'), latest)
})

test('a page of thousands of events is found in their order', async (t) => {
  const app = await startTestApp(t)
  const [venueId, organizerId] = [(await givenVenue(app)).id, (await givenOrganizer(app)).id]
  const { id: eventId } = await givenEvent(app, { venue: venueId, organizer: organizerId })
  for (const name of ['One', 'Two', 'Three']) await givenTerm(app, 'categories', { name })
  const { storage } = app.deps
  await addCopies(storage, { eventId, venueId, organizerId })
  await storage.write(async (tx) => {
    await sql`update records set modified_at = modified_at + (id * 7919) % 1000,
      title_folded = cast((id * 31) % 97 as text) where kind = 'event'`.execute(tx)
  })
  for (const [orderby, column] of [
    ['modified', 'modified_at'],
    ['title', 'title_folded'],
    ['created', 'id'],
  ] as const) {
    for (const order of ['asc', 'desc'] as const) {
      const direction = sql.raw(order)
      const { rows } = await sql<{ id: number }>`select id from records where kind = 'event'
        order by ${sql.ref(column)} ${direction}, id ${direction}`.execute(storage.db)
      for (const page of [1, 60, 120]) {
        const { body } = await app.send({
          path: `/events?${always}&per_page=50&page=${page}&orderby=${orderby}&order=${order}`,
        })

        const expected = rows.slice((page - 1) * 50, page * 50).map(({ id }) => id)
        assert.deepEqual(
          body.events.map(({ id }: Listed) => id),
          expected,
          `${orderby} ${order} ${page}`,
        )
      }
    }
  }
})
