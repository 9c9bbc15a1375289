import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { hasOldTombstones, pruneTombstones } from './change.prune.ts'

const feed = '//cal/service/v1/changes'
const times = { start_date: '2030-02-01 10:00:00', end_date: '2030-02-01 11:00:00' }

async function create(app: TestApp, json: object, path = '/events'): Promise<number> {
  const { status, body } = await app.send({ as: 'administrator', method: 'POST', path, json: { ...times, ...json } })
  assert.equal(status, 201)
  return body.id
}

const change = (app: TestApp, path: string, json: object) =>
  app.send({ as: 'administrator', method: 'POST', path, json })
const remove = (app: TestApp, path: string) => app.send({ as: 'administrator', method: 'DELETE', path })
const read = async (app: TestApp, query = '') => (await app.send({ path: `${feed}${query}` })).body
const after = (app: TestApp, next: string) => app.send({ path: `/${new URL(next).pathname}${new URL(next).search}` })
const shown = ({ items }: { items: { state: string; kind: string; id: number }[] }) =>
  items.map(({ state, kind, id }) => `${state} ${kind} ${id}`)

test('the feed has every public item once, at its last change, with the bytes of its own address', async (t) => {
  const app = await startTestApp(t)
  const first = await create(app, { title: 'First', venue: { venue: 'Hall' }, categories: ['music'] })
  const second = await create(app, { title: 'Second' })
  const draft = await create(app, { title: 'Draft', status: 'draft' })
  await change(app, `/events/${first}`, { title: 'First again' })

  const page = await read(app)

  assert.deepEqual(
    page.items.filter(({ kind }: { kind: string }) => kind === 'event').map(({ id }: { id: number }) => id),
    [second, first],
  )
  assert.ok(!JSON.stringify(page).includes('Draft') && draft > 0)
  for (const { kind, id, data } of page.items) {
    const plural = { event: 'events', venue: 'venues', category: 'categories' }[kind as 'event' | 'venue' | 'category']
    const { text, body } = await app.send({ path: `/${plural}/${id}` })
    if (kind === 'category') assert.equal(JSON.stringify(data), text)
    const { json_ld, ...without } = body
    if (kind === 'event') delete without.venue.json_ld
    assert.equal(JSON.stringify(data), JSON.stringify(without))
  }
})

test('what is deleted, trashed or no longer published comes as deleted, and comes back', async (t) => {
  const app = await startTestApp(t)
  const id = await create(app, { title: 'Jazz' })
  const { next } = await read(app)

  await remove(app, `/events/${id}`)
  const gone = (await after(app, next)).body
  await app.send({ as: 'editor', method: 'POST', path: `//cal/service/v1/events/${id}/restore`, json: {} })
  const back = (await after(app, gone.next)).body
  await change(app, `/events/${id}`, { hide_from_listings: true })
  const hidden = (await after(app, back.next)).body

  assert.deepEqual([gone, back, hidden].map(shown), [
    [`deleted event ${id}`],
    [`updated event ${id}`],
    [`deleted event ${id}`],
  ])
  assert.deepEqual(shown(await read(app)), [], 'A reader of everything never had it.')
})

test('hidden writes change no byte of the feed', async (t) => {
  const app = await startTestApp(t)
  await create(app, { title: 'Public' })
  const protectedId = await create(app, { title: 'Closed', event_password: 'secret', description: 'One' })
  const draft = await create(app, { title: 'Draft', status: 'draft' })
  const before = await app.send({ path: feed })

  await change(app, `/events/${draft}`, { title: 'Other' })
  await create(app, { title: 'Another', status: 'private', venue: { venue: 'Secret', status: 'draft' } })
  await remove(app, `/events/${draft}`)
  const hidden = await app.send({ path: feed })
  await change(app, `/events/${protectedId}`, { description: 'Two', featured: true })
  const { body } = await after(app, before.body.next)

  assert.equal(hidden.text, before.text)
  assert.equal(hidden.headers.etag, before.headers.etag)
  assert.deepEqual(shown(body), [])
  await change(app, `/events/${protectedId}`, { title: 'Renamed' })
  assert.deepEqual(shown((await after(app, before.body.next)).body), [`updated event ${protectedId}`])
})

