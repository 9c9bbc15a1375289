import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'
import { fieldsIn, givenDesk } from '../support/desk.ts'
import { givenEvent, givenVenue } from '../support/given.ts'

const hall = 'Community Hall'
const when = { start: '2030-05-01 19:00', end: '2030-05-01 21:00' }

const venuesOf = async (app: TestApp, as?: 'editor') =>
  (await app.send({ ...(as ? { as } : {}), path: '/venues' })).body.venues.map(
    ({ venue, city = '' }: { readonly venue: string; readonly city?: string }) => `${venue}, ${city}`,
  )
const eventOf = async (app: TestApp, location: string | undefined) => {
  const id = /\/admin\/events\/(\d+)\//.exec(location ?? '')?.[1]
  return (await app.send({ as: 'editor', path: `/events/${id}` })).body
}

test('a city that is typed beside a known name is another place, and changes nobody’s', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: hall, city: 'Sutton' })
  const old = await givenEvent(app, { title: 'Old', venue: sutton.id })
  const desk = await givenDesk(app, 'editor')
  const add = async (fields: Record<string, string>) => {
    await desk.get('/admin/events/new/')
    return desk.send('/admin/events/new/', { 'title.en': 'New', ...when, to: 'publish', ...fields })
  }

  const laval = await eventOf(app, (await add({ venue: hall, venue_city: 'Laval' })).headers.location)
  const same = await eventOf(app, (await add({ venue: hall, venue_city: 'sutton' })).headers.location)
  await desk.get(`/admin/events/${old.id}/`)
  await desk.send(`/admin/events/${old.id}/`, { venue_city: 'Québec', to: 'save' })
  const moved = (await app.send({ path: `/events/${old.id}` })).body

  assert.deepEqual([laval.venue.city, laval.status], ['Laval', 'publish'])
  assert.equal(same.venue.id, sutton.id)
  assert.equal(moved.venue.city, 'Québec')
  assert.equal((await app.send({ path: `/venues/${sutton.id}` })).body.city, 'Sutton')
})

test('a name with several places is a question, and each place is offered with its town', async (t) => {
  const app = await startTestApp(t)
  await givenVenue(app, { venue: hall, city: 'Sutton' })
  const laval = await givenVenue(app, { venue: hall, city: 'Laval', apart: true })
  await givenVenue(app, { venue: 'Library', city: 'Laval' })
  const event = await givenEvent(app, {})
  const desk = await givenDesk(app, 'editor')

  const empty = await desk.get('/admin/events/new/')
  const asked = await desk.send('/admin/events/new/', { 'title.en': 'New', ...when, venue: hall, to: 'publish' })
  const chosen = await desk.send('/admin/events/new/', { venue: `${hall}, Laval`, to: 'publish' })
  const made = await eventOf(app, chosen.headers.location)
  const table = await desk.get('/admin/events/')

  for (const { text } of [empty, await desk.get(`/admin/events/${event.id}/quick/`)]) {
    const offered = [...text.matchAll(/<option value="([^"]*)"(?: label="([^"]*)")?><\/option>/g)]
    assert.deepEqual(offered.map(([, name, label]) => `${name} = ${label}`).toSorted(), [
      `${hall}, Laval = ${hall}, Laval`,
      `${hall}, Sutton = ${hall}, Sutton`,
      'Library = Library, Laval',
    ])
  }
  assert.equal(asked.status, 422)
  assert.match(
    asked.text,
    /href="#f-venue_city">City<\/a> Several venues have this name\. Write the city: Sutton · Laval/,
  )
  assert.equal(made.venue.id, laval.id)
  assert.match(
    table.text,
    />Community Hall, Sutton<\/option>[\s\S]*>Library<\/option>|>Library<\/option>[\s\S]*>Community Hall, Sutton<\/option>/,
  )
})

