import assert from 'node:assert/strict'
import { test } from 'node:test'
import { halfOf, readMoment } from '../../src/desk/events/editor.dates.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, fieldsShown, givenDesk } from '../support/desk.ts'
import { givenEvent } from '../support/given.ts'

const overnight = /The event ends on the next day, after 12 hours or more\. Is that right\?/
const skipped = /The clocks go forward then, and skip this time\. Choose another one\./

/** What is typed as start and end, the times that are meant, and whether they are remarked. */
const cases: readonly (readonly [start: string, end: string, from: string, until: string, isRemarked?: true])[] = [
  ['7 PM', '9:30', '01 19:00', '01 21:30'],
  ['12 PM', '1:30', '01 12:00', '01 13:30'],
  ['12 AM', '1:30', '01 00:00', '01 01:30'],
  ['7:30', '9:30 PM', '01 19:30', '01 21:30'],
  ['11:00', '1 pm', '01 11:00', '01 13:00'],
  ['9:00', '5 PM', '01 09:00', '01 17:00'],
  ['10:30', '11:30 a.m.', '01 10:30', '01 11:30'],
  ['11 AM', '12:30', '01 11:00', '01 12:30'],
  ['10 PM', '1:30', '01 22:00', '02 01:30'],
  ['22:00', '2:00', '01 22:00', '02 02:00'],
  ['22 h', '2 h', '01 22:00', '02 02:00'],
  ['19:00', '24:00', '01 19:00', '02 00:00'],
  ['19 h', '24 h', '01 19:00', '02 00:00'],
  ['7:30', '9:30', '01 07:30', '01 09:30'],
  ['19:00', '18:00', '01 19:00', '02 18:00', true],
  ['10 AM', '2:30', '01 10:00', '02 02:30', true],
  ['7 PM', '09:30', '01 19:00', '02 09:30', true],
]

const listed = async (app: TestApp): Promise<readonly { title: string; start_date: string; end_date: string }[]> =>
  (await app.send({ as: 'editor', path: '/events?start_date=2000-01-01&end_date=2100-01-01&per_page=50&status=any' }))
    .body.events
const timesOf = (event: { readonly start_date: string; readonly end_date: string } | undefined) =>
  [event?.start_date, event?.end_date].map((at) => at?.slice(8, 16))

test('the editor reads a start and an end together, and remarks an end that is seldom meant', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')

  for (const [start, end, from, until, isRemarked = false] of cases) {
    await desk.get('/admin/events/new/')
    const made = await desk.send('/admin/events/new/', {
      ...{ 'title.en': `${start} to ${end}`, start: `May 1, 2030, ${start}`, end, to: 'draft' },
    })
    const id = /events\/(\d+)\//.exec(made.headers.location ?? '')?.[1]
    const event = (await app.send({ as: 'editor', path: `/events/${id}` })).body
    const page = await desk.get(`/admin/events/${id}/`)

    assert.deepEqual(timesOf(event), [from, until], `${start} to ${end}`)
    assert.equal(overnight.test(page.text), isRemarked, `${start} to ${end}`)
  }
})

test('rows of a spreadsheet are read alike, in two cells and in one', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const rows = cases.flatMap(([start, end], row) => [
    `Two ${row}\t2030-05-01\t${start}\t${end}`,
    `One ${row}\t2030-05-01\t${start} – ${end}\t`,
  ])
  const more = ['Short\t2030-05-01\t7 – 9:30 PM\t', 'Dense\t2030-05-01\t7-9pm\t', 'Bare\t2030-05-01\t7 PM – 9\t']

  await desk.get('/admin/events/rows/')
  const read = await desk.send('/admin/events/rows/', {
    ...{ table: ['Title\tDate\tStart\tEnd', ...rows, ...more].join('\n'), to: 'read' },
  })
  const chosen = Object.fromEntries(
    ['title.en', 'date', 'start', 'end'].map((name, place) => [`column.${place}`, name]),
  )
  const use = [...rows, ...more].map((_, row) => String(row))
  const done = await desk.send('/admin/events/rows/', { ...fieldsIn(read.text), ...chosen, use, to: 'draft' })
  const events = new Map((await listed(app)).map((event) => [event.title, event]))
  const remarked = [...read.text.matchAll(/<td class="understood">([\s\S]*?)<\/td>/g)].map(([, cell = '']) =>
    overnight.test(cell),
  )

  assert.equal(done.status, 303)
  for (const [row, [start, end, from, until, isRemarked = false]] of cases.entries()) {
    for (const [place, way] of ['Two', 'One'].entries()) {
      assert.deepEqual(timesOf(events.get(`${way} ${row}`)), [from, until], `${way}: ${start} to ${end}`)
      assert.equal(remarked[2 * row + place], isRemarked, `${way}: ${start} to ${end}`)
    }
  }
  assert.deepEqual(
    ['Short', 'Dense', 'Bare'].map((title) => timesOf(events.get(title))),
    [
      ['01 19:00', '01 21:30'],
      ['01 19:00', '01 21:00'],
      ['01 19:00', '01 21:00'],
    ],
  )
})