test('a scheduled event comes when its time comes', async (t) => {
  const app = await startTestApp(t)
  const id = await create(app, { title: 'Later', date: '2030-01-16 00:00:00' })
  const { next, items } = await read(app)
  const { publishDue } = await import('../events/write/schedule.ts')

  app.pass(86_400)
  await publishDue(app.deps)

  assert.deepEqual(items, [])
  assert.deepEqual(shown((await after(app, next)).body), [`updated event ${id}`])
})

test('filters turn what no longer matches into deleted, and pass over what a reader never had', async (t) => {
  const app = await startTestApp(t)
  const music = await create(app, { title: 'Music', categories: ['music'] })
  const other = await create(app, { title: 'Other', featured: true })
  const query = '?categories=music&kinds=event'
  const page = await read(app, query)
  const featured = await read(app, '?featured=true&kinds=event')
  const language = await read(app, '?language=fr-CA')

  await change(app, `/events/${music}`, { categories: [] })

  assert.deepEqual(shown(page), [`updated event ${music}`])
  assert.deepEqual(shown(featured), [`updated event ${other}`])
  assert.deepEqual(shown(language), [])
  assert.match(page.next, /kinds=event/)
  assert.deepEqual(shown((await after(app, page.next)).body), [`deleted event ${music}`])
})

test('linked events come again after their venue', async (t) => {
  const app = await startTestApp(t)
  const venue = await create(app, { venue: 'Hall' }, '/venues')
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three']) ids.push(await create(app, { title, venue: { id: venue } }))
  const closed = await create(app, { title: 'Closed', venue: { id: venue }, event_password: 'x' })
  const { next } = await read(app, '?linked=true&per_page=2&kinds=event')
  let url = next
  for (let isDone = false; !isDone; ) {
    const { body } = await after(app, url)
    url = body.next
    isDone = !body.has_more
  }
  await change(app, `/venues/${venue}`, { venue: 'Great hall' })

  const seen: string[] = []
  const names: string[] = []
  for (let isDone = false; !isDone; ) {
    const { body } = await after(app, url)
    seen.push(...shown(body))
    names.push(...body.items.map(({ data }: { data: { venue: { venue: string } } }) => data.venue.venue))
    url = body.next
    isDone = !body.has_more
  }

  assert.deepEqual(
    seen,
    ids.map((id) => `updated event ${id}`),
  )
  assert.ok(!seen.some((item) => item.endsWith(` ${closed}`)))
  assert.deepEqual([...new Set(names)], ['Great hall'])
})

test('a page that ends with a venue is followed by its events', async (t) => {
  const app = await startTestApp(t)
  const venue = await create(app, { venue: 'Hall' }, '/venues')
  const ids: number[] = []
  for (const title of ['One', 'Two', 'Three']) ids.push(await create(app, { title, venue: { id: venue } }))
  let { next: url } = await read(app)
  await change(app, `/venues/${venue}`, { venue: 'Great hall' })

  const seen: string[] = []
  url = `${url}&per_page=1&linked=true`
  for (let isDone = false; !isDone; ) {
    const { body } = await after(app, url)
    seen.push(...shown(body))
    url = body.next
    isDone = !body.has_more
  }

  assert.deepEqual(seen, [`updated venue ${venue}`, ...ids.map((id) => `updated event ${id}`)])
})

const weekly = (count: number) => ({ recurrence: { rrule: `FREQ=WEEKLY;COUNT=${count}` } })
const seriesOf = async (app: TestApp, id: number): Promise<number> =>
  (await app.send({ as: 'administrator', path: `/events/${id}?context=edit` })).body.series.id