test('a venue that only a draft names is not public before the draft is', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')

  await desk.get('/admin/events/new/')
  const fields = { 'title.en': 'New', ...when, venue: 'New hall', venue_city: 'Laval', organizer: 'New club' }
  const saved = await desk.send('/admin/events/new/', { ...fields, to: 'draft' })
  const before = await venuesOf(app)
  const id = /\/admin\/events\/(\d+)\//.exec(saved.headers.location ?? '')?.[1]
  await desk.get(`/admin/events/${id}/`)
  await desk.send(`/admin/events/${id}/`, { to: 'publish' })
  const event = (await app.send({ path: `/events/${id}` })).body

  assert.deepEqual(before, [])
  assert.deepEqual(await venuesOf(app), ['New hall, Laval'])
  assert.deepEqual([event.venue.venue, event.organizer[0].organizer], ['New hall', 'New club'])
})

test('a new venue may have the name of one in another town, and changes it as little as one in the same town', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: hall, city: 'Sutton', phone: '1' })
  const desk = await givenDesk(app, 'editor')
  const add = async (city: string) => {
    await desk.get('/admin/venues/new/')
    return desk.send('/admin/venues/new/', { venue: hall, city, phone: '2', to: 'save' })
  }

  const statuses = [(await add('Laval')).status, (await add('Sutton')).status, (await add('')).status]

  assert.deepEqual(statuses, [303, 422, 422])
  assert.deepEqual((await venuesOf(app)).toSorted(), [`${hall}, Laval`, `${hall}, Sutton`])
  assert.equal((await app.send({ path: `/venues/${sutton.id}` })).body.phone, '1')
})

test('tags and organizers whose names have what separates names come back as the same ones', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const names = {
    tags: ['Rock, pop', 'A; B', 'Plain'],
    organizer: [{ organizer: 'Smith + Sons' }, { organizer: 'Club' }],
  }
  const { id } = await givenEvent(app, names)
  const read = async () => {
    const { tags, organizer } = (await app.send({ path: `/events/${id}` })).body
    return { tags: tags.map(nameOf), organizer: organizer.map(nameOf) }
  }
  const nameOf = ({ name, organizer = name }: { readonly name?: string; readonly organizer?: string }) => organizer
  const total = async (kind: string) => (await app.send({ as: 'editor', path: `/${kind}?hide_empty=false` })).body.total

  const page = await desk.get(`/admin/events/${id}/`)
  const { tags = '', organizer = '' } = fieldsIn(page.text)
  const saved = await desk.send(`/admin/events/${id}/`, {
    ...{ tags: `${tags}, New, one`, organizer: `${organizer} + Another`, to: 'save' },
  })

  assert.equal(saved.status, 303, saved.text)
  const after = await read()
  assert.deepEqual(after.tags.toSorted(), ['A; B', 'New', 'Plain', 'Rock, pop', 'one'])
  assert.deepEqual(after.organizer, ['Smith + Sons', 'Club', 'Another'])
  assert.deepEqual([await total('tags'), await total('organizers')], [5, 3])
  await desk.get(`/admin/events/${id}/`)
  await desk.send(`/admin/events/${id}/`, { organizer: 'Neither + Nor', to: 'save' })
  assert.deepEqual((await read()).organizer, ['Neither + Nor'])
})

test('a draft with a title alone has no date, says so, and is public only with one', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  const { text } = await desk.get('/admin/events/new/')
  const made = await desk.send('/admin/events/new/', { 'title.en': 'Only a title', to: 'draft' })
  const id = /\/events\/(\d+)\//.exec(String(made.headers.location))?.[1] ?? ''
  const editor = await desk.get(`/admin/events/${id}/`)
  const early = await desk.send(`/admin/events/${id}/`, { to: 'publish' })
  const table = await desk.get('/admin/events/?status=draft')
  await desk.get(`/admin/events/${id}/quick/`)
  const quick = await desk.send(`/admin/events/${id}/quick/`, { status: 'publish' })
  const item = fieldsIn(table.text)[`was.${id}`] ?? ''
  const many = await desk.send('/admin/events/many/', { to: 'publish', ids: id, [`was.${id}`]: item })
  const still = (await app.send({ as: 'editor', path: `/events/${id}` })).body
  await desk.get(`/admin/events/${id}/`)
  const dated = await desk.send(`/admin/events/${id}/`, { start: '2030-02-01 19:00', end: '21:00', to: 'publish' })
  const open = (await app.send({ path: `/events/${id}` })).body

  // Browsers never stop a button because of a field that is out of sight.
  assert.match(text, /class="event-editor"[^>]* novalidate/)
  assert.equal(made.status, 303, made.text)
  assert.match(editor.text, /name="start" type="text" value=""/)
  assert.match(editor.text, /href="#f-start">No date yet/)
  assert.match(table.text, /No date yet/)
  assert.deepEqual([early.status, quick.status], [422, 422])
  assert.match(early.text, /href="#f-start"/)
  assert.match(quick.text, /No date yet/)
  assert.match(
    (await desk.get(String(many.headers.location))).text,
    /Only a title[\s\S]*No date yet\. The event needs one/,
  )
  assert.equal(still.status, 'draft')
  assert.equal(dated.status, 303, dated.text)
  assert.deepEqual(
    [open.status, open.start_date, open.end_date],
    ['publish', '2030-02-01 19:00:00', '2030-02-01 21:00:00'],
  )
})

