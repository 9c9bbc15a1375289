import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenVenue, plainEvent } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'

const base = '//cal/service/v1/sources'

interface Sent {
  readonly as?: Role
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
}

const send = (app: TestApp, path: string, json?: object, { as = 'author', method = 'PUT', headers }: Sent = {}) =>
  app.send({ as, method, path: `${base}/${path}`, ...(json ? { json } : {}), ...(headers ? { headers } : {}) })

test('an event is created, left alone and changed under the id of its source', async (t) => {
  const app = await startTestApp(t)
  const sent = { ...plainEvent, tags: ['Loud'], venue: { venue: 'Hall' }, source_url: 'https://example.org/881' }

  const created = await send(app, 'osheaga/events/881', sent)
  const revision = await app.deps.storage.revision()
  const again = await send(app, 'osheaga/events/881', { ...sent })
  assert.equal(await app.deps.storage.revision(), revision)
  const other = await send(app, 'osheaga/events/881', { ...sent, title: 'Recital' })
  const read = await send(app, 'osheaga/events/881', undefined, { method: 'GET' })

  assert.deepEqual([created.status, again.status, other.status, read.status], [201, 204, 200, 200], created.text)
  assert.equal(again.text, '')
  assert.deepEqual([other.body.id, other.body.title, read.body.title], [created.body.id, 'Recital', 'Recital'])
  assert.deepEqual(created.body.source, { name: 'osheaga', external_id: '881', url: 'https://example.org/881' })
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
  assert.equal(created.headers['x-record-version'], '0')
})

test('only those who may edit a record see its source', async (t) => {
  const app = await startTestApp(t)
  const { body } = await send(app, 'osheaga/events/881', plainEvent)
  const sourceFor = async (as?: Role) =>
    (await app.send({ ...(as ? { as } : {}), path: `/events/${body.id}` })).body.source?.external_id

  assert.deepEqual(
    [await sourceFor(), await sourceFor('subscriber'), await sourceFor('contributor'), await sourceFor('author')],
    [undefined, undefined, undefined, '881'],
  )
  assert.equal(await sourceFor('editor'), '881')
})

test('of many at the same time one creates', async (t) => {
  const app = await startTestApp(t)

  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, n) => send(app, 'osheaga/events/1', { ...plainEvent, title: `T${n % 2}` })),
  )

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.ok(answers.every(({ status }) => [200, 201, 204].includes(status)))
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
})

test('a source belongs to who first wrote it, and administrators may use it', async (t) => {
  const app = await startTestApp(t)
  await send(app, 'mine/events/1', plainEvent)
  const codeOf = async (as: Role, method: 'GET' | 'PUT' | 'DELETE') => {
    const { status, body } = await send(app, 'mine/events/1', method === 'PUT' ? plainEvent : undefined, { as, method })
    return `${status} ${body?.code ?? ''}`
  }

  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    assert.equal(await codeOf('editor', method), '403 source-of-another-user')
    assert.equal(await codeOf('subscriber', method), '403 rest_forbidden')
  }
  assert.equal((await app.send({ path: `${base}/mine/events/1` })).status, 401)
  assert.equal(await codeOf('administrator', 'PUT'), '204 ')
  assert.equal(
    (
      await send(
        app,
        'mine/sweep',
        { seen_since: '2030-01-01T00:00:00Z', action: 'trash' },
        { as: 'editor', method: 'POST' },
      )
    ).status,
    403,
  )
  // It still belongs to the author.
  assert.equal(await codeOf('author', 'PUT'), '204 ')
})

test('a name that a contributor took first keeps no feed of an editor out', async (t) => {
  const app = await startTestApp(t)
  await send(app, 'city-feed/events/1', plainEvent, { as: 'contributor' })

  assert.equal((await send(app, 'city-feed/events/2', plainEvent, { as: 'author' })).status, 403)
  assert.equal((await send(app, 'city-feed/events/2', plainEvent, { as: 'editor' })).status, 201)
  assert.equal((await send(app, 'city-feed/events/3', plainEvent, { as: 'contributor' })).status, 201)
})

test('a contributor sends drafts, and loses them when they are published', async (t) => {
  const app = await startTestApp(t)
  const { status, body } = await send(app, 'club/events/1', plainEvent, { as: 'contributor' })
  assert.deepEqual([status, body.status], [201, 'draft'])
  assert.equal((await app.send({ path: `/events/${body.id}` })).status, 403)

  await changed(app, `/events/${body.id}`, { status: 'publish' })

  assert.equal((await send(app, 'club/events/1', { ...plainEvent, title: 'X' }, { as: 'contributor' })).status, 403)
  assert.equal((await send(app, 'club/events/1', plainEvent, { as: 'contributor' })).status, 204)
})

