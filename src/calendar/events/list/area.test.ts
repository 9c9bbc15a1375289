import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, givenVenue, listedIds } from '../../../../test/support/given.ts'

const montreal = { geo_lat: 45.5019, geo_lng: -73.5674 }
const quebec = { geo_lat: 46.8139, geo_lng: -71.208 }
const near = ({ geo_lat, geo_lng }: typeof montreal) =>
  `geoloc=1&geoloc_radius=10&geoloc_lat=${geo_lat}&geoloc_lng=${geo_lng}`
const french = { ml_language: 'fr-CA' }

async function givenPlace(app: TestApp) {
  const hall = await givenVenue(app, { venue: 'Hall', ...montreal })
  const salle = await givenVenue(app, { venue: 'Salle', ...french, ml_translation_of: hall.id })
  return { hall, salle }
}

test('an event is at its venue by whichever version of it is published', async (t) => {
  const app = await startTestApp(t)
  const { hall, salle } = await givenPlace(app)
  const { id } = await givenEvent(app, { venue: salle.id })

  await app.send({ as: 'editor', method: 'DELETE', path: `/venues/${hall.id}` })
  assert.deepEqual(await listedIds(app, near(montreal)), [id])
  await changed(app, `/venues/${salle.id}`, { status: 'draft' })
  assert.deepEqual(await listedIds(app, near(montreal)), [])
  assert.deepEqual(await listedIds(app, 'geoloc=1'), [])
  assert.deepEqual(await listedIds(app, near(montreal), 'editor'), [id], 'who may read the venue is shown it')
})

test('where versions of a venue stand apart, an event is at the one that it shows', async (t) => {
  const app = await startTestApp(t, { SHARE_FIELDS: 'false', EVENTS_FALLBACK: 'any' })
  const { hall, salle } = await givenPlace(app)
  await changed(app, `/venues/${salle.id}`, quebec)
  const english = await givenEvent(app, { venue: hall.id })
  const other = await givenEvent(app, { ...french, venue: hall.id })
  const listed = async (language: string) => [
    await listedIds(app, `${near(montreal)}${language}`),
    await listedIds(app, `${near(quebec)}${language}`),
  ]

  assert.deepEqual(await listed(''), [[english.id], [other.id]], 'each in its own language')
  assert.deepEqual(await listed('&ml_language=en'), [[english.id, other.id], []])
  assert.deepEqual(await listed('&ml_language=fr-CA'), [[], [english.id, other.id]])
})
