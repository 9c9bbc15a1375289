import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenVenue } from '../../../test/support/given.ts'
import { givenRecording, tecEvent } from '../../../test/support/recording.ts'
import { ROLES } from '../../access/auth/actor.ts'
import { message } from '../../base/languages/texts.ts'
import { importRecordings } from '../../exchange/imports/import.service.ts'
import { readTecRecording } from '../../exchange/imports/tec.ts'
import { pruneAudit } from './audit.service.ts'

const daySeconds = 86_400

const ask = (app: TestApp, query = '', prefix = '') =>
  app.send({ as: 'administrator', path: `/${prefix}/cal/service/v1/audit?${query}` })

async function told(app: TestApp, query: string): Promise<readonly string[]> {
  const { status, text, body } = await ask(app, `per_page=500&${query}`)
  assert.equal(status, 200, text)
  return body.entries.map(({ kind, item_id, action }: Record<string, unknown>) => `${action} ${kind} ${item_id}`)
}

test('entries are for administrators', async (t) => {
  const app = await startTestApp(t)

  const statuses = []
  for (const as of [undefined, ...ROLES]) {
    statuses.push((await app.send({ ...(as ? { as } : {}), path: '//cal/service/v1/audit' })).status)
  }

  assert.deepEqual(statuses, [401, 403, 403, 403, 403, 200])
})

test('pages follow each other without gaps while entries are added', async (t) => {
  const app = await startTestApp(t)
  for (const venue of ['A', 'B', 'C', 'D']) await givenVenue(app, { venue })
  const all = (await ask(app, 'per_page=500')).body.entries.map(({ id }: { id: number }) => id)

  const seen: number[] = []
  let cursor = ''
  for (let page = 0; cursor !== null; page += 1) {
    const { body } = await ask(app, `per_page=4${cursor === '' ? '' : `&cursor=${cursor}`}`)
    seen.push(...body.entries.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
    await givenVenue(app, { venue: `New ${page}` })
  }

  assert.deepEqual(seen, all)
  assert.equal(all.length, 9)
})

test('entries are found by item, action, actor and time', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, {}, 'author')
  app.pass(3600)
  await changed(app, `/events/${id}`, { title: 'Matinée' }, 'editor')
  app.pass(3600)
  await app.send({ as: 'author', method: 'DELETE', path: `/events/${id}` })

  const [create, update, trash] = ['create', 'update', 'trash'].map((action) => `${action} event ${id}`)
  assert.deepEqual(await told(app, `kind=event&id=${id}`), [trash, update, create])
  assert.deepEqual(await told(app, 'kind=event&action=trash'), [trash])
  assert.deepEqual(await told(app, 'actor=author'), [trash, create])
  assert.deepEqual(await told(app, 'actor=4'), [update])
  assert.deepEqual(await told(app, 'actor=nobody'), [])
  assert.equal((await told(app, 'actor=service')).length, ROLES.length)
  assert.deepEqual(await told(app, 'from=2030-01-15T13:00:00Z&to=2030-01-15T08:00:00-05:00'), [update])
  assert.deepEqual(await told(app, 'from=2030-01-16'), [])
})

test('what cannot be read in a query is named, in both languages', async (t) => {
  const app = await startTestApp(t)

  for (const wrong of [
    'kind=cat',
    'id=1',
    'action=x',
    'from=now',
    'to=2030',
    'cursor=1',
    'per_page=x',
    'kind=tag&id=x',
  ]) {
    const { status, body } = await ask(app, wrong)
    const name = wrong.split('&').at(-1)?.split('=')[0] ?? ''
    assert.deepEqual([status, body.code, Object.keys(body.errors)], [400, 'rest_invalid_param', [name]], wrong)
  }
  const french = (await ask(app, 'kind=cat', '/fr')).body.errors.kind
  assert.equal(french, message('fr', 'fault.invalid', { name: 'kind' }))
})

test('a refused write and one that changes nothing of the content leave no entry', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)
  const before = await told(app, '')

  const statuses = []
  for (const request of [
    { as: 'contributor', method: 'PATCH', path: `/events/${id}`, json: { title: 'Mine' } },
    { as: 'administrator', method: 'POST', path: '/events', json: { title: 'No dates' } },
    { as: 'administrator', method: 'PATCH', path: '/events/999', json: { title: 'None' } },
    { as: 'administrator', method: 'POST', path: '/tags', json: { name: 'x', parent: 1 } },
  ] as const) {
    statuses.push((await app.send(request)).status)
  }

  assert.deepEqual(statuses, [403, 400, 404, 400])
  assert.deepEqual(await told(app, ''), before)
})

test('an update that changes nothing is recorded, even in the second in which the event was made', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, { website: 'https://example.org/' })

  await changed(app, `/events/${id}`, { website: 'https://example.org/' })

  assert.deepEqual(await told(app, `kind=event&id=${id}`), [`update event ${id}`, `create event ${id}`])
})