test('the day that stands in for a missing date is shown nowhere, and no action moves it', async (t) => {
  const app = await startTestApp(t)
  const desk = await givenDesk(app, 'editor')
  await desk.get('/admin/events/new/')
  const made = await desk.send('/admin/events/new/', { 'title.en': 'Only a title', to: 'draft' })
  const id = /\/events\/(\d+)\//.exec(String(made.headers.location))?.[1] ?? ''
  const read = async () => (await app.send({ as: 'editor', path: `/events/${id}` })).body
  const item = fieldsIn((await desk.get('/admin/events/?status=draft')).text)[`was.${id}`] ?? ''
  const many = { ids: id, [`was.${id}`]: item }
  const started = (await read()).start_date
  const asked = await desk.send('/admin/events/many/', { to: 'shift', ...many })
  const shifted = await desk.send('/admin/events/many/', { to: 'shift', asked: '1', days: '7', ...many })
  const unmoved = await desk.get(String(shifted.headers.location))
  assert.equal((await read()).start_date, started)
  const preview = await desk.get(`/admin/events/${id}/preview/`)
  const move = await desk.get(`/admin/calendar/${id}/move/`)
  const series = await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events' },
    json: {
      title: 'Weekly',
      start_date: '2030-01-01 10:00:00',
      end_date: '2030-01-01 11:00:00',
      recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' },
    },
  })
  const join = await desk.get(`/admin/series/${series.body.series.id}/?join=`)
  await desk.get(`/admin/events/${id}/`)
  await desk.send(`/admin/events/${id}/`, { start: '2030-02-01 19:00', end: '21:00', to: 'draft' })
  const history = await desk.get(`/admin/events/${id}/history/`)
  const [, entry = ''] = [...history.text.matchAll(/restore=(\d+)/g)].map(([, one]) => one)
  await desk.get(`/admin/events/${id}/`)
  const typed = await desk.send(`/admin/events/${id}/`, { start: '9999-01-01 19:00', end: '21:00', to: 'publish' })
  const restored = await desk.get(`/admin/events/${id}/?restore=${entry || /restore=(\d+)/.exec(history.text)?.[1]}`)
  await desk.send(`/admin/events/${id}/`, { start: '', end: '', to: 'draft' })
  const dateless = fieldsIn((await desk.get('/admin/events/?status=draft')).text)[`was.${id}`] ?? ''
  const trashed = await desk.send('/admin/events/many/', { to: 'trash', ids: id, [`was.${id}`]: dateless })
  const gone = await desk.get(String(trashed.headers.location))

  assert.match(asked.text, /Only a title <span class="hint">No date yet<\/span>/)
  assert.match(unmoved.text, /Only a title[\s\S]*No date yet/)
  assert.match(preview.text, /It has no date yet/)
  assert.equal(move.status, 303)
  assert.match(join.text, /id="join"/)
  assert.doesNotMatch(join.text, /Only a title/)
  assert.match(history.text, /<dt>Start<\/dt>/)
  assert.doesNotMatch(history.text, /9999/)
  assert.equal(typed.status, 422)
  assert.match(restored.text, /name="start" type="text" value=""/)
  assert.match(gone.text, /Only a title/)
  assert.doesNotMatch(gone.text, /9999[^-]/)
})
