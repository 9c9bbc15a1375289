import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, givenDesk, shownAfter } from '../support/desk.ts'
import { givenEvent } from '../support/given.ts'

const idIn = (location: string | undefined) => Number(/events\/(\d+)\//.exec(location ?? '')?.[1])

/** An event of the list. */
interface Listed {
  readonly id: number
  readonly title: string
  readonly start_date: string
}

async function listDates(app: TestApp, language = 'en'): Promise<readonly Listed[]> {
  const path = `/events?start_date=2029-01-01&end_date=2040-01-01&per_page=50&ml_language=${language}`
  return (await app.send({ path })).body.events
}

const days = (events: readonly Listed[]) => events.map(({ start_date: start }) => start.slice(0, 10))
const titles = (events: readonly Listed[]) => events.map(({ title }) => title)

const yoga = {
  ...{ 'title.en': 'Yoga', 'title.fr-CA': 'Le yoga', start: 'Feb 1, 2030, 7pm', end: '8 p.m.' },
  ...{ repeat: 'weekly', repeat_ends: 'count', repeat_count: '4', repeat_except: 'Feb 15, 2030' },
}

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
  assert.deepEqual([auto.status, auto.body], [422, { isKept: true }])

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
  assert.equal(trashed.headers.location, `${page}?done=trashed&dates=0.2.0`)
  assert.deepEqual(await listDates(app), [])
  await desk.get(page)
  await desk.send(page, { to: 'restore' })
  assert.equal((await listDates(app)).length, 2)
})

test('actions on the page of a series lead back to their place in the list, and Undo brings a date back', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', repeat_count: '60', to: 'publish' })
  const [first, second] = await listDates(app)
  const { body } = await app.send({ path: `/events/${second?.id}` })
  const page = `/admin/series/${body.series.id}/`
  const from = `${page}?from=2030-02-08`
  const next = /href="([^"]*after=[^"]*)"/.exec((await desk.get(from)).text)?.[1]?.replaceAll('&amp;', '&') ?? ''

  await desk.get(from)
  const removed = await desk.send(page, { to: `remove.${second?.id}` })
  const shown = await desk.get(removed.headers.location?.split('#')[0] ?? '')
  const undo = await desk.send(page, { to: `return.${second?.id}` })
  const restored = await desk.get(undo.headers.location?.split('#')[0] ?? '')
  const added = await desk.send(page, { to: 'add', start: 'Feb 20, 2030' })
  await desk.get(from)
  const faulty = await desk.send(page, { to: 'add', start: 'never' })
  const asked = await desk.send(page, { to: 'trash' })
  await desk.get(next)
  const last = await desk.send(page, { to: 'add', start: 'Feb 21, 2030' })
  const foreign = await desk.send(page, { to: 'add', start: 'Feb 23, 2030', back: 'from=//x&after=%00&done=x' })

  // The date is in two languages. Both went.
  assert.match(removed.headers.location ?? '', new RegExp(`&done=removed&id=${second?.id}&with=\\d+#e-${second?.id}$`))
  assert.equal(removed.headers.location?.split('&')[0], from)
  assert.match(
    shown.text,
    new RegExp(`date is in the trash[\\s\\S]*name="to" value="return.${second?.id}\\.\\d+">Undo<`),
  )
  assert.ok(!shown.text.includes(`id="e-${first?.id}"`), 'dates before the place are not shown')
  assert.equal(undo.headers.location, `${from}&done=returned&id=${second?.id}#e-${second?.id}`)
  assert.match(restored.text, /The date is back/)
  assert.doesNotMatch(restored.text, />Undo</)
  assert.match(added.headers.location ?? '', /^[^?]*\?from=2030-02-08&done=added/)
  assert.equal(faulty.status, 422)
  assert.ok(faulty.text.includes('name="back" value="from=2030-02-08"'))
  assert.ok(!faulty.text.includes(`id="e-${first?.id}"`), 'a page with faults keeps its place')
  assert.match(asked.text, new RegExp(`href="${page}\\?from=2030-02-08"`))
  assert.match(next, /from=2030-02-08&after=/)
  assert.equal(last.headers.location, `${next}&done=added&dates=1.0.0`)
  assert.match(foreign.headers.location ?? '', new RegExp(`^${page}\\?done=added`))
})

