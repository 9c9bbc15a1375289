import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'
import { givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { extendBatch, hasShortSeries } from './series.extend.service.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }

type Json = Record<string, unknown> & {
  readonly id: number
  readonly series: Record<string, unknown>
  readonly data?: Record<string, unknown>
}

async function write(app: TestApp, method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) {
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

test('dates follow the place, organizers, categories and tags of their series, except those of their own', async (t) => {
  const app = await startTestApp(t)
  const [hall, park, school] = [await givenVenue(app), await givenVenue(app), await givenVenue(app)]
  const choir = await givenOrganizer(app)
  const [music, outdoors] = [
    await givenTerm(app, 'categories', { name: 'Music' }),
    await givenTerm(app, 'categories', { name: 'Outdoors' }),
  ]
  const { body } = await write(app, 'POST', '/events', {
    ...{
      ...friday,
      venue: hall.id,
      categories: [music.id],
      tags: ['calm'],
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
    },
  })
  const [, second] = await listDates(app)
  await write(app, 'PATCH', `/events/${second?.id}`, { venue: school.id, tags: ['loud'], scope: 'this' })
  const links = async () =>
    (await listDates(app)).map(({ venue, organizer, categories, tags }) => [
      ...[venue, organizer, categories].map((linked) => [linked].flat().map((one) => (one as Json).id)),
      (tags as readonly { readonly slug: string }[]).map(({ slug }) => slug),
    ])
  const before = await links()

  const changed = await write(app, 'PATCH', `/events/${body.id}`, {
    ...{ venue: park.id, organizer: choir.id, categories: [outdoors.id], tags: ['open-air'], scope: 'all' },
  })

  assert.deepEqual(before, [
    [[hall.id], [], [music.id], ['calm']],
    [[school.id], [], [music.id], ['loud']],
    [[hall.id], [], [music.id], ['calm']],
  ])
  assert.equal(changed.status, 200, JSON.stringify(changed.body))
  const follows = [[park.id], [choir.id], [outdoors.id], ['open-air']]
  assert.deepEqual(await links(), [follows, [[school.id], [choir.id], [outdoors.id], ['loud']], follows])
  assert.deepEqual(await violationsIn(app), [])
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

const service = '//cal/service/v1'

test('a series is read, changed, previewed, extended by a date and restored', async (t) => {
  const app = await startTestApp(t)
  const created = await write(app, 'POST', `${service}/series`, {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const path = `${service}/series/${created.body.id}`
  const { body: shown } = await read(app, path)
  assert.equal(shown.rrule, 'FREQ=WEEKLY;COUNT=3')
  assert.equal(shown.text, 'every Friday, 3 times')

  const dry = await write(app, 'PATCH', `${path}?dry_run=true`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } })
  assert.equal(dry.status, 200, JSON.stringify(dry.body))
  const last = (await listDates(app)).at(-1)
  assert.deepEqual(dry.body.changes, {
    ...{ added: 0, dropped: 1, changed: 0, added_dates: [] },
    dropped_dates: [{ event_id: last?.id, recurrence_id: '2030-05-17 18:30:00' }],
  })
  assert.equal((await listDates(app)).length, 3)

  const more = await write(app, 'POST', `${path}/dates`, { start_date: '2030-05-08 12:00' })
  assert.equal(more.status, 200, JSON.stringify(more.body))
  assert.deepEqual(starts(await listDates(app)), [
    '2030-05-03 18:30:00',
    '2030-05-08 12:00:00',
    '2030-05-10 18:30:00',
    '2030-05-17 18:30:00',
  ])
  const dates = await app.send({ method: 'GET', path: `${path}/dates?per_page=3` })
  assert.equal(dates.body.dates.length, 3)
  const rest = await app.send({ method: 'GET', path: `${path}/dates?per_page=3&cursor=${dates.body.next_cursor}` })
  assert.deepEqual(
    rest.body.dates.map(({ start_date }: Json) => start_date),
    ['2030-05-17 18:30:00'],
  )

  const gone = await write(app, 'DELETE', path)
  assert.equal(gone.counts, 'added=0, dropped=4, changed=0', JSON.stringify(gone.body))
  assert.equal((await read(app, path)).body.code, 'series-is-in-trash')
  const back = await write(app, 'POST', `${path}/restore`)
  assert.equal(back.counts, 'added=4, dropped=0, changed=0', JSON.stringify(back.body))
  assert.equal((await listDates(app)).length, 4)

  const preview = await write(app, 'POST', `${service}/series/preview`, {
    start_date: '2030-03-09 02:30:00',
    timezone: 'America/Toronto',
    recurrence: { rrule: 'FREQ=DAILY;COUNT=3' },
  })
  assert.deepEqual(preview.body.warnings, [{ start_date: '2030-03-10 02:30:00', code: 'moved-by-clock-change' }])
})

test('a series is changed from one of its dates on, and goes to the trash by its status', async (t) => {
  const app = await startTestApp(t)
  const made = await write(app, 'POST', `${service}/series`, {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
  })
  const path = `${service}/series/${made.body.id}`
  const dates = await listDates(app)

  const later = await write(app, 'PATCH', path, { from: dates[2]?.id, cost: '5' })
  const costs = (await listDates(app)).map(({ cost }) => cost)
  const shorter = await write(app, 'PATCH', `/events/${dates[3]?.id}`, { status: 'trash', scope: 'following' })
  const none = await write(app, 'PATCH', path, { status: 'trash' })

  assert.equal(later.counts, 'added=0, dropped=0, changed=2', JSON.stringify(later.body))
  assert.deepEqual(costs, ['', '', '$5', '$5'])
  assert.equal(shorter.counts, 'added=0, dropped=1, changed=0', JSON.stringify(shorter.body))
  assert.equal(none.counts, 'added=0, dropped=3, changed=0', JSON.stringify(none.body))
  assert.deepEqual(await listDates(app), [])
})

test('a series in two languages shares its rules and not its texts', async (t) => {
  const app = await startTestApp(t)
  const created = await write(app, 'POST', `${service}/series`, {
    ...friday,
    cost: '5',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' },
  })
  const path = `${service}/series/${created.body.id}`
  const [, second] = await listDates(app)
  await write(app, 'PATCH', `/events/${second?.id}`, { featured: true })
  const french = await write(app, 'POST', `${path}/translations?ml_language=fr-CA`, {
    title: 'Yoga doux',
    status: 'publish',
  })
  assert.equal(french.status, 201, JSON.stringify(french.body))
  assert.equal(french.counts, 'added=3, dropped=0, changed=0')
  const inFrench = async () => listDates(app, '&ml_language=fr-CA')
  assert.deepEqual(
    (await inFrench()).map(({ title, featured, url }) => [title, featured, url]),
    [
      ['Yoga doux', false, 'http://calendar.test/fr/event/yoga-doux/2030-05-03/'],
      ['Yoga doux', true, 'http://calendar.test/fr/event/yoga-doux/2030-05-10/'],
      ['Yoga doux', false, 'http://calendar.test/fr/event/yoga-doux/2030-05-17/'],
    ],
  )
  await write(app, 'PATCH', path, {
    start_date: '2030-05-03 19:00:00',
    end_date: '2030-05-03 20:00:00',
    title: 'Pilates',
  })
  const after = await inFrench()
  assert.deepEqual(
    after.map(({ title }) => title),
    ['Yoga doux', 'Yoga doux', 'Yoga doux'],
  )
  assert.deepEqual(starts(after), ['2030-05-03 19:00:00', '2030-05-10 19:00:00', '2030-05-17 19:00:00'])
  const longer = await write(app, 'PATCH', path, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
  assert.equal(longer.counts, 'added=1, dropped=0, changed=0', JSON.stringify(longer.body))
  assert.equal((await inFrench()).length, 4)
})

test('existing events join a series, and a date follows it again', async (t) => {
  const app = await startTestApp(t)
  const { body: first } = await write(app, 'POST', '/events', {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
  })
  const { body: other } = await write(app, 'POST', '/events', {
    ...friday,
    title: 'Guest',
    start_date: '2030-06-01 10:00:00',
    end_date: '2030-06-01 11:00:00',
  })
  const path = `${service}/series/${first.series.id}`
  const joined = await write(app, 'POST', `${path}/from-events`, { event_ids: [other.id] })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  const { body: date } = await read(app, `/events/${other.id}`)
  assert.deepEqual(date.series.own_fields, ['title'])
  const followed = await write(app, 'POST', `${service}/events/${other.id}/follow`, { fields: ['title'] })
  assert.equal(followed.status, 200, JSON.stringify(followed.body))
  const { body: same } = await read(app, `/events/${other.id}`)
  assert.equal(same.title, 'Yoga')
  assert.deepEqual(same.series.own_fields, [])
  const { body: bySlug } = await read(app, '/events/by-slug/yoga')
  assert.equal(bySlug.id, first.id)
})

test('a series without an end gets the dates that come into sight', async (t) => {
  const app = await startTestApp(t)
  const { body: first, counts } = await write(app, 'POST', '/events', {
    ...friday,
    recurrence: { rrule: 'FREQ=WEEKLY' },
  })
  assert.equal(counts, 'added=94, dropped=0, changed=0')
  assert.equal(first.series.dates_until, '2032-02-15')
  app.pass(30 * 86_400)
  assert.equal(await hasShortSeries(app.deps), true)
  while (await extendBatch(app.deps));
  assert.equal(await hasShortSeries(app.deps), false)
  const { body: later } = await read(app, `/events/${first.id}`)
  assert.equal(later.series.dates_until, '2032-03-14')
})

test('faults of series name their parameter and say what to do', async (t) => {
  const app = await startTestApp(t)
  const post = (recurrence: unknown) => write(app, 'POST', '/events', { ...friday, recurrence })
  const rule = await post({ rrule: 'FREQ=HOURLY' })
  assert.deepEqual([rule.status, rule.body.code], [400, 'rest_invalid_param'])
  const many = await post({ rrule: 'FREQ=DAILY;COUNT=900' })
  assert.deepEqual(
    [many.status, many.body.code, many.body.data?.number, many.body.data?.limit],
    [400, 'series-too-many-dates', 900, 800],
  )
  const { body: single } = await write(app, 'POST', '/events', friday)
  const scope = await write(app, 'PATCH', `/events/${single.id}?scope=all`, { title: 'X' })
  assert.deepEqual([scope.status, scope.body.code], [400, 'series-scope'])
  const unknown = await write(app, 'PATCH', `${service}/series/${single.id}`, { title: 'X' })
  assert.deepEqual([unknown.status, unknown.body.code], [404, 'series-not-found'])
  const { body: first } = await post({ rrule: 'FREQ=WEEKLY;COUNT=3' })
  const dates = await listDates(app, `&search=yoga`)
  await write(app, 'PATCH', `/events/${dates.at(-1)?.id}`, { title: 'Own' })
  const used = await write(app, 'PATCH', `/events/${first.id}?scope=all`, {
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
  })
  assert.deepEqual(
    [used.status, used.body.code, used.body.data?.event_ids],
    [409, 'series-dates-in-use', [dates.at(-1)?.id]],
  )
  const template = await read(app, `/events/${first.series.id}`)
  assert.deepEqual([template.status, template.body.code], [400, 'rest-invalid-event-id'])
})

test('four passes at once add each date once, and the database is sound afterwards', async (t) => {
  const app = await startTestApp(t)
  for (const title of ['One', 'Two', 'Three']) {
    await write(app, 'POST', '/events', { ...friday, title, recurrence: { rrule: 'FREQ=DAILY' } })
  }
  app.pass(300 * 86_400)
  const pass = async () => {
    while (await extendBatch(app.deps));
  }
  await Promise.all([pass(), pass(), pass(), pass()])
  assert.deepEqual(await violationsIn(app), [])
  const { rows } = await sql<{ number: number }>`select count(*) as number from occurrences`.execute(
    app.deps.storage.db,
  )
  // From 3 May 2030 until 25 months after 11 November 2030.
  assert.equal(Number(rows[0]?.number), 3 * 953)
})
