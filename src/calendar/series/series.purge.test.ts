import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import {
  assertSound,
  createSeriesOf,
  type Json,
  listDates,
  read,
  seriesPathOf,
  startsOf,
  write,
} from '../../../test/support/series.calls.ts'

const purgePath = (date: Json, kind: string, id: number) =>
  `${seriesPathOf(date).replace(/\/series\/\d+$/, '')}/trash/${kind}/${id}`

const countRecords = async (app: TestApp) => {
  const { rows } = await sql<{ number: number }>`select count(*) as number from records`.execute(app.deps.storage.db)
  return Number(rows[0]?.number)
}

test('a date that is deleted from a series in the trash does not come back with it', async (t) => {
  const app = await startTestApp(t)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' })
  const path = seriesPathOf(first)
  const [, second, third] = await listDates(app, first)
  await write(app, ['DELETE', path])
  const gone = await write(app, ['DELETE', purgePath(first, 'events', Number(second?.id))])
  assert.equal(gone.status, 200, JSON.stringify(gone.body))
  const restored = await write(app, ['POST', `${path}/restore`])
  assert.deepEqual(
    [restored.status, restored.counts],
    [200, 'added=2, dropped=0, changed=0'],
    JSON.stringify(restored.body),
  )
  assert.deepEqual(startsOf(await listDates(app, first)), ['2030-05-03 18:30:00', '2030-05-17 18:30:00'])
  await assertSound(app)

  // A new date of the day gets another address.
  const added = await write(app, ['POST', `${path}/dates`], { json: { start_date: '2030-05-10 18:30' } })
  const date = await read(app, `/events/${added.body.event_id}`)
  assert.equal(date.url, 'http://calendar.test/event/yoga/2030-05-10/2/')
  await assertSound(app)

  // So does a date that was removed on its own before.
  await write(app, ['DELETE', `/events/${third?.id}`])
  await write(app, ['DELETE', purgePath(first, 'events', Number(third?.id))])
  await assertSound(app)
  const again = await write(app, ['POST', `${path}/dates`], { json: { start_date: '2030-05-17 18:30' } })
  const last = await read(app, `/events/${again.body.event_id}`)
  assert.equal(last.url, 'http://calendar.test/event/yoga/2030-05-17/2/')
  await assertSound(app)
})

test('a series all of whose dates are deleted cannot be restored, but deleted', async (t) => {
  const app = await startTestApp(t)
  const before = await countRecords(app)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=2' })
  const path = seriesPathOf(first)
  const dates = await listDates(app, first)
  await write(app, ['DELETE', path])
  for (const { id } of dates) await write(app, ['DELETE', purgePath(first, 'events', id)])
  await assertSound(app)
  const restored = await write(app, ['POST', `${path}/restore`])
  assert.deepEqual([restored.status, restored.body.code], [400, 'series-no-dates'], JSON.stringify(restored.body))
  const purged = await write(app, ['DELETE', purgePath(first, 'series', first.series.id)])
  assert.deepEqual([purged.status, purged.body.dates], [200, 0], JSON.stringify(purged.body))
  assert.equal(await countRecords(app), before)
  await assertSound(app)
})

test('a series in the trash is deleted with its translations and all its dates', async (t) => {
  const app = await startTestApp(t)
  const before = await countRecords(app)
  const first = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=4' }, { tags: ['calm'] })
  const path = seriesPathOf(first)
  const french = await write(app, ['POST', `${path}/translations?ml_language=fr-CA`], {
    json: { title: 'Yoga doux', status: 'publish' },
  })
  const [, second] = await listDates(app, first)
  await write(app, ['DELETE', `/events/${second?.id}`])
  const purge = purgePath(first, 'series', first.series.id)
  assert.equal((await write(app, ['DELETE', purge])).status, 409)
  await write(app, ['DELETE', path])
  const refused = await write(app, ['DELETE', purge], { as: 'contributor' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'rest_forbidden'])
  assert.equal((await write(app, ['DELETE', purgePath(first, 'series', first.id)])).status, 404)
  const dry = await write(app, ['DELETE', `${purge}?dry_run=1`])
  const purged = await write(app, ['DELETE', purge])
  assert.deepEqual([purged.status, purged.body], [200, dry.body])
  assert.deepEqual(purged.body, {
    deleted: [
      { id: first.series.id, language: 'en', title: 'Yoga' },
      { id: (french.body.translations as Record<string, number>)['fr-CA'], language: 'fr-CA', title: 'Yoga doux' },
    ],
    events: 0,
    dates: 4,
  })
  assert.equal(await countRecords(app), before)
  assert.equal((await write(app, ['POST', `${path}/restore`])).status, 404)
  await assertSound(app)

  // No other event gets their addresses.
  const next = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=2' })
  assert.equal(next.url, 'http://calendar.test/event/yoga/2030-05-03/2/')
  await assertSound(app)
})