test('the trash and the end of a series ask again if somebody changes the series before the answer', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', to: 'publish' })
  const [, second, third] = await listDates(app)
  const { body } = await app.send({ path: `/events/${second?.id}` })
  const page = `/admin/series/${body.series.id}/`
  const path = `//cal/service/v1/series/${body.series.id}`
  const change = (json: object) => app.send({ as: 'administrator', method: 'PATCH', path, json })
  const count = async () => (await listDates(app)).length

  for (const fields of [{ to: 'trash' }, { to: 'end', day: 'Jan 1, 2030' }]) {
    await change({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
    await desk.get(page)
    const asked = await desk.send(page, fields)
    await change({ recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } })
    const again = await desk.send(page)
    assert.equal(await count(), 6)
    const french = await desk.send(`/fr${page}`, { version: '1' })
    await desk.send(page, { to: 'back' })
    await desk.get(page)
    await desk.send(page, fields)
    const done = await desk.send(page)

    assert.match(asked.text, /This moves 4 dates to the trash/)
    assert.equal(again.status, 409)
    assert.match(again.text, /Somebody else has changed this series[\s\S]*This moves 6 dates to the trash/)
    assert.equal(french.status, 409)
    assert.match(french.text, /Quelqu’un d’autre a modifié cette série[\s\S]*met 6 dates à la corbeille/)
    assert.equal(done.status, 303, done.text)
    assert.equal(await count(), 0)
    await desk.get(page)
    await desk.send(page, { to: 'restore' })
    assert.equal(await count(), 6)
  }

  // A date with something of its own is only lost on purpose, and the number says what the box would do.
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${third?.id}`, json: { title: 'Pilates' } })
  await desk.get(page)
  const inUse = await desk.send(page, { to: 'end', day: 'Feb 10, 2030' })
  const refused = await desk.send(page)
  const left = await count()
  await desk.send(page, { drop: '1' })

  assert.equal(inUse.status, 409)
  assert.match(inUse.text, /This moves 4 dates to the trash[\s\S]*This date has changes or tickets of its own/)
  assert.doesNotMatch(inUse.text, /or nothing is changed/)
  assert.match(refused.text, /Select this box, or nothing is changed/)
  assert.deepEqual([left, await count()], [6, 2])
})

test('a series in the trash is deleted for good after a question, with all its dates, by those who may', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [first] = await listDates(app)
  const { body } = await app.send({ path: `/events/${first?.id}` })
  const page = `/admin/series/${body.series.id}/`
  const statusOf = async () => (await app.send({ as: 'editor', path: `/events/${first?.id}` })).status

  const live = await desk.get(page)
  const early = await desk.send(page, { to: 'purge' })
  await desk.get(page)
  await desk.send(page, { to: 'trash' })
  await desk.send(page)
  const trash = await desk.get('/admin/trash/?kind=events')
  const shown = await desk.get(page)
  const asked = await desk.send(page, { to: 'purge' })
  const fields = fieldsIn(asked.text)
  await author.get('/admin/account/')
  const foreign = await author.send(page, {
    ...fields,
    csrf: fieldsIn((await author.get('/admin/account/')).text).csrf ?? '',
  })
  // Somebody restores the series before the answer, and moves it to the trash again.
  const path = `//cal/service/v1/series/${body.series.id}`
  await app.send({ as: 'editor', method: 'POST', path: `${path}/restore` })
  const restored = await desk.send(page)
  await app.send({ as: 'editor', method: 'DELETE', path })
  await desk.get(page)
  await desk.send(page, { to: 'purge' })
  await app.send({ as: 'editor', method: 'POST', path: `${path}/restore` })
  await app.send({ as: 'editor', method: 'DELETE', path })
  const again = await desk.send(page)
  const before = await statusOf()
  await desk.get(`/fr${page}`)
  await desk.send(`/fr${page}`, { to: 'purge' })
  const done = await desk.send(`/fr${page}`)
  const list = await shownAfter(desk, done)
  const gone = await desk.get(page)

  assert.doesNotMatch(live.text, /value="purge"/)
  assert.equal(early.status, 422)
  assert.match(trash.text, new RegExp(`href="${page}">All dates of the series`))
  assert.match(
    shown.text,
    /Restore the series[\s\S]*Neither the series nor its dates can be restored[\s\S]*value="purge"/,
  )
  assert.match(
    asked.text,
    /will be deleted with its 3 dates\. This cannot be undone[\s\S]*Yoga[\s\S]*English[\s\S]*Le yoga/,
  )
  assert.notEqual(foreign.status, 303)
  assert.equal(restored.status, 422)
  assert.equal(again.status, 409)
  assert.match(again.text, /Somebody else has changed this series/)
  assert.equal(before, 403)
  assert.match(list.text, /supprimée définitivement, avec ses 3 dates/)
  assert.equal(await statusOf(), 404)
  assert.equal(gone.status, 404)
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
  assert.match(done.text, /3 events were changed/)
  assert.deepEqual(days(await listDates(app)), ['2030-02-01'])

  const week = await desk.get('/admin/calendar/?week=2030-02-04')
  assert.match(week.text, /↻ every Friday, 4 times/)
  const french = await desk.get('/fr/admin/events/?from=')
  assert.match(french.text.replaceAll('\u00a0', ' '), /↻ tous les vendredis, 4 fois · 4 dates/)
})

