import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenVenue, plainEvent } from '../../../test/support/given.ts'

const name = 'Community Hall'

test('a venue that is apart is the one of its name and place, or a new one, and changes none', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: name, city: 'Sutton', address: '5 Main', phone: '1' })
  const bare = await givenVenue(app, { venue: name, apart: true, city: 'Nowhere' })
  await app.send({ as: 'editor', method: 'PATCH', path: `/venues/${bare.id}`, json: { city: '' } })
  const idOf = async (fields: object) => (await givenVenue(app, { venue: name, apart: true, ...fields })).id

  const laval = await idOf({ city: 'Laval' })
  const found = [
    await idOf({ city: 'SUTTON', phone: '2' }),
    await idOf({ address: '5 main' }),
    await idOf({}),
    await idOf({ city: 'laval', address: '1 Rue' }),
  ]
  const road = await idOf({ city: 'Sutton', address: '7 Road' })
  const read = (await app.send({ path: `/venues/${sutton.id}` })).body

  assert.equal(new Set([sutton.id, bare.id, laval, road]).size, 4)
  assert.deepEqual(found, [sutton.id, sutton.id, sutton.id, laval])
  assert.deepEqual([read.city, read.address, read.phone, read.modified], ['Sutton', '5 Main', '1', sutton.modified])
})

test('an event of the contract with a venue of a known name still changes that venue, and one apart does not', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: name, city: 'Sutton' })

  const apart = await givenEvent(app, { venue: { venue: name, city: 'Laval', apart: true } })
  const kept = (await app.send({ path: `/venues/${sutton.id}` })).body.city
  const merged = await givenEvent(app, { venue: { venue: name, city: 'Laval' } })

  assert.notEqual(apart.venue.id, sutton.id)
  assert.equal(kept, 'Sutton')
  assert.deepEqual([merged.venue.id, merged.venue.city], [sutton.id, 'Laval'])
})

test('a venue in an event of a source changes nobody’s venue of its name', async (t) => {
  const app = await startTestApp(t)
  const sutton = await givenVenue(app, { venue: name, city: 'Sutton', phone: '1' })
  const club = await givenOrganizer(app, { organizer: 'Club', phone: '1' })
  const put = (id: string, venue: object) =>
    app.send({
      ...{ as: 'editor', method: 'PUT', path: `//cal/service/v1/sources/feed/events/${id}` },
      json: { ...plainEvent, title: id, venue, organizer: { organizer: 'Club', phone: '9' } },
    })

  const laval = await put('1', { venue: name, city: 'Laval' })
  const again = await put('2', { venue: name, city: 'Laval' })
  const same = await put('3', { venue: name, city: 'Sutton', phone: '9' })
  const moved = await put('3', { venue: name, city: 'Québec' })
  const lines = await app.send({
    ...{ as: 'editor', method: 'POST', path: '//cal/service/v1/sources/feed/import' },
    headers: { 'content-type': 'application/x-ndjson' },
    payload: Buffer.from(JSON.stringify({ external_id: '4', ...plainEvent, venue: { venue: name, city: 'Gatineau' } })),
  })
  const { venues } = (await app.send({ path: '/venues' })).body
  const read = (await app.send({ path: `/venues/${sutton.id}` })).body

  assert.equal(lines.status, 200, lines.text)
  assert.deepEqual([laval.status, again.body.venue.id, same.body.venue.id], [201, laval.body.venue.id, sutton.id])
  assert.equal(moved.body.venue.city, 'Québec')
  assert.deepEqual([read.city, read.phone], ['Sutton', '1'])
  assert.deepEqual(venues.map(({ city }: { readonly city: string }) => city).toSorted(), [
    'Gatineau',
    'Laval',
    'Québec',
    'Sutton',
  ])
  assert.equal((await app.send({ path: `/organizers/${club.id}` })).body.phone, '1')
})