test('a series comes once when its rule changes, and its dates if a reader asks for linked changes', async (t) => {
  const app = await startTestApp(t)
  const first = await create(app, { title: 'Yoga', ...weekly(2) })
  const closed = await create(app, { title: 'Other' })
  const series = await seriesOf(app, first)
  const begin = await read(app)
  const linked = await read(app, '?linked=true&kinds=event')

  await change(app, `/events/${first}?scope=all`, weekly(3))
  const page = (await after(app, begin.next)).body
  const again = (await after(app, linked.next)).body

  const dates = (await app.send({ path: `//cal/service/v1/series/${series}/dates` })).body.dates
  const [one, two, three] = dates.map(({ event_id: id }: { event_id: number }) => id)
  assert.deepEqual(shown(page), [`updated event ${three}`, `updated series ${series}`])
  const { text } = await app.send({ path: `//cal/service/v1/series/${series}` })
  assert.equal(JSON.stringify(page.items[1].data), text)
  assert.equal(page.items[1].data.rrule, 'FREQ=WEEKLY;COUNT=3')
  assert.deepEqual(
    shown(again),
    [three, one, two, three].map((id) => `updated event ${id}`),
  )
  assert.equal(again.items[1].data.series.rrule, 'FREQ=WEEKLY;COUNT=3')
  assert.ok(!shown(again).includes(`updated event ${closed}`))
  assert.deepEqual(shown(await read(app, '?kinds=series')), [`updated series ${series}`])
})

test('a date comes again when it no longer follows its series in a field', async (t) => {
  const app = await startTestApp(t)
  const first = await create(app, { title: 'Yoga', ...weekly(3) })
  const series = await seriesOf(app, first)
  const { next } = await read(app)
  const dates = (await app.send({ path: `//cal/service/v1/series/${series}/dates` })).body.dates

  await change(app, `/events/${dates[1].event_id}?scope=following`, { title: 'Tai chi' })

  const { items } = (await after(app, next)).body
  const date = items.find(({ id }: { id: number }) => id === first)
  assert.deepEqual(date.data.series.own_fields, ['title'])
})

test('each language of a series has a row, and sends the dates in its language', async (t) => {
  const app = await startTestApp(t, { DEFAULT_LANGUAGE: 'en' })
  const first = await create(app, { title: 'Yoga', ...weekly(2) })
  const series = await seriesOf(app, first)
  const before = await read(app)
  const { body } = await app.send({
    ...{ as: 'editor', method: 'POST', path: `//cal/service/v1/series/${series}/translations?ml_language=fr-CA` },
    json: { title: 'Yoga doux' },
  })
  const page = (await after(app, before.next)).body
  const french = body.translations['fr-CA']
  const linked = await read(app, '?linked=true&kinds=event')
  const frenchOnly = await read(app, '?linked=true&kinds=event&language=fr-CA')

  await change(app, `/events/${first}?scope=all`, { slug: 'gentle-yoga' })

  assert.deepEqual(
    shown(page).filter((item) => item.includes('series')),
    [`updated series ${series}`, `updated series ${french}`],
  )
  const { dates } = (await app.send({ path: `//cal/service/v1/series/${series}/dates` })).body
  assert.deepEqual(
    shown((await after(app, linked.next)).body),
    dates.map(({ event_id }: { event_id: number }) => `updated event ${event_id}`),
  )
  assert.deepEqual(shown((await after(app, frenchOnly.next)).body), [])
})

