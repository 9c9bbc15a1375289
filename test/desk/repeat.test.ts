import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { givenDesk } from '../support/desk.ts'

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
  const done = await desk.send(path, { scope: 'all', drop: '1' })

  assert.deepEqual([refused.status, kept.length, done.status], [409, 3, 303])
  assert.deepEqual(days(await listDates(app)), ['2030-02-01', '2030-03-01', '2030-03-15'])
})