test('all events of the list are counted with each date of its series, on whichever page they are', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  for (let day = 1; day <= 26; day += 1) {
    await givenEvent(app, { title: `Walk ${day}`, start_date: `2030-01-${day}`, end_date: `2030-01-${day}` })
  }
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, repeat_except: '', to: 'publish' })

  const list = await desk.get('/admin/events/?from=2030-01-01')
  const asked = await desk.send('/admin/events/many/', { all: '1', to: 'shift' })
  const faulty = await desk.send('/admin/events/many/', { days: 'x' })
  const checked = await desk.get('/admin/events/?from=2030-02-01&check=no-picture')
  const walks = await desk.get('/admin/events/?from=2030-01-01&to=2030-01-31')
  const plain = await desk.send('/admin/events/many/', { all: '1', to: 'shift' })
  const narrow = await desk.get('/admin/events/?from=2030-01-01&each=1')
  const french = await desk.get('/fr/admin/events/?from=2030-02-01')

  assert.ok(!list.text.includes('↻'), 'the series is on the second page')
  assert.match(
    list.text,
    /<p role="status" class="hint">30 events in 27 rows [\s\S]*A series is one row[\s\S]*All 30 events of the list/,
  )
  assert.match(asked.text, /<h1>Move 30 events[\s\S]*Dates of series change one by one/)
  assert.match(faulty.text, /Dates of series change one by one/)
  assert.match(checked.text, /All 4 events of the list/)
  assert.match(walks.text, /All 26 events of the list/)
  assert.doesNotMatch(walks.text, /A series is one row/)
  assert.doesNotMatch(plain.text, /Dates of series change/)
  assert.match(narrow.text, /class="hint">30 events<[\s\S]*All 30 events of the list/)
  assert.match(french.text.replaceAll('\u00a0', ' '), /class="hint">4 événements sur 1 ligne ·/)
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

test('events that exist are found on the page of a series, and become its dates', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const author = await givenDesk(app, 'author')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, to: 'publish' })
  const [first] = await listDates(app)
  const { body } = await app.send({ as: 'editor', path: `/events/${first?.id}?context=edit` })
  const path = `/admin/series/${body.series.id}/`
  const extra = await givenEvent(app, { title: 'Yoga, extra', start_date: '2030-02-03 10:00:00' })
  const same = await givenEvent(app, { title: 'Yoga twice', start_date: '2030-02-08 19:00:00' })
  await givenEvent(app, { title: 'Le yoga en plus', ml_language: 'fr-CA' })
  const offered = (text: string) => [...text.matchAll(/name="event_ids" value="(\d+)"/g)].map(([, id]) => Number(id))

  const closed = await desk.get(path)
  const found = await desk.get(`${path}?join=yoga`)
  const unchosen = await desk.send(`${path}?join=yoga`, { to: 'join' })
  const taken = await desk.send(`${path}?join=yoga`, { to: 'join', event_ids: [String(same.id)] })
  const joined = await desk.send(`${path}?join=yoga`, { to: 'join', event_ids: [String(extra.id)] })
  const shown = await desk.get(`${path}?done=joined`)
  const none = await desk.get(`/fr${path}?join=nothing-like-this`)
  const others = await author.get(`${path}?join=yoga`)
  const date = (await app.send({ as: 'editor', path: `/events/${extra.id}?context=edit` })).body

  assert.deepEqual(offered(closed.text), [])
  assert.match(closed.text, /name="join" type="search" value="Yoga"/)
  assert.deepEqual(
    offered(found.text).toSorted((one, other) => one - other),
    [extra.id, same.id],
  )
  assert.match(found.text, /Yoga, extra – Sunday, February 3, 2030/)
  assert.equal(unchosen.status, 422)
  assert.match(unchosen.text, /Select at least one event/)
  assert.deepEqual(
    offered(unchosen.text).toSorted((one, other) => one - other),
    [extra.id, same.id],
  )
  assert.equal(taken.status, 422, 'the series has a date at that time')
  assert.equal(joined.status, 303, joined.text)
  assert.deepEqual([date.series.id, date.title], [body.series.id, 'Yoga, extra'])
  assert.match(shown.text, /The events are dates of the series now/)
  assert.match(none.text, /Aucun événement à intégrer/)
  assert.deepEqual(offered(others.text), [])
})

