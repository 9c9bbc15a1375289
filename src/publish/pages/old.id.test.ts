import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, plainEvent } from '../../../test/support/given.ts'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'

const imported = async (app: TestApp, events: readonly object[]) => {
  const sent = { payload: Buffer.from(givenRecording(events)), headers: { 'content-type': 'application/json' } }
  const { status, text } = await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/imports', ...sent })
  assert.equal(status, 200, text)
}
const led = async (app: TestApp, path: string) => {
  const { status, headers } = await app.send({ path: `//${path}`, headers: { accept: 'text/html' } })
  return [status, headers.location]
}

test('an id of the old site leads to the imported record, also if a record here has the same id', async (t) => {
  const app = await startTestApp(t)
  const own = await givenEvent(app, { title: 'Own' })
  const venue = { id: 300, venue: 'Hall', slug: 'hall', global_id: 'source.test?id=300', status: 'publish' }
  const organizer = { id: 301, organizer: 'Club', slug: 'club', global_id: 'source.test?id=301', status: 'publish' }
  const tags = [{ id: 55, name: 'Loud', slug: 'loud', urls: { self: 'https://source.test/tags/55' } }]
  await imported(app, [tecEvent(100_037, { venue, organizer, tags }), tecEvent(own.id, { slug: 'old-one' })])

  assert.deepEqual(await led(app, '?p=100037'), [301, '/event/fair-100037/'])
  assert.deepEqual(await led(app, '?post_type=tribe_events&p=100037'), [301, '/event/fair-100037/'])
  assert.deepEqual(await led(app, `?p=${own.id}`), [301, '/event/old-one/'])
  assert.deepEqual(await led(app, '?p=300'), [301, '/venue/hall/'])
  assert.deepEqual(await led(app, '?p=301'), [301, '/organizer/club/'])
  assert.deepEqual(await led(app, '?p=37'), [404, undefined], 'the end of an id')
  assert.deepEqual(await led(app, '?p=55'), [404, undefined], 'the id of a term')
})

test('of several old sites the one with the name of this one counts, and hidden records are nobody’s', async (t) => {
  const app = await startTestApp(t, { PUBLIC_URL: 'https://calendar.example' })
  await imported(app, [
    tecEvent(900, {
      slug: 'other',
      global_id: 'a.test?id=900',
      rest_url: 'https://a.test/wp-json/tribe/events/v1/events/900',
    }),
    tecEvent(901, { status: 'draft' }),
  ])
  assert.deepEqual(await led(app, '?p=900'), [301, '/event/other/'])
  const here = 'calendar.example?id=900'
  await imported(app, [
    tecEvent(900, {
      slug: 'ours',
      global_id: here,
      rest_url: 'https://calendar.example/wp-json/tribe/events/v1/events/900',
    }),
  ])
  assert.deepEqual(await led(app, '?p=900'), [301, '/event/ours/'])
  assert.deepEqual(await led(app, '?p=901'), [404, undefined])

  // The id of a source is not one of an old site.
  const path = `//cal/service/v1/sources/s/events/${encodeURIComponent('x.test?id=77')}`
  assert.equal((await app.send({ as: 'editor', method: 'PUT', path, json: plainEvent })).status, 201)
  assert.deepEqual(await led(app, '?p=77'), [404, undefined])
})
