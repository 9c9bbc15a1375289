import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  assertSound,
  createEventOf,
  createSeriesOf,
  friday,
  listDates,
  read,
  seriesPathOf,
  startsOf,
  write,
} from '../../../test/support/series.calls.ts'
import { extendBatch, hasShortSeries } from './series.extend.service.ts'

const daySeconds = 86_400

/** Runs the job until it has nothing to do. */
async function extendAll(app: TestApp): Promise<void> {
  let batches = 0
  while (await extendBatch(app.deps)) {
    batches += 1
    assert.ok(batches < 100, 'The job never ends.')
  }
}

async function countDates(app: TestApp, seriesId: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select count(*) as number from occurrences where series_id = ${seriesId} and is_dropped = 0`.execute(
    app.deps.storage.db,
  )
  return Number(rows[0]?.number)
}

test('a further date beyond the horizon does not stop the extension', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' })
  const other = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' }, { title: 'Other' })
  // The rule gives one of these later, and never the others.
  const starts = ['2032-02-20 18:30:00', '2032-02-20 20:00:00', '2039-06-01 10:00:00']
  const ids: number[] = []
  for (const start of starts) ids.push(await createEventOf(app, start))
  const joined = await write(app, ['POST', `${seriesPathOf(first)}/from-events`], { json: { event_ids: ids } })
  assert.equal(joined.status, 200, JSON.stringify(joined.body))
  await assertSound(app)
  app.pass(30 * daySeconds)
  await extendAll(app)
  assert.equal(await hasShortSeries(app.deps), false)
  assert.equal((await read(app, `/events/${other.id}`)).series.dates_until, '2032-03-14')
  // 94 dates at first and 4 more, one of which has joined, and two further dates.
  assert.deepEqual([await countDates(app, other.series.id), await countDates(app, first.series.id)], [98, 100])
  await assertSound(app)

  // A change of the times keeps the dates beyond the horizon.
  const json = { start_date: '2030-05-03 19:00:00', end_date: '2030-05-03 20:00:00' }
  const moved = await write(app, ['PATCH', seriesPathOf(first)], { json })
  assert.deepEqual([moved.status, moved.counts], [200, 'added=0, dropped=0, changed=100'], JSON.stringify(moved.body))
  assert.equal((await read(app, `/events/${ids[2]}`)).start_date, '2039-06-01 10:30:00')
  await assertSound(app)
})

test('the extension takes back the dates that a rule has lost before', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;UNTIL=20320401' }, { tags: ['calm'] })
  const path = seriesPathOf(first)
  const all = await listDates(app, first, '&page=2')
  const last = all.at(-1)
  assert.equal(last?.start_date, '2032-03-26 18:30:00')
  const shorter = await write(app, ['PATCH', path], { json: { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } } })
  assert.equal(shorter.counts, 'added=0, dropped=96, changed=0', JSON.stringify(shorter.body))
  const json = { recurrence: { rrule: 'FREQ=WEEKLY' }, start_date: '2030-05-03 19:00', end_date: '2030-05-03 20:00' }
  const endless = await write(app, ['PATCH', path], { json })
  assert.equal(endless.counts, 'added=90, dropped=0, changed=94', JSON.stringify(endless.body))
  app.pass(60 * daySeconds)
  await extendAll(app)
  const { start_date, slug, status } = await read(app, `/events/${last?.id}`)
  assert.deepEqual([start_date, slug, status], ['2032-03-26 19:00:00', last?.slug, 'publish'])
  assert.equal(await countDates(app, first.series.id), 102)
  const [tag] = (await read(app, '/tags')).tags as { count: number }[]
  assert.equal(tag?.count, 102)
  await assertSound(app)
})

test('a series that cannot be extended does not hold up the others, and its error is reported', async (t) => {
  const app = await startTestApp(t)
  const broken = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' })
  const others = []
  for (const title of ['Two', 'Three']) others.push(await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' }, { title }))
  const breakRule = (rule: string) =>
    app.deps.storage.write((tx) =>
      sql`update series_rules set rrule = ${rule} where series_id = ${broken.series.id}`.execute(tx),
    )
  await breakRule('FREQ=NEVER')
  app.pass(30 * daySeconds)
  await assert.rejects(extendAll(app), new RegExp(`series.* ${broken.series.id}\\b`))
  await breakRule('FREQ=WEEKLY')
  for (const other of others) {
    assert.equal((await read(app, `/events/${other.id}`)).series.dates_until, '2032-03-14')
  }
  await extendAll(app)
  assert.equal((await read(app, `/events/${broken.id}`)).series.dates_until, '2032-03-14')
  await assertSound(app)
})

test('a series that has lasted long can still be changed', async (t) => {
  const app = await startTestApp(t)
  const times = { start_date: '2030-01-16 18:30:00', end_date: '2030-01-16 19:30:00' }
  const first = await createSeriesOf(app, { rrule: 'FREQ=DAILY' }, times)
  app.pass(60 * daySeconds)
  await extendAll(app)
  const path = seriesPathOf(first)
  const json = { start_date: '2030-01-16 19:00:00', end_date: '2030-01-16 20:00:00' }
  const moved = await write(app, ['PATCH', path], { json })
  assert.deepEqual([moved.status, moved.body.data], [200, undefined], JSON.stringify(moved.body))
  // Also before the other date of its day, which stays as it is.
  const added = await write(app, ['POST', `${path}/dates`], { json: { start_date: '2030-06-01 10:00:00' } })
  assert.deepEqual([added.status, added.counts], [200, 'added=1, dropped=0, changed=0'], JSON.stringify(added.body))
  // Dates that are added count, also if they are over.
  const many = await write(app, ['POST', '/events'], {
    json: {
      ...friday,
      start_date: '2027-01-01 10:00',
      end_date: '2027-01-01 11:00',
      recurrence: 'RRULE:FREQ=DAILY;COUNT=801',
    },
  })
  assert.deepEqual([many.status, many.body.data?.number], [400, 801], JSON.stringify(many.body))
  await assertSound(app)
})

test('a series with as many dates as it may have waits, and continues when some are over', async (t) => {
  const app = await startTestApp(t, { SERIES_MOST_DATES: '95' })
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' })
  const other = await createSeriesOf(app, { rrule: 'FREQ=MONTHLY' }, { title: 'Other' })
  app.pass(30 * daySeconds)
  await extendAll(app)
  assert.equal(await countDates(app, first.series.id), 95)
  assert.equal((await read(app, `/events/${other.id}`)).series.dates_until, '2032-03-14')
  await assertSound(app)
  app.pass(150 * daySeconds)
  await extendAll(app)
  // The first dates are over.
  assert.equal(await countDates(app, first.series.id), 95 + 11)
  await assertSound(app)
})

test('a series continues after ten years, and keeps the times that it shows', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;INTERVAL=2' })
  for (const years of [5, 4, 2]) {
    app.pass(years * 366 * daySeconds)
    await extendAll(app)
    await assertSound(app)
  }
  const path = seriesPathOf(first)
  const { dates_until, start_date, segments } = await read(app, path)
  assert.deepEqual([dates_until, start_date, (segments as []).length], ['2043-02-23', '2030-05-03 18:30:00', 2])
  assert.equal(await countDates(app, first.series.id), 335)
  const weeks = new Set<number>()
  const { rows } = await sql<{ recurrence_id: string }>`
    select recurrence_id from occurrences where series_id = ${first.series.id} order by recurrence_id`.execute(
    app.deps.storage.db,
  )
  for (const [place, { recurrence_id }] of rows.entries()) {
    const previous = rows[place - 1]
    if (previous) weeks.add((Date.parse(recurrence_id) - Date.parse(previous.recurrence_id)) / 86_400_000)
  }
  assert.deepEqual([...weeks], [14])
  const json = { start_date: '2030-05-03 19:00:00', end_date: '2030-05-03 20:00:00' }
  const moved = await write(app, ['PATCH', path], { json })
  assert.equal(moved.status, 200, JSON.stringify(moved.body))
  const next = await read(app, `/events?series=${first.series.id}&per_page=1`)
  assert.match(String((next.events as { start_date: string }[])[0]?.start_date), /19:00:00$/)
  await assertSound(app)
})

test('a new series may have begun more than ten years before its last date, and must end within ten years', async (t) => {
  const app = await startTestApp(t)
  const times = { start_date: '2008-05-03 18:30:00', end_date: '2008-05-03 19:30:00' }
  const first = await createSeriesOf(app, { rrule: 'FREQ=MONTHLY' }, times)
  assert.equal(await countDates(app, first.series.id), 286)
  const last = await read(app, `/events?series=${first.series.id}&start_date=2032-02-01&end_date=2033-01-01`)
  assert.deepEqual(startsOf(last.events as []), ['2032-02-03 18:30:00'])
  await assertSound(app)
  const recurrence = { rrule: 'FREQ=YEARLY;COUNT=20' }
  const long = await write(app, ['POST', '/events'], { json: { ...friday, recurrence } })
  assert.equal(long.body.code, 'series-too-many-dates')
  assert.match(JSON.stringify(long.body), /COUNT=20.*10 years/)
  const early = { start_date: '1030-05-03 18:30:00', end_date: '1030-05-03 19:30:00' }
  const endless = await write(app, ['POST', '/events'], {
    json: { ...friday, ...early, recurrence: 'RRULE:FREQ=YEARLY' },
  })
  assert.deepEqual([endless.status, endless.body.code], [400, 'series-too-many-dates'], JSON.stringify(endless.body))
})

test('a rule that loses its end keeps the dates beyond the horizon', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;UNTIL=20340501' })
  const endless = await write(app, ['PATCH', `/events/${first.id}?scope=all`], {
    json: { recurrence: { rrule: 'FREQ=WEEKLY' } },
  })
  assert.deepEqual(
    [endless.status, endless.counts],
    [200, 'added=0, dropped=0, changed=0'],
    JSON.stringify(endless.body),
  )
  assert.equal(await countDates(app, first.series.id), 209)
  await assertSound(app)
  app.pass(30 * daySeconds)
  await extendAll(app)
  assert.equal(await hasShortSeries(app.deps), false)
  assert.equal(await countDates(app, first.series.id), 209)
  app.pass(4 * 366 * daySeconds)
  await extendAll(app)
  await assertSound(app)
})

test('a date beyond the horizon can be added to a series without end', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY' })
  const path = `${seriesPathOf(first)}/dates`
  // The rule gives the first of them later.
  for (const start of ['2034-06-02 18:30:00', '2035-06-01 10:00:00', '2060-06-01 10:00:00']) {
    const added = await write(app, ['POST', path], { json: { start_date: start } })
    assert.deepEqual([added.status, added.counts], [200, 'added=1, dropped=0, changed=0'], JSON.stringify(added.body))
    assert.equal((await read(app, `/events/${added.body.event_id}`)).start_date, start)
    const again = await write(app, ['POST', path], { json: { start_date: start } })
    assert.deepEqual([again.status, again.body.code], [400, 'rest_invalid_param'])
    await assertSound(app)
  }
  app.pass(5 * 366 * daySeconds)
  await extendAll(app)
  await assertSound(app)
})
