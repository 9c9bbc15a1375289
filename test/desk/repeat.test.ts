import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenSeries, type Listed, listDates, yoga } from '../support/desk.series.ts'
import { fieldsIn, fieldsShown, givenDesk, shownAfter, toldAfter } from '../support/desk.ts'

const idIn = (location: string | undefined) => Number(/events\/(\d+)\//.exec(location ?? '')?.[1])

const days = (events: readonly Listed[]) => events.map(({ start_date: start }) => start.slice(0, 10))
const titles = (events: readonly Listed[]) => events.map(({ title }) => title)

test('an event that repeats is created with all its dates in both languages', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')

  const made = await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })

  assert.equal(made.status, 303, made.text)
  const [english, french] = [await listDates(app), await listDates(app, 'fr-CA')]
  assert.deepEqual(days(english), ['2030-02-01', '2030-02-08', '2030-02-22'])
  assert.deepEqual(days(french), days(english))
  assert.deepEqual([...titles(english), ...titles(french)], [...Array(3).fill('Yoga'), ...Array(3).fill('Le yoga')])
  assert.equal(idIn(made.headers.location), english[0]?.id)
  const shown = await desk.get(`/admin/events/${english[1]?.id}/`)
  assert.match(shown.text, /every Friday, 4 times, except 1 date/)
})

test('a change of a date asks which dates it means, shows what each answer does, and follows it', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [first, second, third] = await listDates(app)
  const path = `/admin/events/${second?.id}/`

  await desk.get(path)
  const asked = await desk.send(path, { 'title.en': 'Yoga outside', to: 'save' })
  assert.equal(asked.status, 200, asked.text)
  assert.match(
    asked.text,
    /This date only[\s\S]*changes 1 date[\s\S]*This date and all later ones[\s\S]*changes 2 dates[\s\S]*All dates of the series[\s\S]*changes 3 dates/,
  )
  assert.deepEqual(titles(await listDates(app)), ['Yoga', 'Yoga', 'Yoga'])
  const one = await desk.send(path, { scope: 'this' })
  assert.equal(one.status, 303, one.text)
  assert.deepEqual(titles(await listDates(app)), ['Yoga', 'Yoga outside', 'Yoga'])

  await desk.get(`/admin/events/${first?.id}/`)
  const again = await desk.send(`/admin/events/${first?.id}/`, { 'title.en': 'Pilates', to: 'save' })
  assert.match(again.text, /All dates of the series[\s\S]*1 other date keeps what was changed on it/)

  const shown = await desk.get(path)
  assert.match(shown.text, /Changed on this date only[\s\S]*Title \(English\)/)
  const [, follow] = /value="(follow\.\d+\.title)"/.exec(shown.text) ?? []
  const followed = await desk.send(path, { to: follow ?? '', cost: '5' })
  assert.equal(followed.status, 200, followed.text)
  assert.match(followed.text, /name="cost"[^>]* value="5"/)
  assert.doesNotMatch(followed.text, /Changed on this date only/)
  assert.deepEqual(titles(await listDates(app)), ['Yoga', 'Yoga', 'Yoga'])

  await desk.get(`/admin/events/${third?.id}/`)
  await desk.send(`/admin/events/${third?.id}/`, { end: '9pm', to: 'save', scope: 'all' })
  const { body } = await app.send({ path: `/events/${first?.id}` })
  assert.equal(body.end_date, '2030-02-01 21:00:00')
})

test('a date of a series cannot stop to repeat, and its form offers no such choice', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [first] = await listDates(app)
  const path = `/fr/admin/events/${first?.id}/`

  const shown = await desk.get(path)
  const refused = await desk.send(path, { repeat: '', cost: '5', to: 'save', scope: 'all' })

  assert.match(shown.text, /<option value="weekly" selected/)
  assert.doesNotMatch(shown.text, /Ne se répète pas/)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /<a href="#f-repeat">[^<]*<\/a> Cet événement est une date d’une série\. Pour terminer/)
  assert.match(refused.text, /href="\/fr\/admin\/series\/\d+\/"/)
  assert.match(refused.text, /name="cost"[^>]* value="5"/)
  assert.equal((await listDates(app)).length, 3)
})

