import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { givenTerm, givenVenue, plainEvent } from '../../../test/support/given.ts'
import { isSentAhead } from '../../storage/database/postgres.pipeline.ts'

test('creating an event waits for at most six statements besides those of its commit', async (t) => {
  const app = await startTestApp(t)
  const create = () => app.send({ as: 'editor', method: 'POST', path: '/events', json: plainEvent })
  await create()
  app.statements()

  const { status } = await app.send({
    ...{ as: 'editor', method: 'POST', path: '/events' },
    json: { ...plainEvent, title: 'Ball', description: '<p>All night.</p>' },
  })

  assert.equal(status, 201)
  const statements = app.statements()
  const end = statements.indexOf('release savepoint write_of_one')
  const own = statements.slice(0, end)
  // On SQLite no statement travels, but each takes as long to begin.
  const waited = own.filter((text) => !isSentAhead(text) && !text.includes('pg_advisory_xact_lock'))
  assert.ok(waited.length <= 6, waited.join('\n'))
})

test('the answer to a new event is what a read gives afterwards', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const category = await givenTerm(app, 'categories', { name: 'Balls' })
  const kinds: readonly object[] = [
    {},
    { title: '…', description: 'A \ud800 half', excerpt: 'No\u0000thing', website: 'https://example.org/\ud800' },
    { status: 'draft', slug: '\udc00 slug', cost: '5–10 \ud800' },
    { all_day: true, featured: true, sticky: true, show_map: false, timezone: 'Asia/Tokyo' },
    { venue: venue.id, categories: [category.id], tags: ['New'] },
    { status: 'pending', title: 'Été œuvre “x”', date: '2030-01-20 10:00:00' },
  ]
  for (const more of kinds) {
    const created = await app.send({ as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, ...more } })
    assert.equal(created.status, 201, created.text)

    const read = await app.send({ as: 'editor', path: `/events/${created.body.id}` })

    const shown = JSON.parse(read.text, (name, value) => (name === 'json_ld' ? undefined : value))
    assert.deepEqual(created.body, shown)
  }
})