test('a series that visitors do not see leaves no trace, and one that they no longer see is deleted', async (t) => {
  const app = await startTestApp(t)
  const ids: number[] = []
  for (const one of [{ status: 'draft' }, { event_password: 'x' }, { hide_from_listings: true }]) {
    ids.push(await seriesOf(app, await create(app, { title: 'Secret', ...weekly(2), ...one })))
  }
  const first = await create(app, { title: 'Yoga', ...weekly(2) })
  const series = await seriesOf(app, first)
  const before = await app.send({ path: feed })
  const seriesPath = (id: number) => `//cal/service/v1/series/${id}`

  for (const id of ids) {
    const { status } = await app.send({
      ...{ as: 'editor', method: 'PATCH', path: seriesPath(id), json: { title: 'Secret', description: 'More' } },
    })
    assert.equal(status, 200)
  }
  const hidden = await app.send({ path: feed })
  await change(app, `/events/${first}?scope=all`, { event_password: 'x' })
  const closed = (await after(app, before.body.next)).body
  await change(app, `/events/${first}?scope=all`, { event_password: '' })
  const open = (await after(app, closed.next)).body
  await remove(app, seriesPath(series))
  const gone = (await after(app, open.next)).body

  assert.equal(hidden.text, before.text)
  const last = [closed, open, gone].map((page) => shown(page).filter((item) => item.includes('series')))
  assert.deepEqual(last, [[`deleted series ${series}`], [`updated series ${series}`], [`deleted series ${series}`]])
})

test('a page of series costs the same number of statements, however many they are', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '0' })
  await create(app, { title: 'One', ...weekly(2) })
  app.statements()
  const one = await read(app, '?linked=true')
  const few = app.statements().length
  for (let count = 0; count < 6; count += 1) await create(app, { title: `More ${count}`, ...weekly(2) })
  app.statements()

  const all = await read(app, '?linked=true')

  assert.deepEqual([one.items.length, all.items.length], [3, 21])
  assert.equal(app.statements().length, few)
})

test('a venue says how many events show it, without those that nobody may know of', async (t) => {
  const app = await startTestApp(t)
  const event = await create(app, { title: 'A', venue: { venue: 'Hall' }, organizer: { organizer: 'Club' } })
  const { venue, organizer } = (await app.send({ path: `/events/${event}` })).body
  const links = { venue: venue.id, organizer: organizer[0].id }
  await create(app, { title: 'B', ...links })
  const affects = async () =>
    (await read(app, '?kinds=venue,organizer')).items.map((item: { affects: number }) => item.affects)
  const before = await affects()
  const hidden = [{ status: 'draft' }, { status: 'private' }, { event_password: 'x' }, { hide_from_listings: true }]
  for (const [place, one] of hidden.entries()) await create(app, { title: `C${place}`, ...links, ...one })
  await create(app, { title: 'Later', ...links, date: '2030-01-20 10:00:00' })

  assert.deepEqual(before, [2, 2])
  assert.deepEqual(await affects(), before)
  assert.equal((await read(app, '?kinds=event')).items[0].affects, undefined)
})

test('a page of whole items ends before it takes long, and the next one goes on', async (t) => {
  const app = await startTestApp(t, { RATE_LIMIT: '0' })
  // A batch ends after five seconds, so each one is short on a busy machine too.
  for (let from = 0; from < 260; from += 26) {
    const operations = Array.from({ length: 26 }, (_, place) => ({
      ...{ method: 'POST', path: '/tags', body: { name: `Tag ${from + place}` } },
    }))
    const sent = { as: 'editor', method: 'POST', path: '//cal/service/v1/batch', json: { operations } } as const
    assert.equal((await app.send(sent)).body.succeeded, 26)
  }

  const first = await read(app, '?per_page=500')
  const second = (await after(app, first.next)).body
  const ids = await read(app, '?per_page=500&data=ids')

  assert.deepEqual([first.items.length, first.has_more], [200, true])
  assert.deepEqual([second.items.length, second.has_more], [60, false])
  assert.deepEqual([ids.items.length, ids.has_more], [260, false])
  assert.deepEqual([...shown(first), ...shown(second)], shown(ids))
})

test('a page costs a bounded number of rows, also if its filters match nothing', async (t) => {
  const app = await startTestApp(t)
  for (let count = 0; count < 3; count += 1) await create(app, { title: `Event ${count}` })
  app.statements()
  await read(app, '?per_page=2')
  const few = app.statements().length
  for (let count = 0; count < 5; count += 1) await create(app, { title: `More ${count}` })
  app.statements()

  await read(app, '?per_page=8')

  assert.equal(app.statements().length, few)
  assert.ok(app.statements().every((text) => !text.includes('offset')))
})