test('a new rule names the dates that it would lose though they have something of their own', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [first, second] = await listDates(app)
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${second?.id}`, json: { cost: '5' } })
  const path = `/admin/events/${first?.id}/`

  await desk.get(path)
  const asked = await desk.send(path, { repeat: 'fortnightly', to: 'save' })
  assert.match(asked.text, new RegExp(`/admin/events/${second?.id}/`))
  const refused = await desk.send(path, { scope: 'all' })
  const kept = days(await listDates(app))
  const done = await desk.send(path, { drop: '1' })

  assert.deepEqual([refused.status, kept.length, done.status], [409, 3, 303])
  assert.equal(fieldsIn(refused.text).scope, 'all')
  assert.match(refused.text, /role="alert"[\s\S]*<a href="#f-drop">[\s\S]*id="f-drop"/)
  assert.doesNotMatch(asked.text, /role="alert"/)
  assert.deepEqual(days(await listDates(app)), ['2030-02-01', '2030-03-01', '2030-03-15'])
})

test('the dates are listed before saving, with those that clash, and each can be left out', async (t) => {
  const app = await startTestApp(t)
  const venue = { venue: 'Hall' }
  await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events' },
    json: {
      title: 'Chess',
      start_date: '2030-02-08 18:00:00',
      end_date: '2030-02-08 19:30:00',
      status: 'publish',
      venue,
    },
  })
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')

  const shown = await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', venue: 'Hall', to: 'dates' })
  const live = await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', venue: 'Hall', to: 'live-dates' })
  await desk.get('/fr/admin/events/new/')
  const french = await desk.send('/fr/admin/events/new/', { ...yoga, leave_out: '2030-02-22', to: 'dates' })

  assert.equal(shown.status, 200, shown.text)
  const text = shown.text.replaceAll('\u00a0', ' ')
  assert.match(text, /4 dates: every Friday, 4 times[\s\S]*1 date takes place at the same time/)
  assert.match(text, /February 8, 2030[\s\S]*At the same time in the same place: Chess[\s\S]*February 15/)
  const { dates } = live.body.dates
  assert.deepEqual(
    dates.map((date: { date: string; clash?: string }) => [date.date, date.clash]),
    [
      ['2030-02-01', undefined],
      ['2030-02-08', 'Chess'],
      ['2030-02-15', undefined],
      ['2030-02-22', undefined],
    ],
  )
  assert.match(french.text.replaceAll('\u00a0', ' '), /2 dates : tous les vendredis, 4 fois, sauf 2 dates/)
  assert.match(french.text, /name="repeat_except"[^>]*>\nven\. 15 février 2030\nven\. 22 février 2030</)
  assert.deepEqual(days(await listDates(app)), ['2030-02-08'])
})

test('a later date of a series lists the dates that are left, until its rule is changed', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { dates } = await givenSeries(app, desk, { repeat_count: '5', repeat_except: 'Feb 22, 2030' })
  const page = `/admin/events/${dates[1]?.id}/`
  const shown = { ...fieldsShown((await desk.get(page)).text), to: 'live-dates' }
  const listed = async (fields: object) => {
    const { dates: list } = (await desk.send(page, { ...shown, ...fields })).body.dates
    return list.map(({ date }: { readonly date: string }) => date)
  }

  assert.deepEqual(await listed({}), ['2030-02-08', '2030-02-15', '2030-03-01'])
  assert.deepEqual(await listed({ start: '2030-02-08 18:30' }), ['2030-02-08', '2030-02-15', '2030-03-01'])
  // A rule for this date and those that follow counts from this date.
  assert.deepEqual(await listed({ repeat_count: '3' }), ['2030-02-08', '2030-02-15'])
})

test('faults of what repeats are at their fields, in both languages', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const cases: readonly (readonly [
    fields: Readonly<Record<string, string>>,
    field: string,
    english: RegExp,
    french: RegExp,
  ])[] = [
    [
      { repeat_ends: 'until', repeat_until: '03/04/2030' },
      'repeat_until',
      /Write the last day/,
      /Écrivez le dernier jour/,
    ],
    [{ repeat_count: 'many' }, 'repeat_count', /1 to 9999/, /1 à 9999/],
    [
      { repeat_except: 'Feb 8, 2030\nsometime' },
      'repeat_except',
      /“sometime” is not a day/,
      /«.sometime.» n’est pas un jour/,
    ],
    [{ repeat: 'dates' }, 'repeat_dates', /at least one date/, /au moins une date/],
    [{ repeat: 'custom', repeat_interval: '0' }, 'repeat_interval', /1 to 999/, /1 à 999/],
    [{ repeat: 'rule', repeat_rule: 'FREQ=HOURLY' }, 'repeat', /WEEKLY/, /WEEKLY/],
    [{ repeat_ends: 'until', repeat_until: 'Jan 1, 2030' }, 'repeat', /2030-01-01/, /2030-01-01/],
  ]
  for (const [fields, field, english, french] of cases) {
    for (const [prefix, expected] of [
      ['', english],
      ['/fr', french],
    ] as const) {
      const path = `${prefix}/admin/events/new/`
      await desk.get(path)
      const { status, text } = await desk.send(path, { ...yoga, ...fields, to: 'draft' })
      assert.equal(status, 422, JSON.stringify(fields))
      assert.match(new RegExp(`id="x-${field}">([^<]*)<`).exec(text)?.[1] ?? 'no fault', expected, text)
    }
  }
  assert.deepEqual(await listDates(app), [])
})

test('a draft that repeats is not saved by itself, and one event becomes the first date of a series', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  const auto = await desk.send('/admin/events/new/', { ...yoga, to: 'autosave' })
  assert.deepEqual([auto.status, auto.body], [200, { isKept: true }])

  await desk.get('/admin/events/new/')
  const made = await desk.send('/admin/events/new/', { ...yoga, repeat: '', to: 'publish' })
  const path = made.headers.location?.replace(/\?.*/, '') ?? ''
  await desk.get(path)
  const done = await desk.send(path, { repeat: 'weekly', repeat_ends: 'count', repeat_count: '3', to: 'save' })

  assert.equal(done.status, 303, done.text)
  const [english, french] = [await listDates(app), await listDates(app, 'fr-CA')]
  assert.deepEqual([english.length, french.length, english[0]?.id], [3, 3, idIn(made.headers.location)])
})

test('removing a date asks which ones, and its series has a page with all of them', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', to: 'publish' })
  const [, second, third] = await listDates(app)
  const { body } = await app.send({ path: `/events/${second?.id}` })
  const page = `/admin/series/${body.series.id}/`

  await desk.get('/admin/events/')
  const asked = await desk.send(`/admin/events/${third?.id}/trash/`)
  assert.match(
    asked.text,
    /This date only[\s\S]*1 date to the trash[\s\S]*all later ones[\s\S]*2 dates to the trash[\s\S]*All dates[\s\S]*4 dates/,
  )
  await desk.send(`/admin/events/${third?.id}/trash/`, { scope: 'following' })
  assert.deepEqual(days(await listDates(app)), ['2030-02-01', '2030-02-08'])

  const shown = await desk.get(page)
  assert.match(shown.text, /Series: Yoga[\s\S]*every Friday/)
  const added = await desk.send(page, { to: 'add', start: 'Feb 20, 2030, 6pm' })
  assert.equal(added.status, 303, added.text)
  const removed = await desk.send(page, { to: `remove.${second?.id}` })
  assert.deepEqual([removed.status, days(await listDates(app))], [303, ['2030-02-01', '2030-02-20']])
  await desk.get(page)
  await desk.send(page, { to: `return.${second?.id}` })
  assert.deepEqual(days(await listDates(app)), ['2030-02-01', '2030-02-08', '2030-02-20'])

  await desk.get(page)
  const ending = await desk.send(page, { to: 'end', day: 'Feb 10, 2030' })
  assert.match(ending.text, /moves 1 date to the trash/)
  await desk.send(page, {})
  assert.deepEqual(days(await listDates(app)), ['2030-02-01', '2030-02-08'])

  await desk.get(page)
  await desk.send(page, { to: 'trash' })
  const trashed = await desk.send(page, {})
  assert.deepEqual(toldAfter(trashed), [
    page,
    'The series is in the trash. In the series, this moves 2 dates to the trash.',
  ])
  assert.deepEqual(await listDates(app), [])
  await desk.get(page)
  await desk.send(page, { to: 'restore' })
  assert.equal((await listDates(app)).length, 2)
})

test('the table has a series as one row that opens, and actions name how many dates they meet', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', to: 'publish' })
  const [, second] = await listDates(app)
  const { body } = await app.send({ path: `/events/${second?.id}` })
  const { id } = body.series
  const rows = (text: string) => [...text.matchAll(/<tr id="e-(\d+)"/g)].length

  const folded = await desk.get('/admin/events/?from=2030-02-02')
  assert.equal(rows(folded.text), 1)
  assert.match(
    folded.text,
    /<summary>↻ every Friday, 4 times · 3 dates in the list<[\s\S]*February 8, 2030[\s\S]*February 22, 2030/,
  )
  assert.equal(rows((await desk.get('/admin/events/?from=&each=1')).text), 4)
  assert.equal(rows((await desk.get(`/admin/events/?from=&series=${id}`)).text), 4)

  await desk.get('/admin/events/?from=2030-02-02')
  const asked = await desk.send('/admin/events/many/', { series: String(id), to: 'draft' })
  assert.match(asked.text, /<h1>Make 3 events drafts<\/h1>[\s\S]*Dates of series change one by one/)
  const items = Object.fromEntries(
    [...asked.text.matchAll(/name="ids" value="(\d+)"/g)].map(([, one = '']) => [one, one]),
  )
  const done = await shownAfter(desk, await desk.send('/admin/events/many/', { ids: Object.keys(items) }))
  assert.match(done.text, /3 events are drafts/)
  assert.deepEqual(days(await listDates(app)), ['2030-02-01'])

  const week = await desk.get('/admin/calendar/?week=2030-02-04')
  assert.match(week.text, /↻ every Friday, 4 times/)
  const french = await desk.get('/fr/admin/events/?from=')
  assert.match(french.text.replaceAll('\u00a0', ' '), /↻ tous les vendredis, 4 fois · 4 dates/)
})

test('a language is added to one date, to all dates by the editor, or on the page of the series', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, 'title.fr-CA': '', to: 'publish' })
  const [first, second] = await listDates(app)
  const path = `/admin/events/${first?.id}/`

  await desk.get(path)
  await desk.send(path, { 'title.fr-CA': 'Le yoga', to: 'save', scope: 'all' })
  assert.deepEqual(titles(await listDates(app, 'fr-CA')), Array(3).fill('Le yoga'))
  const shown = await desk.get(`/admin/events/${second?.id}/`)
  assert.match(shown.text, /name="title.fr-CA"[^>]* value="Le yoga"/)

  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, 'title.en': 'Chess', 'title.fr-CA': '', to: 'publish' })
  const other = (await listDates(app)).find(({ title }) => title === 'Chess')
  const { body } = await app.send({ path: `/events/${other?.id}` })
  const page = `/admin/series/${body.series.id}/`
  await desk.get(page)
  const untitled = await desk.send(page, { to: 'translate.fr-CA' })
  const done = await desk.send(page, { to: 'translate.fr-CA', 'title.fr-CA': 'Les échecs' })
  assert.deepEqual([untitled.status, done.status], [422, 303])
  assert.match(untitled.text, /<a href="#f-title\.fr-CA">Title \(Canadian French\)<\/a>[\s\S]*id="f-title\.fr-CA"/)
  assert.deepEqual(titles(await listDates(app, 'fr-CA')).filter((title) => title === 'Les échecs').length, 3)
})

test('a change of all dates leaves those that have begun alone, unless the box for them is on', async (t) => {
  const app = await startTestApp(t)
  const maker = await givenDesk(app, 'editor')
  await maker.get('/admin/events/new/')
  await maker.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [, , third] = await listDates(app)
  app.pass(22 * 86_400)
  // The session has ended meanwhile.
  const desk = await givenDesk(app, 'administrator')
  const path = `/admin/events/${third?.id}/`
  const timesNow = async () => (await listDates(app)).map(({ start_date: start }) => start.slice(11, 16))
  const statesNow = async () => {
    const path = '/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50'
    const { events } = (await app.send({ path })).body
    return events.map((event: { readonly event_status: string }) => event.event_status)
  }

  await desk.get(path)
  const texts = await desk.send(path, { 'title.en': 'Yoga outside', to: 'save' })
  await desk.get(path)
  const asked = await desk.send(path, { start: 'Feb 22, 2030, 6pm', end: '7 p.m.', to: 'save' })
  const future = await desk.send(path, { scope: 'all' })
  const after = await timesNow()
  await desk.get(path)
  const again = await desk.send(path, { event_status: 'canceled', to: 'save' })
  const all = await desk.send(path, { scope: 'all', past: '1' })
  await desk.get(`/fr${path}`)
  const french = await desk.send(`/fr${path}`, { start: '22 févr. 2030, 17 h', end: '18 h', to: 'save' })
  await desk.send(`/fr${path}`, { scope: 'this', past: '1' })

  assert.doesNotMatch(texts.text, /name="past"/, 'texts change on all dates anyway')
  assert.match(asked.text, /name="past" value="1"[\s\S]*also change those that have begun[\s\S]*changes 3 dates/)
  assert.equal(future.status, 303, future.text)
  assert.deepEqual(after, ['19:00', '18:00', '18:00'])
  assert.match(again.text, /name="past"/)
  assert.equal(all.status, 303, all.text)
  assert.deepEqual(await statesNow(), ['canceled', 'canceled', 'canceled'])
  assert.match(french.text, /modifier aussi celles qui ont commencé/)
  assert.deepEqual(await timesNow(), ['19:00', '18:00', '17:00'], 'the box means nothing for one date')
})
