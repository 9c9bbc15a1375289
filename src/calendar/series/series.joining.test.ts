import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  assertSound,
  createEventOf,
  createSeriesOf,
  friday,
  listDates,
  read,
  seriesPathOf,
  write,
} from '../../../test/support/series.calls.ts'

async function translate(app: TestApp, id: number, json: object) {
  const sent = { ml_language: 'fr-CA', ml_translation_of: id, status: 'publish', ...json }
  const { status, body } = await write(app, ['POST', '/events'], { json: sent })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('an event joins a series with its translations', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' })
  const path = seriesPathOf(first)
  const extra = await createEventOf(app, '2030-06-01 18:30:00', { title: 'Extra' })
  const french = await translate(app, extra, { title: 'Extra en français' })
  const joined = await write(app, ['POST', `${path}/from-events`], { json: { event_ids: [extra] } })
  assert.deepEqual([joined.status, joined.counts], [200, 'added=1, dropped=0, changed=0'], JSON.stringify(joined.body))
  const { series } = await read(app, `/events/${french.id}`)
  assert.deepEqual(
    [series.recurrence_id, series.own_fields],
    ['2030-06-01 18:30:00', ['description', 'excerpt', 'title']],
  )
  await assertSound(app)

  const json = { start_date: '2030-05-03 20:00:00', end_date: '2030-05-03 21:00:00' }
  const moved = await write(app, ['PATCH', path], { json })
  assert.equal(moved.counts, 'added=0, dropped=0, changed=4', JSON.stringify(moved.body))
  for (const id of [extra, french.id]) {
    assert.equal((await read(app, `/events/${id}`)).start_date, '2030-06-01 20:00:00')
  }
  const translated = await write(app, ['POST', `${path}/translations?ml_language=fr-CA`], {
    json: { title: 'Yoga doux', status: 'publish' },
  })
  assert.equal(translated.counts, 'added=3, dropped=0, changed=0', JSON.stringify(translated.body))
  const titles = (await listDates(app, first, '&ml_language=fr-CA')).map(({ title }) => title)
  assert.deepEqual(titles, ['Yoga doux', 'Yoga doux', 'Yoga doux', 'Extra en français'])
  await assertSound(app)
})

test('an event joins a translated series, whose template in each language its versions follow', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' })
  const path = seriesPathOf(first)
  const texts = { title: 'Yoga doux', status: 'publish' }
  await write(app, ['POST', `${path}/translations?ml_language=fr-CA`], { json: texts })
  const extra = await createEventOf(app, '2030-06-01 18:30:00', { title: 'Extra' })
  const french = await translate(app, extra, { title: 'Yoga doux' })
  const joined = await write(app, ['POST', `${path}/from-events`], { json: { event_ids: [extra] } })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  const { series, url } = await read(app, `/events/${french.id}`)
  assert.deepEqual([series.own_fields, url], [[], 'http://calendar.test/fr/event/yoga-doux/2030-06-01/'])
  await assertSound(app)
})

test('an event whose translation somebody else owns cannot join', async (t) => {
  const app = await startTestApp(t)
  const created = await write(app, ['POST', '/events'], {
    json: { ...friday, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } },
    as: 'contributor',
  })
  const path = seriesPathOf(created.body)
  const json = { ...friday, start_date: '2030-06-01 18:30:00', end_date: '2030-06-01 19:30:00' }
  const extra = await write(app, ['POST', '/events'], { json, as: 'contributor' })
  await translate(app, extra.body.id, { title: 'Extra en français' })
  const joined = await write(app, ['POST', `${path}/from-events`], {
    json: { event_ids: [extra.body.id] },
    as: 'contributor',
  })
  assert.deepEqual([joined.status, joined.body.code], [400, 'rest_invalid_param'], JSON.stringify(joined.body))
})

test('a series with a French version of a date that is not one of its own is translated around it', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' })
  const french = await createEventOf(app, String(friday.start_date), { title: 'Yoga doux', ml_language: 'fr-CA' })
  const grouped = await write(app, ['PATCH', `/events/${french}`], { json: { ml_translation_of: first.id } })
  assert.equal(grouped.status, 200, JSON.stringify(grouped.body))
  const translated = await write(app, ['POST', `${seriesPathOf(first)}/translations?ml_language=fr-CA`], {
    json: { title: 'Yoga doux', status: 'publish' },
  })
  assert.equal(translated.counts, 'added=2, dropped=0, changed=0', JSON.stringify(translated.body))
  await assertSound(app)
})

test('earlier events join in any order, and the series can be changed afterwards', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=5' })
  const path = seriesPathOf(first)
  const ids: number[] = []
  for (let day = 28; day > 3; day -= 1) {
    ids.push(await createEventOf(app, `2030-03-${String(day).padStart(2, '0')} 18:30:00`))
  }
  const [newest, ...older] = ids
  const one = await write(app, ['POST', `${path}/from-events`], { json: { event_ids: [newest] } })
  assert.equal(one.status, 200, JSON.stringify(one.body))
  await assertSound(app)
  const joined = await write(app, ['POST', `${path}/from-events`], { json: { event_ids: older } })
  assert.deepEqual([joined.status, (joined.body.segments as []).length], [200, 2], JSON.stringify(joined.body))
  await assertSound(app)

  // The first of them goes to the trash and comes back.
  const earliest = older.at(-1)
  await write(app, ['DELETE', `/events/${earliest}`])
  const before = await write(app, ['POST', `${path}/dates`], { json: { start_date: '2030-02-01 10:00' } })
  assert.equal(before.status, 200, JSON.stringify(before.body))
  await assertSound(app)
  await write(app, ['PATCH', `/events/${earliest}`], { json: { status: 'publish' } })
  await assertSound(app)
  const json = { start_date: '2030-05-03 19:00:00', end_date: '2030-05-03 20:00:00' }
  const moved = await write(app, ['PATCH', path], { json })
  assert.equal(moved.counts, 'added=0, dropped=0, changed=31', JSON.stringify(moved.body))
  await assertSound(app)
})

test('what has happened to one event does not happen to the dates of the series that it becomes', async (t) => {
  const app = await startTestApp(t)
  const id = await createEventOf(app, '2030-05-03 18:30:00')
  const json = { start_date: '2030-05-10 18:30:00', end_date: '2030-05-10 19:30:00', event_status: 'rescheduled' }
  const moved = await write(app, ['PATCH', `/events/${id}`], { json })
  assert.equal(moved.body.event_status, 'rescheduled', JSON.stringify(moved.body))
  const made = await write(app, ['PATCH', `/events/${id}`], { json: { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } } })
  assert.equal(made.counts, 'added=2, dropped=0, changed=1', JSON.stringify(made.body))
  assert.deepEqual(made.body.series.own_fields, ['event_status'])
  const states = (await listDates(app, made.body)).map(({ event_status = 'scheduled' }) => event_status)
  assert.deepEqual(states, ['rescheduled', 'scheduled', 'scheduled'])
  await assertSound(app)

  const online = await createEventOf(app, '2030-05-03 18:30:00', { title: 'Online', is_virtual: true })
  const repeated = await write(app, ['PATCH', `/events/${online}`], {
    json: { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } },
  })
  assert.deepEqual(repeated.body.series.own_fields, [])
  const dates = await listDates(app, repeated.body)
  assert.deepEqual(
    dates.map((date) => date.is_virtual),
    [true, true],
  )
  await assertSound(app)
})