test('a cursor of another database, of a later state or of a pruned part is refused', async (t) => {
  const app = await startTestApp(t, { CHANGES_RETENTION_DAYS: '7' })
  const id = await create(app, { title: 'Jazz' })
  const { next } = await read(app)
  const cursor = new URL(next).searchParams.get('after') ?? ''
  await remove(app, `/events/${id}`)
  app.pass(8 * 86_400)
  assert.equal(await hasOldTombstones(app.deps), true)
  await pruneTombstones(app.deps)

  const old = await app.send({ path: `${feed}?after=${cursor}` })
  const foreign = await app.send({ path: `${feed}?after=000000000000.1` })
  const late = await app.send({ path: `${feed}?after=${cursor.split('.')[0]}.99999` })
  const wrong = await app.send({ path: `${feed}?after=yesterday` })

  assert.deepEqual(
    [old, foreign, late].map(({ status, body }) => [status, body.code, body.data.reason]),
    [
      [410, 'sync-expired', 'floor'],
      [410, 'sync-expired', 'epoch'],
      [410, 'sync-expired', 'epoch'],
    ],
  )
  assert.deepEqual([wrong.status, wrong.body.code], [400, 'rest_invalid_param'])
  assert.equal(await hasOldTombstones(app.deps), false)
  assert.deepEqual(shown(await read(app)), [], 'Reading everything is always possible.')
})

test('a full read that began after pruning goes on below the floor', async (t) => {
  const app = await startTestApp(t, { CHANGES_RETENTION_DAYS: '7' })
  const kept = [await create(app, { title: 'A' }), await create(app, { title: 'B' })]
  const id = await create(app, { title: 'C' })
  await remove(app, `/events/${id}`)
  app.pass(8 * 86_400)
  await pruneTombstones(app.deps)

  const first = await read(app, '?per_page=1')
  const second = (await after(app, first.next)).body

  assert.deepEqual(
    [...shown(first), ...shown(second)],
    kept.map((event) => `updated event ${event}`),
  )
})

test('lists say where to continue, and the feed goes on from there', async (t) => {
  const app = await startTestApp(t)
  await create(app, { title: 'Before', categories: ['music'] })
  for (const path of ['/events', '/venues', '/organizers', '/categories', '/tags']) {
    const { headers } = await app.send({ path })
    const cursor = headers['x-changes-cursor']
    const id = await create(app, { title: 'After' })

    assert.deepEqual(shown(await read(app, `?after=${cursor}&kinds=event`)), [`updated event ${id}`])
  }
})

test('a request that waits is answered when something changes', async (t) => {
  const app = await startTestApp(t)
  const { next } = await read(app)
  let isAnswered = false
  const asked = after(app, `${next}&wait=30`).then((answer) => {
    isAnswered = true
    return answer
  })
  await create(app, { title: 'Hidden', status: 'draft' })
  assert.equal(isAnswered, false)

  const id = await create(app, { title: 'Jazz' })

  assert.deepEqual(shown((await asked).body), [`updated event ${id}`])
})

test('requests that wait are not in progress, and are answered when the service stops', async (t) => {
  const app = await startTestApp(t, { MAX_IN_FLIGHT: '1' })
  const { next } = await read(app)
  const asked = after(app, `${next}&wait=30`)

  // The first request is in progress until it waits.
  let status = 503
  for (let tries = 0; status === 503 && tries < 1000; tries += 1) status = (await app.send({ path: '/events' })).status
  assert.equal(status, 200)
  void app.server.close()

  assert.deepEqual((await asked).body.items, [])
})

