import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { isOnPostgres } from '../../../../test/support/database.ts'
import { givenTerm, givenVenue, plainEvent } from '../../../../test/support/given.ts'
import { isSentAhead } from '../../../storage/database/postgres/pipeline.ts'

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

test('an event that is alone in its commit waits for at most six round trips, from its user to the commit', async (t) => {
  const app = await startTestApp(t)
  const create = (title: string) =>
    app.send({ as: 'editor', method: 'POST', path: '/events', json: { ...plainEvent, title } })
  // The use of the key is noted, and the class of the event stored, by the first ones.
  for (const title of ['One', 'Two', 'Three']) await create(title)
  await create('Four')
  app.statements()

  const { status } = await create('Five')

  assert.equal(status, 201)
  // The turn travels with the check of the key, and the changes for the audit log with what the commit reads
  // (group.commit.test.ts).
  const shared = isOnPostgres() ? ['delete from audit_pending'] : []
  const waited = app
    .statements()
    .filter((text) => !isSentAhead(text) && !shared.some((start) => text.trimStart().startsWith(start)))
  // On SQLite, what one statement derives on PostgreSQL is several.
  const most = isOnPostgres() ? 6 : 10
  assert.ok(waited.length <= most, `${waited.length}: ${waited.join('\n')}`)
})

test('creating events with links waits for few statements each, and in a batch for fewer', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const json = { ...plainEvent, venue: venue.id, organizer: { organizer: 'Club' }, categories: ['A', 'B'], tags: ['C'] }
  const first = await app.send({ as: 'editor', method: 'POST', path: '/events', json })
  // A taken slug needs more.
  const bodyOf = (title: string) => ({ ...json, title, organizer: first.body.organizer[0].id })
  const waitedFor = (statements: readonly string[]) =>
    statements.filter((text) => !isSentAhead(text) && !text.includes('pg_advisory_xact_lock'))
  app.statements()

  const { status } = await app.send({ as: 'editor', method: 'POST', path: '/events', json: bodyOf('Alone') })
  const alone = app.statements()
  const operations = Array.from({ length: 12 }, (_, place) => ({
    ...{ method: 'POST', path: '/events', body: bodyOf(`Of ${place}`) },
  }))
  const batch = await app.send({ as: 'editor', method: 'POST', path: '//cal/service/v1/batch', json: { operations } })
  const together = app.statements()

  assert.equal(status, 201)
  const own = waitedFor(alone.slice(0, alone.indexOf('release savepoint write_of_one')))
  assert.ok(own.length <= 9, own.join('\n'))
  assert.equal(batch.body.succeeded, 12)
  const begin = together.lastIndexOf('savepoint step_of_write')
  const last = waitedFor(together.slice(begin, together.lastIndexOf('release savepoint step_of_write')))
  assert.ok(last.length <= 8, last.join('\n'))
  assert.equal(batch.body.results[11].body.categories[0].count, 14)
})

test('within a batch, an operation sees what the operations before it changed, and not what was rolled back', async (t) => {
  const app = await startTestApp(t)
  const venue = await givenVenue(app)
  const create = (title: string, more: object = {}) => ({
    ...{ method: 'POST', path: '/events' },
    body: { ...plainEvent, title, venue: venue.id, tags: ['T'], ...more },
  })
  const rename = (name: string, more: object = {}) => ({
    ...{ method: 'PATCH', path: `/venues/${venue.id}`, body: { venue: name, ...more } },
  })
  const operations = [
    create('A'),
    rename('Renamed'),
    create('B'),
    // The venue changes, and then the event is refused: its own changes are taken back.
    create('C', { venue: { venue: 'New hall' }, organizer: { organizer: 'Club' }, image: 999 }),
    create('D'),
    { method: 'DELETE', path: `/venues/${venue.id}` },
  ]

  const { body } = await app.send({
    as: 'editor',
    method: 'POST',
    path: '//cal/service/v1/batch',
    json: { operations },
  })

  assert.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [201, 200, 201, 400, 201, 200],
  )
  const [a, , b, , d] = body.results.map((result: { body: unknown }) => result.body)
  assert.deepEqual([a.venue.venue, b.venue.venue, d.venue.venue], [venue.venue, 'Renamed', 'Renamed'])
  assert.deepEqual(
    [a, b, d].map((event) => event.tags[0].count),
    [1, 2, 3],
  )
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
