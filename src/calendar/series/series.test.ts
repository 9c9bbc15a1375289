import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }

type Json = Record<string, unknown> & { readonly id: number; readonly series: Record<string, unknown> }

async function write(app: TestApp, method: string, path: string, json?: object) {
  const { status, body, headers } = await app.send({ as: 'administrator', method, path, ...(json ? { json } : {}) })
  return { status, body: body as Json, counts: headers['x-series-changed'] }
}

async function read(app: TestApp, path: string) {
  const { status, body } = await app.send({ method: 'GET', path })
  return { status, body: body as Json }
}

async function listDates(app: TestApp, query = '') {
  const { body } = await app.send({
    method: 'GET',
    path: `/events?start_date=2020-01-01&end_date=2040-01-01&per_page=50${query}`,
  })
  return (body as { events: Json[] }).events
}

const starts = (events: readonly Json[]) => events.map(({ start_date }) => start_date)

test('a rule creates an event for each date, and the first one is the answer', async (t) => {
  const app = await startTestApp(t)
  const created = await write(app, 'POST', '/events', {
    ...friday,
    tags: ['calm'],
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', except: ['2030-05-17'] },
  })

  assert.equal(created.status, 201, JSON.stringify(created.body))
  assert.equal(created.counts, 'added=3, dropped=0, changed=0')
  assert.equal(created.body.recurring, true)
  const { rest_url, ...series } = created.body.series
  assert.match(String(rest_url), /\/cal\/service\/v1\/series\/\d+$/)
  assert.deepEqual(series, {
    id: Number(String(rest_url).split('/').at(-1)),
    recurrence_id: '2030-05-03 18:30:00',
    url: 'http://calendar.test/event/yoga/',
    all_url: 'http://calendar.test/event/yoga/all/',
    is_modified: false,
    own_fields: [],
    rrule: 'FREQ=WEEKLY;COUNT=4',
    text: 'every Friday, 4 times, except 1 date',
    dates_until: null,
  })
  const events = await listDates(app)
  assert.deepEqual(starts(events), ['2030-05-03 18:30:00', '2030-05-10 18:30:00', '2030-05-24 18:30:00'])
  assert.deepEqual(
    events.map(({ slug, url }) => [slug, url]),
    ['2030-05-03', '2030-05-10', '2030-05-24'].map((day) => [`yoga-${day}`, `http://calendar.test/event/yoga/${day}/`]),
  )
  const { body: tags } = await read(app, '/tags')
  assert.deepEqual(
    (tags.tags as Json[]).map(({ count }) => count),
    [3],
  )
})

test('a date keeps what is changed on it, and follows its series in the rest', async (t) => {
  const app = await startTestApp(t)
  const { body: first } = await write(app, 'POST', '/events', {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
  const [, second] = await listDates(app)
  const own = await write(app, 'PATCH', `/events/${second?.id}`, { title: 'Yoga outside' })
  assert.deepEqual(own.body.series.own_fields, ['title'])
  assert.equal(own.body.series.is_modified, true)

  const all = await write(app, 'PATCH', `/events/${first.id}?scope=all`, { title: 'Pilates', description: 'New' })
  assert.equal(all.status, 200, JSON.stringify(all.body))
  assert.equal(all.counts, 'added=0, dropped=0, changed=3')
  const events = await listDates(app)
  assert.deepEqual(
    events.map(({ title }) => title),
    ['Pilates', 'Yoga outside', 'Pilates'],
  )
  assert.deepEqual(
    events.map(({ description }) => description),
    ['<p>New</p>', '<p>New</p>', '<p>New</p>'],
  )
  const { body: found } = await app.send({ method: 'GET', path: '/events?search=pilates' })
  assert.equal((found as { total: number }).total, 2)
})

test('another time of day keeps all ids, and another day of the week gives other dates', async (t) => {
  const app = await startTestApp(t)
  const { body: first } = await write(app, 'POST', '/events', {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' },
  })
  const before = await listDates(app)
  const moved = await write(app, 'PATCH', `/events/${first.id}?scope=all`, {
    start_date: '2030-05-03 19:00:00',
    end_date: '2030-05-03 20:30:00',
  })
  assert.equal(moved.counts, 'added=0, dropped=0, changed=3', JSON.stringify(moved.body))
  const after = await listDates(app)
  assert.deepEqual(
    after.map(({ id, slug }) => [id, slug]),
    before.map(({ id, slug }) => [id, slug]),
  )
  assert.deepEqual(starts(after), ['2030-05-03 19:00:00', '2030-05-10 19:00:00', '2030-05-17 19:00:00'])

  const [, second] = after
  const cut = await write(app, 'PATCH', `/events/${second?.id}?scope=following`, {
    recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3' },
  })
  assert.equal(cut.counts, 'added=3, dropped=2, changed=0', JSON.stringify(cut.body))
  assert.deepEqual(starts(await listDates(app)), [
    '2030-05-03 19:00:00',
    '2030-05-14 19:00:00',
    '2030-05-21 19:00:00',
    '2030-05-28 19:00:00',
  ])

  const back = await write(app, 'PATCH', `/events/${first.id}?scope=all`, {
    recurrence: { rrule: 'FREQ=WEEKLY;BYDAY=FR;COUNT=3' },
  })
  assert.equal(back.counts, 'added=2, dropped=3, changed=0', JSON.stringify(back.body))
  assert.deepEqual(
    (await listDates(app)).map(({ id }) => id),
    before.map(({ id }) => id),
  )
})

test('a date, it and the following ones, or the whole series go to the trash', async (t) => {
  const app = await startTestApp(t)
  const { body: first } = await write(app, 'POST', '/events', {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
  })
  const [, second, third, fourth] = await listDates(app)
  await write(app, 'DELETE', `/events/${second?.id}`)
  assert.equal((await listDates(app)).length, 4)
  await write(app, 'PATCH', `/events/${second?.id}`, { status: 'publish' })
  assert.equal((await listDates(app)).length, 5)
  const following = await write(app, 'DELETE', `/events/${fourth?.id}?scope=following`)
  assert.equal(following.counts, 'added=0, dropped=2, changed=0', JSON.stringify(following.body))
  assert.equal((await listDates(app)).length, 3)
  const all = await write(app, 'DELETE', `/events/${third?.id}?scope=all`)
  assert.equal(all.counts, 'added=0, dropped=3, changed=0', JSON.stringify(all.body))
  assert.equal((await listDates(app)).length, 0)
  const single = await write(app, 'PATCH', `/events/${first.id}`, { status: 'publish' })
  assert.equal(single.body.code, 'series-is-in-trash')
})

test('an event that becomes a series keeps its id and gives its slug to the series', async (t) => {
  const app = await startTestApp(t)
  const { body: event } = await write(app, 'POST', '/events', friday)
  const made = await write(app, 'PATCH', `/events/${event.id}`, { recurrence: 'RRULE:FREQ=WEEKLY;COUNT=3' })
  assert.equal(made.status, 200, JSON.stringify(made.body))
  assert.equal(made.body.id, event.id)
  assert.equal(made.body.slug, 'yoga-2030-05-03')
  assert.equal(made.body.url, 'http://calendar.test/event/yoga/2030-05-03/')
  assert.equal(made.counts, 'added=2, dropped=0, changed=1')
  assert.equal((await listDates(app)).length, 3)
})
