import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { changed, plainEvent } from '../../../test/support/given.ts'
import type { Role } from '../../access/auth/actor.ts'

const base = '//cal/service/v1/sources'

async function put(app: TestApp, externalId: string, sent: object = {}, as: Role = 'author') {
  const path = `${base}/s/events/${externalId}`
  const answer = await app.send({ as, method: 'PUT', path, json: { ...plainEvent, ...sent } })
  assert.ok(answer.status < 300, answer.text)
  return answer
}

const sweep = (app: TestApp, json: object, as: Role = 'author') =>
  app.send({ as, method: 'POST', path: `${base}/s/sweep`, json: { seen_since: '2030-01-15T12:01:00Z', ...json } })

const idsOf = ({ body }: { readonly body: { readonly records: readonly { readonly external_id: string }[] } }) =>
  body.records.map(({ external_id }) => external_id)

/** Sends a, b and c, and an hour later b again. */
async function givenSeen(app: TestApp) {
  for (const name of ['a', 'b', 'c']) await put(app, name)
  app.pass(3600)
  assert.equal((await put(app, 'b')).status, 204)
}

test('what was not sent for some time goes to the trash, after a dry run, and comes back when it is sent', async (t) => {
  const app = await startTestApp(t)
  await givenSeen(app)

  const dry = await sweep(app, { action: 'trash', dry_run: true })
  assert.deepEqual([dry.status, dry.body.dry_run, dry.body.count, dry.body.undo], [200, true, 2, null], dry.text)
  assert.equal((await app.send({ path: '/events' })).body.total, 3)
  const swept = await sweep(app, { action: 'trash' })
  assert.deepEqual(
    [idsOf(dry), idsOf(swept)],
    [
      ['a', 'c'],
      ['a', 'c'],
    ],
  )
  assert.equal((await app.send({ path: '/events' })).body.total, 1)
  assert.equal((await sweep(app, { action: 'trash' })).body.count, 0)

  const back = await put(app, 'a')
  assert.deepEqual([back.status, back.body.status], [200, 'publish'])
  assert.equal((await app.send({ path: '/events' })).body.total, 2)
})

test('a sweep that cancels can be undone, and events that are sent again take place', async (t) => {
  const app = await startTestApp(t)
  await givenSeen(app)

  assert.deepEqual(idsOf(await sweep(app, { action: 'cancel', dry_run: true })), ['a', 'c'])
  const swept = await sweep(app, { action: 'cancel' })
  assert.deepEqual(idsOf(swept), ['a', 'c'])
  assert.equal((await sweep(app, { action: 'cancel' })).body.count, 0)
  const again = await put(app, 'a')
  assert.deepEqual([again.status, again.body.event_status], [200, undefined])
  const undone = await app.send({
    as: 'author',
    method: 'POST',
    path: `//cal/service/v1/events/cancel/${swept.body.undo.id}/undo`,
    json: {},
  })
  assert.deepEqual([undone.status, undone.body.count, undone.body.skipped.length], [200, 1, 1], undone.text)
  assert.equal((await put(app, 'c')).body.event_status, undefined)
})

test('a sweep that is sent again under its key tells its undo again, and changes nothing', async (t) => {
  const app = await startTestApp(t)
  await givenSeen(app)
  const send = (json: object) =>
    app.send({
      ...{ as: 'author', method: 'POST', path: `${base}/s/sweep`, headers: { 'idempotency-key': 'sweep-1' } },
      json: { seen_since: '2030-01-15T12:01:00Z', ...json },
    })

  const first = await send({ action: 'cancel' })
  const again = await send({ action: 'cancel' })
  const other = await send({ action: 'trash' })

  assert.ok(first.body.undo.id > 0)
  assert.deepEqual([again.status, again.body], [200, first.body])
  assert.deepEqual(
    [first, again].map(({ headers }) => headers['idempotency-replayed']),
    [undefined, 'true'],
  )
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency-key-reused'])
})

