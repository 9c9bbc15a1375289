import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenDesk, toldAfter } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'

const dayIn = (text: string, day: string) => text.split(`data-day="${day}"`)[1]?.split('data-day="')[0] ?? ''

test('a month and a week show events in all states on their days, to those who may change them', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto', WEEK_START: 'monday' })
  const hall = await givenVenue(app, { venue: 'Hall' })
  const times = { start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' }
  const concert = await givenEvent(app, { title: 'Concert <i>& more</i>', venue: hall.id, ...times })
  await givenEvent(app, { title: 'Récital', ml_language: 'fr-CA', ml_translation_of: concert.id })
  await givenEvent(app, { title: 'Idea', status: 'draft', ...times })
  await givenEvent(app, { title: 'Fair', start_date: '2030-01-26', end_date: '2030-01-28', all_day: true })
  await givenEvent(app, { title: 'Night', start_date: '2030-01-23 22:00:00', end_date: '2030-01-24 03:00:00' })
  const desk = await givenDesk(app, 'editor')

  const now = await desk.get('/admin/calendar/')
  const french = await desk.get('/fr/admin/calendar/?month=2030-01')
  const week = await desk.get('/admin/calendar/?week=2030-01-24')
  const [made, never, timed] = await Promise.all(
    ['2030-01-24', '2030-02-30', '2030-01-24T19:30'].map((day) => desk.get(`/admin/events/new/?start=${day}`)),
  )
  const contributor = await givenDesk(app, 'contributor')
  const theirs = await contributor.get('/admin/calendar/?month=2030-01')
  const subscriber = await givenDesk(app, 'subscriber')

  assert.match(now.text, /<h1>January 2030<\/h1>/)
  assert.match(dayIn(now.text, '2030-01-22'), /7\sp\.m\.<\/span> Concert &amp; more/)
  assert.match(
    dayIn(now.text, '2030-01-22'),
    /class="hidden-event"[^>]*><a href="\/admin\/events\/\d+\/">.*Idea.*\(Draft\)/,
  )
  assert.match(dayIn(now.text, '2030-01-26'), /class="bar lane-1 over-2/)
  assert.match(dayIn(now.text, '2030-01-28'), /begun/)
  assert.doesNotMatch(dayIn(now.text, '2030-01-24'), /Night/)
  assert.match(french.text, /<h1>Janvier 2030<\/h1>/)
  assert.match(dayIn(french.text, '2030-01-22'), /19\sh<\/span> Récital/)
  assert.match(dayIn(week.text, '2030-01-22'), /Concert[\s\S]*Hall[\s\S]*Draft/)
  assert.deepEqual(
    [...week.text.matchAll(/data-day="([^"]*)"/g)].map(([, day]) => day),
    [21, 22, 23, 24, 25, 26, 27].map((day) => `2030-01-${day}`),
  )
  assert.match(made?.text ?? '', /name="start"[^>]* value="Thu, January 24, 2030"/)
  assert.match(timed?.text ?? '', /name="start"[^>]* value="Thu, January 24, 2030, 7:30 p\.m\."/)
  assert.match(never?.text ?? '', /name="start"[^>]* value=""/)
  assert.match(dayIn(theirs.text, '2030-01-22'), /<a href="http:\/\/calendar\.test\/event\/concert-more\/">/)
  assert.doesNotMatch(theirs.text, /Idea|\/move\//)
  assert.equal((await subscriber.get('/admin/calendar/')).status, 403)
})

test('an event is moved to another day at the same time, and back; days that do not exist are refused', async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const times = { start_date: '2030-03-09 22:00:00', end_date: '2030-03-10 03:30:00', timezone: 'America/Toronto' }
  const { id } = await givenEvent(app, { title: 'Dance', ...times })
  const desk = await givenDesk(app, 'editor')
  const timesOf = async () => {
    const { body } = await app.send({ path: `/events/${id}` })
    return [body.start_date, body.end_date]
  }
  const at = `/admin/calendar/${id}/move/`

  const page = await desk.get(`${at}?back=${encodeURIComponent('/admin/calendar/?week=2030-03-03')}`)
  const refused = await desk.send(at, { day: '2030-02-30' })
  const moved = await desk.send(at, { day: '2030-03-20' })
  const after = await timesOf()
  const calendar = await desk.get(moved.headers.location ?? '')
  const undone = await desk.send(at)
  const elsewhere = await desk.get(`${at}?back=https://elsewhere.example/`)
  await desk.get(at)
  const noTime = await desk.send(at, { time: '25:00' })
  const earlier = await desk.send(at, { day: '2030-03-12', time: '20:15' })
  const afterTime = await timesOf()
  await desk.get(earlier.headers.location ?? '')
  await desk.send(at)
  await app.send({ as: 'editor', method: 'PATCH', path: `/events/${id}`, json: { title: 'Ball' } })
  const conflict = await desk.send(at, { day: '2030-03-21' })

  assert.match(page.text, /Now: Mar\s9, 2030/)
  assert.equal(refused.status, 422)
  assert.match(refused.text, /Choose a day/)
  assert.match(toldAfter(moved)[0], /^\/admin\/calendar\/\?week=2030-03-03&moved=\d+$/)
  assert.deepEqual(after, ['2030-03-20 22:00:00', '2030-03-21 03:30:00'])
  assert.match(calendar.text, /“Dance” was moved: Mar\s20, 2030/)
  assert.equal(undone.status, 303)
  assert.match(noTime.text, /Enter a time/)
  assert.deepEqual(afterTime, ['2030-03-12 20:15:00', '2030-03-13 01:45:00'])
  assert.deepEqual(await timesOf(), [times.start_date, times.end_date])
  assert.match(elsewhere.text, /name="back" value="\/admin\/calendar\/\?month=2030-03"/)
  assert.match(conflict.text, /Someone else has changed this event/)
  assert.deepEqual(await timesOf(), [times.start_date, times.end_date])
})
