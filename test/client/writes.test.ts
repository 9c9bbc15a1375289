import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BatchOperation } from '../../packages/client/src/batch.ts'
import { createClient } from '../../packages/client/src/client.ts'
import { type ApiError, isApiError } from '../../packages/client/src/errors.ts'
import { versionOf } from '../../packages/client/src/reading.ts'
import { startCannedServer, startClientSite } from '../support/client.site.ts'
import { plainEvent } from '../support/given.ts'

const failure = (call: Promise<unknown>) =>
  call.then(
    () => assert.fail('It succeeded.'),
    (error: ApiError) => error,
  )

test('a batch is tried, sent, repeated under its key, and rolled back as a whole', async (t) => {
  const site = await startClientSite(t)
  const { batch, events, venues } = await site.clientOf('editor')
  const start = new Date('2030-07-01T23:00:00Z')
  const operations: readonly BatchOperation[] = [
    { ref: 'hall', method: 'POST', path: '/venues', body: { venue: 'Hall' } },
    {
      method: 'POST',
      path: '/events',
      body: { title: 'Fair', timezone: 'America/Toronto', start_date: start, end_date: start, venue: { ref: 'hall' } },
    },
    { method: 'DELETE', path: '/events/999' },
  ]

  const tried = await batch(operations, { dryRun: true })
  const untouched = (await events.list()).total
  const sent = await batch(operations, { idempotencyKey: 'spring' })
  const again = await batch(operations, { idempotencyKey: 'spring' })
  const refused = await failure(batch(operations, { atomic: true }))

  assert.deepEqual([tried.succeeded, tried.failed, untouched], [2, 1, 0])
  assert.deepEqual(
    sent.results.map(({ status }) => status),
    [201, 201, 404],
  )
  const made = sent.results[1]
  assert.ok(made?.id)
  assert.equal((await events.get(made.id)).start_date, '2030-07-01 19:00:00')
  assert.equal(again.results[1]?.id, made.id)
  assert.ok(isApiError(refused, 'batch-failed'))
  assert.equal((refused.details.results as readonly unknown[]).length, 3)
  assert.deepEqual([(await events.list()).total, (await venues.list()).total], [1, 1])
})

test('a write names the version that it replaces, and its key makes it safe to send again', async (t) => {
  const site = await startClientSite(t)
  const { events, media } = await site.clientOf('editor', { keptAnswers: 10 })
  const first = await events.create(plainEvent, { idempotencyKey: 'one' })
  const again = await events.create(plainEvent, { idempotencyKey: 'one' })
  await events.get(first.id)
  // The second answer is a 304.
  const read = await events.get(first.id)
  const changed = await events.update(first.id, { cost: 5 }, { ifMatch: versionOf(read) })

  const late = await failure(events.update(first.id, { cost: 6 }, { ifMatch: versionOf(read) }))
  const reused = await failure(events.create({ ...plainEvent, title: 'Other' }, { idempotencyKey: 'one' }))
  await events.delete(first.id)
  const restored = await events.restore(first.id, { dryRun: true })

  assert.equal(again.id, first.id)
  assert.equal(versionOf(changed), (versionOf(read) ?? 0) + 1)
  assert.ok(isApiError(late, 'precondition-failed'))
  assert.equal(late.details.version, versionOf(changed))
  assert.ok(isApiError(reused, 'idempotency-key-reused'))
  assert.equal(restored.status, 'publish')
  assert.equal((await events.list()).total, 0)
  assert.equal((await media.list()).total, 0)
})

test('a source sends records by its own ids, learns what was kept, and sweeps the rest', async (t) => {
  const site = await startClientSite(t)
  const { events, source, keys } = await site.clientOf('editor')
  const fair = source('fair')
  await fair.venues.put('hall', { venue: 'Hall' })
  const sent = { ...plainEvent, venue: { external_id: 'hall' } }

  const created = await fair.events.put('8/81', sent)
  const unchanged = await fair.events.put('8/81', sent)
  assert.equal(created.outcome, 'created')
  const id = created.record?.id ?? 0
  await events.update(id, { title: 'Edited' })
  const tried = await fair.events.put('8/81', { ...sent, title: 'New', cost: 5 }, { dryRun: true })
  const changed = await fair.events.put('8/81', { ...sent, title: 'New', cost: 5 })
  const read = await fair.events.get('8/81')
  const swept = await fair.sweep({ seen_since: '2000-01-01T00:00:00Z', action: 'trash', dry_run: true })
  const planning = createClient({
    baseUrl: site.url,
    credentials: { token: (await keys.create({ label: 'plan', scope: 'plan' })).secret },
  })
  await planning.events.delete(id)
  const removed = await fair.events.delete('8/81')

  assert.deepEqual([unchanged.outcome, unchanged.record], ['unchanged', undefined])
  assert.deepEqual([tried.kept, changed.kept, changed.outcome], [['title'], ['title'], 'changed'])
  assert.deepEqual([read.title, read.cost, read.source?.external_id], ['Edited', '$5', '8/81'])
  assert.deepEqual([swept.dry_run, swept.count], [true, 0])
  assert.deepEqual([removed.id, removed.status], [id, 'trash'])
})

test('a POST with a key is sent again after 503, and a write with a version and without a key is not', async (t) => {
  const busy = { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'service_unavailable' } }
  const outcomes = []
  for (const options of [{ idempotencyKey: 'one' }, { ifMatch: 7 }, { idempotencyKey: 'two', ifMatch: 7 }]) {
    const { url, heard } = await startCannedServer(t, busy, { body: { id: 7 } })
    const { events } = createClient({ baseUrl: url })
    const call = 'ifMatch' in options ? events.update(7, { cost: 5 }, options) : events.create(plainEvent, options)
    outcomes.push([
      await call.then(
        ({ id }) => id,
        ({ status }: ApiError) => status,
      ),
      heard.length,
    ])
    assert.equal(heard[0]?.headers['idempotency-key'], options.idempotencyKey)
    assert.equal(heard[0]?.headers['if-match'], 'ifMatch' in options ? '"7"' : undefined)
  }

  assert.deepEqual(outcomes, [
    [7, 2],
    [503, 1],
    [7, 2],
  ])
})