test('an edit of a swept event is kept when it is sent again', async (t) => {
  const app = await startTestApp(t)
  const { body } = await put(app, 'a')
  app.pass(3600)
  await changed(app, `/events/${body.id}`, { title: 'Edited' })
  await sweep(app, { action: 'cancel' })

  const again = await put(app, 'a', { title: 'Theirs' })

  assert.deepEqual(
    [again.headers['x-fields-kept'], again.body.event_status, again.body.title],
    ['title', undefined, 'Edited'],
  )
})

test('events that are over, other sources and what the caller may not change stay', async (t) => {
  const app = await startTestApp(t)
  await put(app, 'over', { start_date: '2030-01-10 10:00:00', end_date: '2030-01-10 11:00:00' })
  const published = await put(app, 'published', {}, 'author')
  await changed(app, `/events/${published.body.id}`, { author: 4 })
  await app.send({ as: 'author', method: 'PUT', path: `${base}/other/events/1`, json: plainEvent })
  await put(app, 'own')
  app.pass(3600)

  const swept = await sweep(app, { action: 'trash' })

  assert.deepEqual([idsOf(swept), swept.body.left_out, swept.body.has_more], [['own'], 1, false])
})

test('one request sweeps at most 200 records, those not sent for the longest time first', async (t) => {
  const app = await startTestApp(t)
  const lines = Array.from({ length: 203 }, (_, n) => JSON.stringify({ external_id: `${n}`, ...plainEvent }))
  const payload = Buffer.from(lines.join('\n'))
  await app.send({
    as: 'author',
    method: 'POST',
    path: `${base}/s/import`,
    payload,
    headers: { 'content-type': 'application/x-ndjson' },
  })
  app.pass(3600)

  const first = await sweep(app, { action: 'trash' })
  const second = await sweep(app, { action: 'cancel' })

  assert.deepEqual(
    [first.body.count, first.body.has_more, second.body.count, second.body.has_more],
    [200, true, 3, false],
  )
})

test('where none of many events may be canceled, a sweep does not say that more follow', async (t) => {
  const app = await startTestApp(t)
  const lines = Array.from({ length: 201 }, (_, n) =>
    JSON.stringify({ external_id: `${n}`, ...plainEvent, title: `Concert ${n}` }),
  )
  for (const [as, source, language] of [
    ['author', 's', 'en'],
    ['administrator', 'other', 'fr-CA'],
  ] as const) {
    await app.send({
      ...{ as, method: 'POST', path: `${base}/${source}/import?ml_language=${language}` },
      ...{ payload: Buffer.from(lines.join('\n')), headers: { 'content-type': 'application/x-ndjson' } },
    })
  }
  // Translations share a state, and those of others may not be changed.
  await app.deps.storage.write((tx) =>
    sql`update records set group_id = (select min(id) from records original where original.title = records.title)
      where kind = 'event'`.execute(tx),
  )
  app.pass(3600)

  const swept = await sweep(app, { action: 'cancel' })

  assert.deepEqual([swept.body.count, swept.body.has_more], [0, false], swept.text)
})

test('venues are swept on request, and wrong requests are refused', async (t) => {
  const app = await startTestApp(t)
  await app.send({ as: 'author', method: 'PUT', path: `${base}/s/venues/1`, json: { venue: 'Hall' } })
  app.pass(3600)

  for (const [json, name] of [
    [{ action: 'cancel', kind: 'venue' }, 'kind'],
    [{ action: 'remove' }, 'action'],
    [{ action: 'trash', kind: 'tag' }, 'kind'],
    [{ action: 'trash', seen_since: '2031-01-01T00:00:00Z' }, 'seen_since'],
    [{ action: 'trash', seen_since: 'yesterday' }, 'seen_since'],
    [{ action: 'trash', seen_since: '2030-01-15T12:01:00' }, 'seen_since'],
  ] as const) {
    const { status, body } = await sweep(app, json)
    assert.deepEqual([status, Object.keys(body.errors)], [400, [name]], JSON.stringify(json))
  }
  assert.deepEqual(idsOf(await sweep(app, { action: 'trash', kind: 'venue' })), ['1'])
})
