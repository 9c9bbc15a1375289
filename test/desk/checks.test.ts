import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../support/app.ts'
import { givenDesk } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'

const checksIn = (text: string) => (JSON.parse(text) as { readonly checks: readonly { field: string }[] }).checks

test('what is typed is checked without being saved: times, weekdays, rooms, languages, pictures', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { venue: 'Hall' })
  await givenEvent(app, {
    title: 'Dance',
    venue: hall.id,
    start_date: '2030-03-05 19:00:00',
    end_date: '2030-03-05 22:00:00',
  })
  const { id } = await givenEvent(app, {
    title: 'Fair',
    start_date: '2030-02-05 19:00:00',
    end_date: '2030-02-05 22:00:00',
  })
  const desk = await givenDesk(app, 'editor')
  await desk.get(`/admin/events/${id}/`)
  const check = async (fields: Readonly<Record<string, string>>) => {
    const { status, text } = await desk.send(`/admin/events/${id}/`, { ...fields, to: 'checks' })
    assert.equal(status, 200)
    return checksIn(text).map(({ field }) => field)
  }
  const times = { start: '2030-03-05 20:00', end: '2030-03-05 21:00' }
  const complete = { 'title.fr-CA': 'La foire', image: 'chosen', decorative: '1', ...times }

  assert.deepEqual(await check({}), ['title.fr-CA', 'venue', 'picture'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'hall' }), ['venue'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'Other hall' }), [])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'X', decorative: '' }), ['alt.en', 'alt.fr-CA'])
  await desk.get(`/admin/events/${id}/`)
  assert.deepEqual(await check({ ...complete, venue: 'X', end: '2030-03-05 19:00', date: '3/4/2030' }), ['end', 'date'])
  await desk.get(`/admin/events/${id}/`)
  // March 5, 2030 is a Tuesday.
  assert.deepEqual(await check({ ...complete, venue: 'X', 'description.fr-CA': '<p>Venez <b>jeudi</b></p>' }), [
    'description.fr-CA',
  ])
  const { body } = await app.send({ path: `/events/${id}` })
  assert.deepEqual([body.title, body.start_date], ['Fair', '2030-02-05 19:00:00'])
})

test('checks need the token of the session, and show nothing to those who may not change the event', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { title: 'Fair' })
  const editor = await givenDesk(app, 'editor')
  await editor.get(`/admin/events/${id}/`)
  const forged = await editor.send(`/admin/events/${id}/`, { to: 'checks', csrf: 'x' })
  const author = await givenDesk(app, 'author')
  await author.get('/admin/events/new/')
  const foreign = await author.send(`/admin/events/${id}/`, { to: 'checks' })

  assert.equal(forged.status, 403)
  assert.deepEqual(Object.keys(forged.body ?? JSON.parse(forged.text)), ['csrf'])
  assert.equal(foreign.status, 404)
})