test('what was edited here is kept and told, unless it is forced', async (t) => {
  const app = await startTestApp(t)
  const sent = { ...plainEvent, description: 'Long', cost: '5' }
  const { body } = await send(app, 's/events/1', sent)
  await changed(app, `/events/${body.id}`, { title: 'Edited', end_date: '2030-01-22 22:00:00' })

  const first = await send(app, 's/events/1', { ...sent, title: 'Theirs', cost: '6' })
  assert.deepEqual([first.status, first.headers['x-fields-kept']], [200, 'title, start_date, end_date'])
  assert.deepEqual([first.body.title, first.body.cost, first.body.end_date], ['Edited', '$6', '2030-01-22 22:00:00'])
  // It is still known as edited at the next change.
  const second = await send(app, 's/events/1', { ...sent, title: 'Again', description: 'Short' })
  assert.deepEqual([second.headers['x-fields-kept'], second.body.title], ['title, start_date, end_date', 'Edited'])

  const forced = await send(app, 's/events/1', { ...sent, title: 'Again', description: 'Short', force: true })
  assert.deepEqual([forced.status, forced.headers['x-fields-kept']], [200, undefined])
  assert.deepEqual([forced.body.title, forced.body.end_date], ['Again', '2030-01-22 21:00:00'])
  const last = await send(app, 's/events/1', { ...sent, title: 'Last' })
  assert.deepEqual([last.body.title, last.headers['x-fields-kept']], ['Last', undefined])
  assert.equal((await send(app, 's/events/1', { ...sent, title: 'Last', force: true })).status, 204)
})

test('what was added here and not sent before is kept too, and links and terms as a whole', async (t) => {
  const app = await startTestApp(t)
  const { body } = await send(app, 's/events/1', { ...plainEvent, tags: ['A'] })
  await changed(app, `/events/${body.id}`, { description: 'Ours', tags: ['A', 'B'] })

  const answer = await send(app, 's/events/1', {
    ...plainEvent,
    tags: ['C'],
    description: 'Theirs',
    website: 'https://example.org/',
  })

  assert.equal(answer.headers['x-fields-kept'], 'description, tags')
  assert.equal(answer.body.website, 'https://example.org/')
  assert.match(answer.body.description, /Ours/)
})

test('an event in the trash stays there if an editor put it there, and comes back if its source did', async (t) => {
  const app = await startTestApp(t)
  const { body } = await send(app, 's/events/1', plainEvent)
  await app.send({ as: 'editor', method: 'DELETE', path: `/events/${body.id}` })
  assert.equal((await send(app, 's/events/1', plainEvent)).status, 204)
  const kept = await send(app, 's/events/1', { ...plainEvent, title: 'New' })
  assert.deepEqual([kept.status, kept.headers['x-fields-kept']], [204, 'status'])
  assert.equal((await app.send({ as: 'editor', path: `/events/${body.id}` })).body.code, 'event-no-longer-available')
  const forced = await send(app, 's/events/1', { ...plainEvent, title: 'New', force: true })
  assert.deepEqual([forced.status, forced.body.status, forced.body.title], [200, 'publish', 'New'])

  const removed = await send(app, 's/events/1', undefined, { method: 'DELETE' })
  const twice = await send(app, 's/events/1', undefined, { method: 'DELETE' })
  assert.deepEqual([removed.status, removed.body.status, twice.status], [200, 'trash', 200])
  const back = await send(app, 's/events/1', { ...plainEvent, title: 'New' })
  assert.deepEqual([back.status, back.body.status, back.body.id], [200, 'publish', body.id])
})

test('venues and organizers have ids of their source, by which events link to them', async (t) => {
  const app = await startTestApp(t)
  const hall = await send(app, 's/venues/v1', { venue: 'City Hall', address: '1 Main', geo_lat: 45.5, geo_lng: -73.5 })
  const other = await send(app, 's/venues/v2', { venue: 'City Hall', address: '2 Side' })
  const club = await send(app, 's/organizers/o/1'.replace('o/1', 'o%2F1'), { organizer: 'Club' })
  assert.deepEqual([hall.status, other.status, club.status], [201, 201, 201], hall.text + club.text)
  assert.notEqual(hall.body.id, other.body.id)
  assert.deepEqual([other.body.venue, other.body.address], ['City Hall', '2 Side'])
  assert.equal(club.body.source.external_id, 'o/1')

  const links = { venue: { external_id: 'v2' }, organizer: [{ source: 's', external_id: 'o/1' }] }
  const event = await send(app, 's/events/1', { ...plainEvent, ...links })
  assert.deepEqual([event.body.venue.id, event.body.organizer[0].id], [other.body.id, club.body.id], event.text)
  assert.equal((await send(app, 's/events/1', { ...plainEvent, ...links })).status, 204)

  const unknown = await send(app, 's/events/2', { ...plainEvent, venue: { external_id: 'v9' } })
  assert.deepEqual([unknown.status, Object.keys(unknown.body.errors)], [400, ['venue']])
  const foreign = await send(
    app,
    'e/events/2',
    { ...plainEvent, venue: { source: 's', external_id: 'v1' } },
    { as: 'editor' },
  )
  assert.equal(foreign.status, 400)

  await changed(app, `/venues/${hall.body.id}`, { geo_lat: 46, geo_lng: -73 })
  const moved = await send(app, 's/venues/v1', { venue: 'Old Hall', geo_lat: 45.6, geo_lng: -73.5 })
  assert.deepEqual([moved.status, moved.headers['x-fields-kept']], [200, 'geo_lat, geo_lng'])
  assert.deepEqual([moved.body.venue, moved.body.geo_lat], ['Old Hall', 46])
})