test('a time that clocks skip is told wherever times are entered, and nothing is saved', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const kept = await givenEvent(app, {
    title: 'Kept',
    start_date: '2030-03-09 02:30:00',
    end_date: '2030-03-09 02:45:00',
  })
  const series = await givenEvent(app, { title: 'Each', recurrence: { rrule: 'FREQ=DAILY;COUNT=2' } })
  const desk = await givenDesk(app, 'editor')
  const send = async (path: string, fields: Record<string, string>) => {
    await desk.get(path)
    return desk.send(path, fields)
  }
  const night = { start: 'March 10, 2030, 2:30 am', end: '4 am' }

  const answers = {
    editor: await send('/admin/events/new/', { 'title.en': 'New', ...night, to: 'publish' }),
    quick: await send(`/admin/events/${kept.id}/quick/`, {
      start: 'March 10, 2030, 2:30 am',
      end: '2:45 am',
      status: 'publish',
    }),
    rows: await send('/admin/events/rows/', { table: 'Title\tDate\tStart\nNew\t2030-03-10\t2:30', to: 'read' }),
    move: await send(`/admin/calendar/${kept.id}/move/`, { day: '2030-03-10', time: '02:30' }),
  }
  const added = await send(`/admin/series/${series.series.id}/`, { to: 'add', start: 'March 10, 2030, 2:30 am' })
  const elsewhere = await send('/admin/events/new/', { 'title.en': 'UTC', ...night, timezone: 'UTC', to: 'publish' })

  for (const [way, { text }] of Object.entries({ ...answers, added })) assert.match(text, skipped, way)
  assert.equal(elsewhere.status, 303)
  assert.deepEqual((await listed(app)).map(({ title }) => title).toSorted(), ['Each', 'Each', 'Kept', 'UTC'])
})

test('the quick form reads times that are typed, and refuses an end before the start', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const desk = await givenDesk(app, 'editor')
  const path = `/admin/events/${id}/quick/`
  const send = async (start: string, end: string) => {
    await desk.get(path)
    const { status } = await desk.send(path, { start: `Jan 22, 2030, ${start}`, end, status: 'publish' })
    return [status, ...timesOf((await app.send({ path: `/events/${id}` })).body)]
  }

  assert.deepEqual(await send('7 PM', '9:30'), [303, '22 19:00', '22 21:30'])
  assert.deepEqual(await send('20:00', '24:00'), [303, '22 20:00', '23 00:00'])
  await desk.get(path)
  assert.equal(
    (await desk.send(path, { start: '2030-01-22 20:00', end: '2030-01-22 18:00', status: 'publish' })).status,
    422,
  )
  assert.equal((await desk.send(path, { start: 'soon', status: 'publish' })).status, 422)
})

test('24:00 is the end of a day, and the halves of the day are known', () => {
  assert.deepEqual(readMoment('March 5 24:00', '2027-03-01'), { day: '2027-03-05', time: '24:00' })
  for (const wrong of ['24:30', '25:00', '24 pm']) assert.equal(readMoment(wrong, '2027-03-01'), 'unreadable')
  assert.deepEqual(
    ['7 p.m.', '7:30 am', '7:30', '12:00', '07:30', '19:30', '0:30', '7 h 30', 'noon', 'x'].map(halfOf),
    ['p', 'a', 'open', 'open', ...Array(6).fill(undefined)],
  )
})

test('seconds stay where nobody changes them: in the editor in both languages, a quick edit, a move and its undo', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const [start, end] = ['2030-05-01 19:00:05', '2030-05-01 23:59:59']
  const { id } = await givenEvent(app, { start_date: start, end_date: end, timezone: 'UTC' })
  const read = async () => {
    const { start_date, end_date } = (await app.send({ path: `/events/${id}` })).body
    return [start_date, end_date]
  }
  const change = async (page: string, fields: Readonly<Record<string, string>>) => {
    const shown = fieldsShown((await desk.get(page)).text)
    const { status, text, headers } = await desk.send(page, { ...shown, ...fields })
    assert.equal(status, 303, text)
    return headers.location ?? ''
  }

  await change(`/admin/events/${id}/`, {
    start: '2030-05-02 19:00:05',
    end: '2 mai 2030, 23 h 59 min 59 s',
    to: 'save',
  })
  assert.deepEqual(await read(), ['2030-05-02 19:00:05', '2030-05-02 23:59:59'])
  for (const language of ['', '/fr']) {
    const path = `${language}/admin/events/${id}/`
    const { end: shown = '' } = fieldsIn((await desk.get(path)).text)
    await change(path, { start: '2030-05-01 19:00:05', end: shown, to: 'save' })
    await change(path, { start: '2030-05-02 19:00:05', to: 'save' })
    assert.deepEqual(await read(), ['2030-05-02 19:00:05', '2030-05-02 23:59:59'])
  }
  const quick = await desk.get(`/admin/events/${id}/quick/`)
  assert.match(quick.text, /name="end" type="text" value="11:59:59 p\.m\."/)
  await change(`/admin/events/${id}/quick/`, { start: '2030-05-01 19:00:05' })
  assert.deepEqual(await read(), [start, end])
  const moved = await change(`/admin/calendar/${id}/move/`, { day: '2030-05-01', time: '20:00' })
  assert.deepEqual(await read(), ['2030-05-01 20:00:00', '2030-05-02 00:59:54'])
  const { text: calendar } = await desk.get(moved)
  assert.match(calendar, /name="time" value="19:00:05"/)
  const undone = await desk.send(`/admin/calendar/${id}/move/`, fieldsIn(calendar))
  assert.equal(undone.status, 303)
  assert.deepEqual(await read(), [start, end])
})