test('a password of an event is told of, and never it nor what is made of it', async (t) => {
  const app = await startTestApp(t)
  const { db } = app.deps.storage
  const { id } = await givenEvent(app, { event_password: 'first-secret' })
  const digest = async () =>
    (await db.selectFrom('records').select('password').where('id', '=', id).executeTakeFirstOrThrow()).password ?? ''
  const digests = [await digest()]
  await changed(app, `/events/${id}`, { event_password: 'second-secret' })
  digests.push(await digest())
  await changed(app, `/events/${id}`, { event_password: '' })

  const entries = await db.selectFrom('audit').selectAll().where('kind', '=', 'event').orderBy('id').execute()

  assert.deepEqual(
    entries.map(({ changes }) => JSON.parse(changes)),
    [{}, { event_password: { before: 'set', after: 'set' } }, { event_password: { before: 'set', after: null } }],
  )
  const pending = await sql`select * from audit_pending`.execute(db)
  assert.deepEqual(pending.rows, [])
  for (const secret of ['secret', ...digests]) assert.ok(secret !== '' && !JSON.stringify(entries).includes(secret))
})

test('what an event creates or publishes on its way, and its translations, have entries of their own', async (t) => {
  const app = await startTestApp(t)
  const { id, venue, tags } = await givenEvent(app, { venue: { venue: 'Hall' }, tags: ['jazz'] })
  const created = await told(app, 'action=create&actor=administrator')
  const translation = await givenEvent(app, { ml_language: 'fr-CA', ml_translation_of: id })
  const [last] = (await ask(app, 'per_page=1')).body.entries

  await changed(app, `/events/${id}`, { start_date: '2030-01-22 20:00:00', venue: [] })

  const { entries } = (await ask(app, `per_page=500&kind=event&action=update`)).body
  const shared = entries.filter((entry: { id: number }) => entry.id > last.id)
  const change = {
    start_date: { before: '2030-01-22 19:00:00', after: '2030-01-22 20:00:00' },
    venue: { before: [venue.id], after: [] },
  }
  assert.deepEqual([...created].sort(), [`create event ${id}`, `create tag ${tags[0].id}`, `create venue ${venue.id}`])
  assert.deepEqual(
    shared.map(({ item_id, changes }: { item_id: number; changes: object }) => [item_id, changes]),
    [
      [translation.id, change],
      [id, change],
    ],
  )
})

test('an import leaves an entry for each record, and says that it is one; a rehearsal leaves none', async (t) => {
  const app = await startTestApp(t)
  const recordings = [readTecRecording('test.json', givenRecording([tecEvent(1), tecEvent(2)]))]

  await importRecordings(app.deps, recordings, { authorId: 5 as never, isDryRun: true })
  const rehearsed = await told(app, 'actor=import')
  const { events, venues, organizers, categories, tags } = await importRecordings(app.deps, recordings, {
    authorId: 5 as never,
  })

  const count = [events, venues, organizers, categories, tags].reduce((sum, { created }) => sum + created, 0)
  assert.deepEqual(rehearsed, [])
  assert.equal((await told(app, 'actor=import&action=create')).length, count)
})

test('what is older than the retention goes, by whoever is first, and 0 keeps everything', async (t) => {
  const app = await startTestApp(t, { AUDIT_RETENTION_DAYS: '30' })
  const forEver = { ...app.deps, config: { ...app.deps.config, auditRetentionDays: 0 } }
  app.pass(20 * daySeconds)
  await givenVenue(app)
  app.pass(11 * daySeconds)

  const removed = [await pruneAudit(forEver), ...(await Promise.all([pruneAudit(app.deps), pruneAudit(app.deps)]))]

  assert.equal(removed[0], 0)
  assert.equal((removed[1] ?? 0) + (removed[2] ?? 0), ROLES.length)
  assert.deepEqual(
    (await told(app, '')).map((entry) => entry.split(' ').slice(0, 2).join(' ')),
    ['prune audit', 'create venue'],
  )
  assert.equal(await pruneAudit(app.deps), 0)
})

test('the client is who a trusted proxy says, and what is no name of a request is left out', async (t) => {
  const headers = { 'x-forwarded-for': '192.0.2.7', 'x-request-id': 'a b' }
  const sources = []
  for (const trust of ['true', 'false']) {
    const app = await startTestApp(t, { TRUST_PROXY: trust })
    await app.send({ as: 'editor', method: 'POST', path: '/venues', json: { venue: 'Hall' }, headers })
    sources.push((await ask(app, 'kind=venue')).body.entries[0].from)
  }

  assert.deepEqual(sources, [
    { address: '192.0.2.7', request_id: null },
    { address: '127.0.0.1', request_id: null },
  ])
})