test('a venue that exists is used, unless it has another address', async (t) => {
  const app = await startTestApp(t)
  const ours = await givenVenue(app, { venue: 'Hall', city: 'Laval' }, 'author')

  assert.equal((await send(app, 's/venues/1', { venue: 'Hall', city: 'laval' })).body.id, ours.id)
  assert.notEqual((await send(app, 's/venues/2', { venue: 'Hall', city: 'Laval' })).body.id, ours.id, 'named already')
  assert.notEqual((await send(app, 't/venues/1', { venue: 'Hall', city: 'Paris' })).body.id, ours.id)
})

test('the creation in the namespace of events takes a source as well', async (t) => {
  const app = await startTestApp(t)
  const event = await givenEvent(app, { source: 's', external_id: '1', source_url: 'https://example.org/1' }, 'author')
  assert.deepEqual(event.source, { name: 's', external_id: '1', url: 'https://example.org/1' })
  const venue = await givenVenue(app, { source: 's', external_id: '1' }, 'author')
  assert.equal(venue.source.name, 's')

  const create = (json: object, as: Role = 'author') =>
    app.send({ as, method: 'POST', path: '/events', json: { ...plainEvent, ...json } })
  const again = await create({ source: 's', external_id: '1' })
  assert.deepEqual([again.status, again.body.code, again.body.data.id], [409, 'external-id-exists', event.id])
  assert.equal((await create({ source: 's', external_id: '2' }, 'editor')).body.code, 'source-of-another-user')
  assert.deepEqual((await create({ source: 's' })).body.data.params, ['external_id'])
  assert.equal((await create({ source: 'S!', external_id: '2' })).status, 400)
  assert.equal((await app.send({ path: '/events' })).body.total, 1)

  await changed(app, `/events/${event.id}`, { title: 'Edited' })
  const put = await send(app, 's/events/1', { ...plainEvent, title: 'Theirs' })
  assert.deepEqual([put.status, put.headers['x-fields-kept']], [200, 'title'])
})

test('preconditions and idempotency keys apply', async (t) => {
  const app = await startTestApp(t)
  await send(app, 's/events/1', plainEvent)
  const late = await send(app, 's/events/1', { ...plainEvent, title: 'A' }, { headers: { 'if-match': '"7"' } })
  assert.deepEqual([late.status, late.body.code], [412, 'precondition-failed'])
  const timely = await send(app, 's/events/1', { ...plainEvent, title: 'A' }, { headers: { 'if-match': '"0"' } })
  assert.equal(timely.status, 200)

  const headers = { 'idempotency-key': 'k' }
  const first = await send(app, 's/events/2', plainEvent, { headers })
  const again = await send(app, 's/events/2', plainEvent, { headers })
  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.equal((await send(app, 's/events/2', { ...plainEvent, title: 'B' }, { headers })).status, 422)
})

test('a password is always written, and is in no digest', async (t) => {
  const app = await startTestApp(t)
  const sent = { ...plainEvent, event_password: 'secret' }
  await send(app, 's/events/1', sent)

  assert.equal((await send(app, 's/events/1', sent)).status, 200)
  const rows = await app.deps.storage.db.selectFrom('imported_records').selectAll().execute()
  assert.deepEqual(
    rows.map(({ digest }) => digest),
    [''],
  )
})

test('names that are none are refused', async (t) => {
  const app = await startTestApp(t)
  for (const path of [
    'S/events/1',
    'a_b/events/1',
    `${'a'.repeat(65)}/events/1`,
    's/events/%20',
    's/events/a%00b',
    `s/events/${'x'.repeat(256)}`,
  ]) {
    const { status, body } = await send(app, path, plainEvent)
    assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], path)
  }
  assert.equal((await send(app, 'S/events/1', plainEvent, { as: 'subscriber' })).status, 403, 'rights come first')
  assert.equal((await send(app, 's/events/1', undefined, { method: 'GET' })).status, 404)
  const deep = JSON.parse(`${'['.repeat(3000)}1${']'.repeat(3000)}`)
  assert.equal((await send(app, 's/events/1', { ...plainEvent, tags: deep })).status, 413)
  const missing = await send(app, 's/events/1', { title: 'X' })
  assert.deepEqual([missing.status, missing.body.code], [400, 'rest_missing_callback_param'])
})

test('a user who owned a source and was removed leaves it to administrators', async (t) => {
  const app = await startTestApp(t)
  await send(app, 's/events/1', plainEvent)
  await app.deps.storage.write((tx) => tx.updateTable('sources').set({ user_id: null }).execute())

  assert.equal((await send(app, 's/events/1', plainEvent)).status, 403)
  assert.equal((await send(app, 's/events/1', plainEvent, { as: 'administrator' })).status, 204)
})
