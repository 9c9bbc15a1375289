import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenVenue } from '../../../test/support/given.ts'

test('what was published stays published when it is edited after the clock was set back', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { title: 'Fair' })
  const venue = await givenVenue(app, { venue: 'Hall' })

  app.pass(-7200)
  const edited = await changed(app, `/events/${event.id}`, { title: 'Fair of the town' })
  const renamed = await changed(app, `/venues/${venue.id}`, { venue: 'Great hall' })

  assert.deepEqual([edited.status, edited.date], ['publish', event.date])
  assert.equal(renamed.status, 'publish')
  assert.equal((await app.send({ path: `/events/${event.id}` })).status, 200)

  // A date that is sent counts.
  const planned = await changed(app, `/events/${event.id}`, { date: '2030-02-01 10:00:00' })
  assert.equal(planned.status, 'future')
})
