import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import {
  changed,
  givenEvent,
  givenOrganizer,
  givenTerm,
  givenVenue,
  listedIds,
} from '../../../../test/support/given.ts'
import { publishDue } from '../write/schedule.ts'

test('nobody publishes the draft of somebody else by linking it', async (t) => {
  const app = await startTestApp(t)
  const draft = await givenVenue(app, { venue: 'Secret hall', status: 'draft' })
  const pending = await givenOrganizer(app, { organizer: 'Secret club', status: 'pending' }, 'contributor')
  const links = { venue: draft.id, organizer: [pending.id] }
  const event = await givenEvent(app, links, 'author')
  const scheduled = await givenEvent(app, { ...links, date: '2030-01-16 00:00:00' }, 'author')
  await changed(app, `/events/${event.id}`, { title: 'Changed' }, 'author')
  app.pass(86_400)
  await publishDue(app.deps)

  for (const { id } of [event, scheduled]) {
    const { body } = await app.send({ path: `/events/${id}` })
    assert.deepEqual([body.status, body.venue, body.organizer], ['publish', [], []])
  }
  assert.equal((await app.send({ path: `/venues/${draft.id}` })).status, 403)
  assert.equal((await app.send({ path: `/organizers/${pending.id}` })).status, 403)

  await changed(app, `/events/${event.id}`, { title: 'Checked' }, 'editor')

  assert.equal((await app.send({ path: `/events/${event.id}` })).body.venue.id, draft.id)
  assert.equal((await app.send({ path: `/organizers/${pending.id}` })).body.status, 'publish')
})

test('filters do not find a protected event by what its password hides, but for those who may edit it', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app, { geo_lat: 45.5, geo_lng: -73.5 })
  const organizer = await givenOrganizer(app)
  const category = await givenTerm(app, 'categories', { name: 'Music' })
  const tag = await givenTerm(app, 'tags', { name: 'kids' })
  const inside = { venue: venue.id, organizer: organizer.id, categories: [category.id], tags: [tag.id], featured: true }
  const { id } = await givenEvent(app, inside, 'author')
  const filters = [
    ...[`venue=${venue.id}`, `organizer=${organizer.id}`, `categories=${category.id}`, `tags=${tag.id}`],
    ...['featured=true', 'geoloc=true', `include=${id}&featured=true`],
  ]
  for (const filter of filters) assert.deepEqual(await listedIds(app, filter), [id], filter)

  await changed(app, `/events/${id}`, { event_password: 'secret' })

  for (const filter of [...filters, 'featured=false']) {
    for (const password of ['', '&password=secret']) {
      assert.deepEqual(await listedIds(app, `${filter}${password}`), [], filter)
      assert.deepEqual(await listedIds(app, `${filter}${password}`, 'contributor'), [], filter)
    }
    for (const role of ['author', 'editor'] as const) {
      assert.deepEqual(await listedIds(app, filter, role), filter === 'featured=false' ? [] : [id], filter)
    }
  }
  for (const path of ['/venues?has_events=1', '/organizers?only_with_upcoming=1']) {
    assert.equal((await app.send({ path })).body.total, 0, path)
    assert.equal((await app.send({ path, as: 'author' })).body.total, 1, path)
  }
  await changed(app, `/events/${id}`, { event_password: '' })

  for (const filter of filters) assert.deepEqual(await listedIds(app, filter), [id], filter)
})

test('the list of events does not tell where they are when the place is not for the caller', async (t) => {
  const app = await startTestApp(t)
  const secret = await givenVenue(app, { venue: 'Hidden', status: 'private' })
  const trashed = await givenVenue(app, { venue: 'Gone' })
  const { id } = await givenEvent(app, { venue: secret.id })
  await givenEvent(app, { venue: trashed.id })
  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${trashed.id}` })

  assert.deepEqual(await listedIds(app, `venue=${secret.id}`), [])
  assert.deepEqual(await listedIds(app, `venue=${secret.id},${trashed.id}`, 'subscriber'), [])
  assert.deepEqual(await listedIds(app, `venue=${secret.id}`, 'author'), [])
  assert.deepEqual(await listedIds(app, `venue=${secret.id},${trashed.id}`, 'editor'), [id])
  await changed(app, `/venues/${secret.id}`, { status: 'publish' })

  assert.deepEqual(await listedIds(app, `venue=${secret.id}`), [id])
})

test('an id of a record that is no event is told apart from an unknown one', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const answerTo = async (id: number | string) => {
    const { status, body } = await app.send({ path: `/events/${id}` })
    return [status, body.code]
  }

  assert.deepEqual(await answerTo(venue.id), [400, 'rest-invalid-event-id'])
  assert.deepEqual(await answerTo(999_999), [404, 'rest-event-not-found'])
})
