import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { assertSound, friday } from '../../../test/support/series.calls.ts'

// What moves and ends the segments of a series.

const service = '//cal/service/v1'

interface Json {
  readonly id: number
  readonly start_date: string
  readonly end_date: string
  readonly status: string
  readonly code?: string
  readonly data?: { readonly params?: Record<string, string>; readonly event_ids?: readonly number[] }
  readonly series: { readonly id: number; readonly rrule: string; readonly own_fields: readonly string[] }
  readonly segments: readonly { readonly rrule: string; readonly start_date: string }[]
}

async function write(app: TestApp, method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) {
  const { status, body, headers } = await app.send({ as: 'administrator', method, path, ...(json ? { json } : {}) })
  return { status, body: body as Json, counts: headers['x-series-changed'] }
}

async function givenSeries(app: TestApp, rrule: string, other: object = {}): Promise<Json> {
  const { status, body } = await write(app, 'POST', '/events', { ...friday, recurrence: { rrule }, ...other })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

async function listDates(app: TestApp): Promise<readonly Json[]> {
  const path = '/events?start_date=2020-01-01&end_date=2045-01-01&per_page=50'
  return (await app.send({ path })).body.events
}

/** Each date with its id, and the days and times of its start. */
const starts = (events: readonly Json[]) => events.map(({ start_date }) => start_date)
const ids = (events: readonly Json[]) => events.map(({ id }) => id)
const hours = ({ start_date, end_date }: Json) => `${start_date.slice(0, 16)}–${end_date.slice(11, 16)}`

/** Eight Fridays, of which the last four are two hours from 20:00. */
async function givenTwoSegments(app: TestApp): Promise<readonly Json[]> {
  await givenSeries(app, 'FREQ=WEEKLY;COUNT=8')
  const fifth = (await listDates(app))[4]
  const times = { start_date: '2030-05-31 20:00:00', end_date: '2030-05-31 22:00:00' }
  const { status } = await write(app, 'PATCH', `/events/${fifth?.id}?scope=following`, times)
  assert.equal(status, 200)
  return listDates(app)
}

test('a series that is moved keeps all its dates and their ids, by hours over midnight and by whole weeks', async (t) => {
  for (const [start, end, second] of [
    ['2030-05-10 18:30:00', '2030-05-10 19:30:00', '2030-06-07 20:00:00'],
    ['2030-04-26 18:30:00', '2030-04-26 19:30:00', '2030-05-24 20:00:00'],
    ['2030-05-04 18:30:00', '2030-05-04 19:30:00', '2030-06-01 20:00:00'],
    ['2030-05-03 23:00:00', '2030-05-04 00:00:00', '2030-06-01 00:30:00'],
  ]) {
    const app = await startTestApp(t)
    const before = await givenTwoSegments(app)
    const own = await write(app, 'PATCH', `/events/${before[6]?.id}`, { title: 'Guest' })
    assert.equal(own.status, 200)

    const times = { start_date: start, end_date: end }
    const moved = await write(app, 'PATCH', `/events/${before[0]?.id}?scope=all`, times)

    assert.equal(moved.counts, 'added=0, dropped=0, changed=8', JSON.stringify(moved.body))
    const after = await listDates(app)
    assert.deepEqual(ids(after), ids(before))
    assert.deepEqual([after[0]?.start_date, after[4]?.start_date], [start, second])
    await assertSound(app)
  }
})

test('a date that is moved with the following ones keeps its id, and theirs', async (t) => {
  const app = await startTestApp(t)
  const before = await givenTwoSegments(app)

  const times = { start_date: '2030-05-18 18:30:00', end_date: '2030-05-18 19:30:00' }
  const { body, counts } = await write(app, 'PATCH', `/events/${before[2]?.id}?scope=following`, times)

  assert.equal(body.start_date, times.start_date)
  assert.equal(counts, 'added=0, dropped=0, changed=6')
  assert.deepEqual(ids(await listDates(app)), ids(before))
  await assertSound(app)
})

test('a segment keeps its length and time of day if the whole series moves', async (t) => {
  const app = await startTestApp(t)
  const before = await givenTwoSegments(app)
  const change = (json: object) => write(app, 'PATCH', `/events/${before[0]?.id}?scope=all`, json)
  const shown = async () => {
    const dates = await listDates(app)
    return [dates[0], dates[4]].map((date) => date && hours(date))
  }

  await change({ start_date: '2030-05-03 18:00:00' })
  assert.deepEqual(await shown(), ['2030-05-03 18:00–19:30', '2030-05-31 19:30–22:00'])
  await change({ end_date: '2030-05-03 19:00:00' })
  assert.deepEqual(await shown(), ['2030-05-03 18:00–19:00', '2030-05-31 19:30–21:30'])
  // The end is never before the start.
  await change({ start_date: '2030-05-03 16:00:00', end_date: '2030-05-03 19:00:00' })
  await change({ start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 18:30:00' })
  assert.deepEqual(await shown(), ['2030-05-03 18:30–18:30', '2030-05-31 20:00–21:00'])
  await change({ all_day: true, end_date: '2030-05-04 10:00:00' })
  assert.deepEqual(await shown(), ['2030-05-03 00:00–23:59', '2030-05-31 00:00–23:59'])
  await change({ all_day: false, start_date: '2030-05-04 09:00:00', end_date: '2030-05-05 08:00:00' })
  assert.deepEqual(await shown(), ['2030-05-04 09:00–08:00', '2030-06-01 09:00–08:00'])
  assert.deepEqual(ids(await listDates(app)), ids(before))
  await assertSound(app)
})

test('a time zone that is not sent stays in each segment', async (t) => {
  const app = await startTestApp(t)
  const before = await givenTwoSegments(app)
  await write(app, 'PATCH', `/events/${before[4]?.id}?scope=following`, { timezone: 'America/Vancouver' })

  await write(app, 'PATCH', `/events/${before[0]?.id}?scope=all`, { start_date: '2030-05-03 18:00:00' })

  const zones = (await listDates(app)).map((date) => (date as unknown as { timezone: string }).timezone)
  assert.deepEqual([zones[0], zones[4]], ['UTC', 'America/Vancouver'])
  await assertSound(app)
})

test('times that are sent back as they are shown change nothing, also where clocks change', async (t) => {
  const app = await startTestApp(t)
  const inNewYork = { timezone: 'America/New_York', start_date: '2031-03-02 02:30:00', end_date: '2031-03-02 03:30:00' }
  const first = await givenSeries(app, 'FREQ=WEEKLY;COUNT=4', inNewYork)
  const before = await listDates(app)
  assert.equal(before[1]?.start_date, '2031-03-09 03:30:00')

  for (const [place, scope] of [
    [1, 'all'],
    [1, 'following'],
    [2, 'following'],
  ] as const) {
    const { id, start_date, end_date } = before[place] as Json
    const sent = { start_date, end_date, timezone: 'America/New_York', all_day: false, title: `${scope} ${place}` }
    const { status } = await write(app, 'PATCH', `/events/${id}?scope=${scope}`, sent)
    assert.equal(status, 200)
  }

  const after = await listDates(app)
  assert.deepEqual(after.map(hours), before.map(hours))
  assert.deepEqual(ids(after), ids(before))
  const { body } = await app.send({ path: `${service}/series/${first.series.id}` })
  assert.equal(body.segments.length, 1)
  await assertSound(app)
})

test('the following dates end within a day, and a rule that has ended does not begin again', async (t) => {
  for (const [rrule, dates, named, left] of [
    // A further date after the date of the rule, on the same day, and one before it.
    ['FREQ=WEEKLY;COUNT=4', ['2030-05-17 21:00:00'], '2030-05-17 21:00:00', 3],
    ['FREQ=WEEKLY;COUNT=4', ['2030-05-17 10:00:00'], '2030-05-17 10:00:00', 2],
    ['FREQ=WEEKLY;COUNT=4', ['2030-05-17 10:00:00'], '2030-05-17 18:30:00', 3],
    // The rule is over already.
    ['FREQ=WEEKLY;COUNT=2', ['2030-06-05 10:00:00', '2030-07-05 10:00:00'], '2030-07-05 10:00:00', 3],
    ['FREQ=WEEKLY;UNTIL=20300512', ['2030-06-05 10:00:00', '2030-07-05 10:00:00'], '2030-07-05 10:00:00', 3],
  ] as const) {
    const app = await startTestApp(t)
    await givenSeries(app, '', { recurrence: { rrule, dates } })
    const before = await listDates(app)
    const date = before.find(({ start_date }) => start_date === named)

    const { status, body } = await write(app, 'DELETE', `/events/${date?.id}?scope=following`)

    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(ids(await listDates(app)), ids(before.slice(0, left)), named)
    await assertSound(app)
    // Rules that are applied again give the same dates.
    await write(app, 'PATCH', `/events/${before[0]?.id}?scope=all`, { start_date: '2030-05-03 18:00:00' })
    assert.deepEqual(ids(await listDates(app)), ids(before.slice(0, left)), named)
    await assertSound(app)
  }
})

test('the first dates of a series that are left are the whole series', async (t) => {
  const app = await startTestApp(t)
  const first = await givenSeries(app, 'FREQ=WEEKLY;COUNT=5')
  const [, second] = await listDates(app)
  await write(app, 'DELETE', `/events/${first.id}`)

  const again = await write(app, 'DELETE', `/events/${first.id}?scope=following`)
  assert.deepEqual([again.status, again.body.code], [410, 'event-is-in-trash'])
  assert.equal((await listDates(app)).length, 4)

  const following = await write(app, 'DELETE', `/events/${second?.id}?scope=following`)
  assert.equal(following.counts, 'added=0, dropped=4, changed=0', JSON.stringify(following.body))
  const gone = await app.send({ path: `${service}/series/${first.series.id}` })
  assert.equal(gone.body.code, 'series-is-in-trash')
  await assertSound(app)
  const back = await write(app, 'POST', `${service}/series/${first.series.id}/restore`)
  assert.equal(back.counts, 'added=4, dropped=0, changed=0')
  await assertSound(app)
})

test('a series that was moved later ends before its first segment with dates of its own', async (t) => {
  const app = await startTestApp(t)
  const before = await givenTwoSegments(app)
  const fifth = before[4]?.id
  const later = { start_date: '2030-06-14 20:00:00', end_date: '2030-06-14 22:00:00' }
  await write(app, 'PATCH', `/events/${fifth}?scope=following`, later)
  const after = await listDates(app)
  assert.deepEqual(ids(after), ids(before))

  await write(app, 'DELETE', `/events/${fifth}?scope=following`)

  assert.deepEqual(starts(await listDates(app)), starts(before.slice(0, 4)))
  await assertSound(app)
})

test('rules that count weekdays move along, or are refused', async (t) => {
  for (const [rrule, start, moved, becomes, counts] of [
    ['FREQ=MONTHLY;BYDAY=2FR;COUNT=5', '2030-05-10', '2030-05-17', 'FREQ=MONTHLY;BYDAY=3FR;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=2FR;COUNT=5', '2030-05-10', '2030-05-11', 'FREQ=MONTHLY;BYDAY=2SA;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=2FR;COUNT=5', '2030-06-14', '2030-06-15', 'FREQ=MONTHLY;BYDAY=3SA;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', '2030-05-31', '2030-05-24', 'FREQ=MONTHLY;BYDAY=-2FR;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', '2030-05-31', '2030-06-07', 'FREQ=MONTHLY;BYDAY=1FR;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=1FR;COUNT=5', '2030-06-07', '2030-05-31', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=1FR,3FR;COUNT=5', '2030-06-07', '2030-06-14', 'FREQ=MONTHLY;BYDAY=2FR,4FR;COUNT=5', 5],
    [
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=2;COUNT=5',
      '2030-05-10',
      '2030-05-17',
      'FREQ=MONTHLY;BYDAY=FR;BYSETPOS=3;COUNT=5',
      5,
    ],
    [
      'FREQ=YEARLY;BYMONTH=5;BYDAY=2FR;COUNT=5',
      '2030-05-10',
      '2030-05-17',
      'FREQ=YEARLY;BYMONTH=5;BYDAY=3FR;COUNT=5',
      5,
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=5', '2030-05-01', '2030-05-02', 'FREQ=MONTHLY;BYMONTHDAY=2,16;COUNT=5', 5],
    ['FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=5', '2030-05-31', '2030-05-30', 'FREQ=MONTHLY;BYMONTHDAY=-2;COUNT=5', 5],
    ['FREQ=YEARLY;BYMONTH=5,9;COUNT=5', '2030-05-20', '2030-06-04', 'FREQ=YEARLY;BYMONTH=6,10;COUNT=5', 5],
    [
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU;COUNT=6',
      '2030-05-06',
      '2030-05-07',
      'FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,TU;COUNT=6;WKST=TU',
      6,
    ],
    ['FREQ=MONTHLY;BYDAY=4FR;COUNT=5', '2030-05-24', '2030-05-31', 'FREQ=MONTHLY;BYDAY=-1FR;COUNT=5', 5],
    ['FREQ=MONTHLY;BYDAY=5FR;COUNT=5', '2030-05-31', '2030-06-01', undefined, 5],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=5', '2030-05-31', '2030-05-24', undefined, 5],
    ['FREQ=MONTHLY;BYMONTHDAY=15,31;COUNT=5', '2030-05-31', '2030-06-01', undefined, 5],
  ] as const) {
    const app = await startTestApp(t)
    const first = await givenSeries(app, rrule, { start_date: `${start} 18:30:00`, end_date: `${start} 19:30:00` })
    const before = await listDates(app)
    const times = { start_date: `${moved} 18:30:00`, end_date: `${moved} 19:30:00` }

    const { status, body } = await write(app, 'PATCH', `/events/${first.id}?scope=all`, times)

    if (becomes === undefined) {
      assert.deepEqual([status, Object.keys(body.data?.params ?? {})], [400, ['start_date']], rrule)
      const sent = { ...times, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' } }
      assert.equal((await write(app, 'PATCH', `/events/${first.id}?scope=all`, sent)).status, 200)
      continue
    }
    assert.equal(status, 200, `${rrule} ${JSON.stringify(body)}`)
    assert.equal(body.series.rrule, becomes)
    assert.equal(body.start_date, times.start_date)
    const after = await listDates(app)
    assert.deepEqual(ids(after), ids(before), rrule)
    assert.equal(after.length, counts)
    await assertSound(app)
  }
})

test('dates that move do not pass the last date that stays', async (t) => {
  const app = await startTestApp(t)
  await givenSeries(app, 'FREQ=WEEKLY;COUNT=4')
  const before = await listDates(app)
  const third = `/events/${before[2]?.id}?scope=following`

  const early = { start_date: '2030-05-09 18:30:00', end_date: '2030-05-09 19:30:00' }
  const refused = await write(app, 'PATCH', third, early)
  assert.deepEqual([refused.status, Object.keys(refused.body.data?.params ?? {})], [400, ['start_date']])

  const moved = await write(app, 'PATCH', third, { start_date: '2030-05-11 18:30:00', end_date: '2030-05-11 19:30:00' })
  assert.equal(moved.body.start_date, '2030-05-11 18:30:00')
  assert.deepEqual(ids(await listDates(app)), ids(before))
  await assertSound(app)
})

test('a further date between dates of the rule moves with the following ones', async (t) => {
  const app = await startTestApp(t)
  await givenSeries(app, '', { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4', dates: ['2030-05-15 10:00:00'] } })
  const before = await listDates(app)
  const times = { start_date: '2030-05-22 10:00:00', end_date: '2030-05-22 11:00:00' }

  const { status, counts } = await write(app, 'PATCH', `/events/${before[2]?.id}?scope=following`, times)

  assert.deepEqual([status, counts], [200, 'added=0, dropped=0, changed=3'])
  const after = await listDates(app)
  assert.deepEqual(ids(after), ids(before))
  assert.deepEqual(starts(after), [
    ...starts(before.slice(0, 2)),
    ...['2030-05-22 10:00:00', '2030-05-24 18:30:00', '2030-05-31 18:30:00'],
  ])
  await assertSound(app)
})

test('a date in the trash moves along, and is right when it comes back', async (t) => {
  const app = await startTestApp(t)
  const first = await givenSeries(app, 'FREQ=WEEKLY;COUNT=4')
  const before = await listDates(app)
  await write(app, 'DELETE', `/events/${before[1]?.id}`)
  await write(app, 'PATCH', `/events/${first.id}?scope=all`, { start_date: '2030-05-04 10:00:00' })

  const { body } = await write(app, 'PATCH', `/events/${before[1]?.id}`, { status: 'publish' })

  assert.deepEqual([body.start_date, body.series.own_fields], ['2030-05-11 10:00:00', []])
  assert.deepEqual(ids(await listDates(app)), ids(before))
  await assertSound(app)
})

test('a series without an end moves with all the dates that exist', async (t) => {
  const app = await startTestApp(t)
  const first = await givenSeries(app, 'FREQ=WEEKLY')
  const path = `/events/${first.id}?scope=all`

  const times = { start_date: '2030-05-11 18:30:00', end_date: '2030-05-11 19:30:00' }
  const later = await write(app, 'PATCH', path, times)
  assert.equal(later.counts, 'added=0, dropped=0, changed=94')
  const earlier = await write(app, 'PATCH', path, friday)
  assert.equal(earlier.counts, 'added=1, dropped=0, changed=94')
  await assertSound(app)
})

test('a date with times of its own has those of the series again if they are sent for all dates', async (t) => {
  const app = await startTestApp(t)
  await givenSeries(app, 'FREQ=WEEKLY;COUNT=3')
  const before = await listDates(app)
  const second = `/events/${before[1]?.id}`
  await write(app, 'PATCH', second, { start_date: '2030-05-11 20:00:00', end_date: '2030-05-11 21:00:00' })
  const times = { start_date: before[1]?.start_date, end_date: before[1]?.end_date }

  const { body, counts } = await write(app, 'PATCH', `${second}?scope=all`, times)

  assert.deepEqual(
    [counts, body.start_date, body.series.own_fields],
    ['added=0, dropped=0, changed=1', times.start_date, []],
  )
  assert.deepEqual((await listDates(app)).map(hours), before.map(hours))
  await assertSound(app)
})

test('a date in the trash may move to the start of another one there', async (t) => {
  const app = await startTestApp(t)
  await givenSeries(app, 'FREQ=WEEKLY;COUNT=4')
  const [first, second, third, fourth] = (await listDates(app)).map(({ id }) => id)
  await write(app, 'DELETE', `/events/${first}`)
  await write(app, 'DELETE', `/events/${third}`)

  const times = { start_date: '2030-04-26 18:30:00', end_date: '2030-04-26 19:30:00' }
  const { status, counts } = await write(app, 'PATCH', `/events/${second}?scope=following`, times)
  const moved = await listDates(app)
  await assertSound(app)
  const restored = [first, third].map((id) => write(app, 'POST', `${service}/events/${id}/restore`, {}))
  const answers = (await Promise.all(restored)).map((answer) => answer.status)

  assert.deepEqual([status, counts], [200, 'added=0, dropped=0, changed=2'])
  assert.deepEqual(
    moved.map(({ id, start_date }) => [id, start_date]),
    [
      [second, '2030-04-26 18:30:00'],
      [fourth, '2030-05-10 18:30:00'],
    ],
  )
  assert.deepEqual(answers, [200, 200])
  assert.deepEqual(ids(await listDates(app)).toSorted(), [first, second, third, fourth].toSorted())
  await assertSound(app)
})

test('a date for which the operator sells tickets is dropped only if the request says so', async (t) => {
  const app = await startTestApp(t)
  const first = await givenSeries(app, 'FREQ=WEEKLY;COUNT=3')
  const dates = await listDates(app)
  const sold = dates[2]?.id ?? 0
  await app.deps.storage.write((tx) =>
    tx.updateTable('events').set({ tickets: '[{}]', has_tickets: 1 }).where('record_id', '=', sold).execute(),
  )
  const shorter = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } }
  const path = `/events/${first.id}?scope=all`
  const refused = await write(app, 'PATCH', path, shorter)
  const { code, data } = refused.body
  assert.deepEqual([refused.status, code, data?.event_ids], [409, 'series-dates-in-use', [sold]])
  assert.deepEqual(ids(await listDates(app)), ids(dates))
  const { status } = await write(app, 'PATCH', `${path}&drop=true`, shorter)
  assert.equal(status, 200)
  assert.deepEqual(ids(await listDates(app)), ids(dates.slice(0, 2)))
  await assertSound(app)
})