test('a client has no more than 16 requests that wait, and another client still waits', async (t) => {
  const app = await startTestApp(t, { TRUST_PROXY: 'true' })
  const { next } = await read(app)
  let answered = 0
  const wait = async (address: string) => {
    const path = `//cal/service/v1/changes${new URL(next).search}&wait=30`
    const { body } = await app.send({ path, headers: { 'x-forwarded-for': address } })
    answered += 1
    return shown(body)
  }
  const ofOne = Array.from({ length: 33 }, () => wait('198.51.100.1'))
  const ofOther = wait('198.51.100.2')
  while (answered < 17) await turn()

  const change = `updated event ${await create(app, { title: 'Jazz' })}`

  const all = await Promise.all(ofOne)
  assert.equal(all.filter(([found]) => found === undefined).length, 17)
  assert.equal(all.filter(([found]) => found === change).length, 16)
  assert.deepEqual(await ofOther, [change])
})

test('a client that has the response gets 304', async (t) => {
  const app = await startTestApp(t)
  const { headers } = await app.send({ path: feed })

  const same = await app.send({ path: feed, headers: { 'if-none-match': headers.etag ?? '' } })

  assert.deepEqual([same.status, same.text], [304, ''])
})

test('lists filter by the time of the last change, exactly', async (t) => {
  const app = await startTestApp(t)
  const old = await create(app, { title: 'Old', venue: { venue: 'Old hall' } })
  app.pass(3600)
  const young = await create(app, { title: 'Young', venue: { venue: 'Young hall' } })
  const idsOf = async (query: string) =>
    (await app.send({ path: `/events?${query}` })).body.events.map(({ id }: { id: number }) => id)

  assert.deepEqual(await idsOf('modified_after=2030-01-15 12:00:00'), [young])
  assert.deepEqual(await idsOf('modified_after=2030-01-15 11:59:59'), [old, young])
  assert.deepEqual(await idsOf('modified_after=2030-01-15T14:00:00%2B02:00'), [young])
  assert.deepEqual(await idsOf('modified_before=2030-01-15 12:00:01'), [old])
  assert.deepEqual(await idsOf(`modified_before=2030-01-15 12:00:01&include=${old},${young}`), [old])
  const { body } = await app.send({ path: '/venues?modified_after=2030-01-15 12:00:00' })
  assert.deepEqual(
    body.venues.map(({ venue }: { venue: string }) => venue),
    ['Young hall'],
  )
  assert.match(body.rest_url, /modified_after=2030-01-15/)
})

test('the form of OpenActive follows the rules of RPDE 1.0', async (t) => {
  const app = await startTestApp(t, { DATA_LICENSE: 'https://creativecommons.org/licenses/by/4.0/' })
  const first = await create(app, { title: 'First' })
  const second = await create(app, { title: 'Second' })
  await create(app, { title: 'Closed', event_password: 'x' })
  const path = '//cal/service/v1/rpde/events'
  const page = (await app.send({ path })).body
  await remove(app, `/events/${first}`)
  const more = (await after(app, page.next)).body
  const last = (await after(app, more.next)).body

  assert.deepEqual(
    page.items.map((item: { id: number; kind: string; state: string }) => [item.id, item.kind, item.state]),
    [
      [first, 'Event', 'updated'],
      [second, 'Event', 'updated'],
    ],
  )
  assert.equal(page.items[0].data['@type'], 'Event')
  assert.equal(page.license, 'https://creativecommons.org/licenses/by/4.0/')
  assert.deepEqual(more.items, [{ state: 'deleted', kind: 'Event', id: first, modified: more.items[0].modified }])
  assert.deepEqual(last, { items: [], next: more.next, license: page.license }, 'The last page names itself.')
  const bare = (await app.send({ path: `${path}?afterChangeNumber=${page.items[1].modified}` })).body
  assert.deepEqual(bare.items.at(-1), more.items[0])
  const far = (await app.send({ path: `${path}?afterChangeNumber=${Number.MAX_SAFE_INTEGER}` })).body
  assert.deepEqual(far.items, [])
  assert.match(far.next, /\?afterChangeNumber=9007199254740991$/)
})