test('any event can be found to join a series, however many have the same words', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, 'title.fr-CA': '', to: 'publish' })
  const [first] = await listDates(app)
  const { body } = await app.send({ as: 'editor', path: `/events/${first?.id}?context=edit` })
  const path = `/admin/series/${body.series.id}/`
  const days = Array.from({ length: 51 }, (_, day) => new Date(Date.UTC(2030, 2, 1 + day)).toISOString().slice(0, 10))
  for (const day of days) {
    await givenEvent(app, { title: 'Yoga', start_date: `${day} 10:00:00`, end_date: `${day} 11:00:00` })
  }
  const offered = (text: string) => [...text.matchAll(/name="event_ids" value="(\d+)"/g)].map(([, id]) => Number(id))

  const one = await desk.get(`${path}?from=2030-02-08&join=yoga`)
  const next = /href="([^"]*page=2[^"]*)#join"/.exec(one.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const two = await desk.get(next)
  const last = offered(two.text).at(-1)
  const unchosen = await desk.send(next, { to: 'join' })
  const joined = await desk.send(next, { to: 'join', event_ids: [String(last)] })
  const all = await desk.get(`/fr${path}?join=`)

  assert.match(two.text, /name="join" type="search" value="yoga"/)
  assert.equal(new Set([...offered(one.text), ...offered(two.text)]).size, 51)
  assert.equal(unchosen.status, 422)
  assert.deepEqual(offered(unchosen.text), offered(two.text))
  assert.match(joined.headers.location ?? '', /\?from=2030-02-08&done=joined/)
  assert.ok(offered(all.text).length > 40)
})

test('a fault of a translated text is linked to its field, in both languages, and nothing typed is lost', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  await desk.send('/admin/events/new/', { ...yoga, 'title.fr-CA': '', to: 'publish' })
  const [first] = await listDates(app)
  const { body } = await app.send({ as: 'editor', path: `/events/${first?.id}?context=edit` })
  const page = `/admin/series/${body.series.id}/`
  const typed = { 'title.fr-CA': 'Le yoga', 'excerpt.fr-CA': 'Un extrait', 'description.fr-CA': 'Un texte' }
  const tooLong = 'x'.repeat(80_000)

  for (const [name, english, french] of [
    ['title.fr-CA', 'Title (Canadian French)', 'Titre – français canadien'],
    ['excerpt.fr-CA', 'Summary (Canadian French)', 'Résumé – français canadien'],
    ['description.fr-CA', 'Description (Canadian French)', 'Texte de présentation – français canadien'],
  ] as const) {
    for (const [at, label] of [
      [page, english],
      [`/fr${page}`, french],
    ] as const) {
      await desk.get(at)
      const refused = await desk.send(at, { ...typed, [name]: tooLong, to: 'translate.fr-CA' })
      const shown = fieldsIn(refused.text)

      assert.equal(refused.status, 422, name)
      assert.ok(refused.text.includes(`<li><a href="#f-${name}">${label}</a> `), `${name}: ${label}`)
      assert.match(refused.text, new RegExp(`id="f-${name}"[^>]*aria-describedby="x-${name}" aria-invalid="true"`))
      assert.match(refused.text, new RegExp(`<p class="fault" id="x-${name}">[^<]+</p>`))
      for (const [field, value] of Object.entries({ ...typed, [name]: tooLong })) assert.equal(shown[field], value)
      assert.deepEqual(await listDates(app, 'fr-CA'), [], 'nothing is translated')
    }
  }
})
