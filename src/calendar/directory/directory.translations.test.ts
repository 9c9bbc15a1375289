import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenVenue } from '../../../test/support/given.ts'

test('a field that translations share is found by search in all of them', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { zip: 'K1A' })
  await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: hall.id })

  await changed(app, `/venues/${hall.id}`, { zip: 'H2X' })

  const path = '/venues?ml_language=fr-CA&search='
  assert.equal((await app.send({ path: `${path}h2x` })).body.total, 1)
  assert.equal((await app.send({ path: `${path}k1a` })).body.total, 0)
})

test('a known name that is created again changes what its translations share', async (t) => {
  const app = await startTestApp(t)
  const hall = await givenVenue(app, { zip: 'K1A' })
  const salle = await givenVenue(app, { venue: 'Salle', ml_language: 'fr-CA', ml_translation_of: hall.id })

  await givenVenue(app, { zip: 'H2X' })

  assert.equal((await app.send({ path: `/venues/${salle.id}` })).body.zip, 'H2X')
})
