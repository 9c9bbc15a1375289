import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, plainEvent } from '../../../test/support/given.ts'

const kilobytes = (count: number) => `<p>${'word '.repeat((count * 1024) / 5)}</p>`

test('users who may not publish have a quota for what nobody has published, whatever they send', async (t) => {
  const app = await startTestApp(t, { CONTRIBUTOR_QUOTA: '1' })
  const send = (method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) =>
    app.send({ as: 'contributor', method, path, ...(json && { json }) })
  const daily = (count: number) => ({ recurrence: { rrule: `FREQ=DAILY;COUNT=${count}` } })
  const long = { ...plainEvent, ...daily(8), description: kilobytes(50) }
  const first = await send('POST', '/events', long)
  const second = await send('POST', '/events', { ...plainEvent, title: 'Second', ...daily(12) })
  assert.deepEqual([first.status, second.status], [201, 201], first.text)
  assert.equal(
    (await send('PATCH', `/events/${second.body.id}`, { description: kilobytes(40), scope: 'all' })).status,
    200,
  )

  const refused = [
    await send('POST', '/events', long),
    await send('PATCH', `/events/${second.body.id}`, { description: kilobytes(60), scope: 'all' }),
    await send('POST', '/events', { ...long, venue: { venue: 'Hall' } }),
    await app.send({ as: 'contributor', method: 'PUT', path: '//cal/service/v1/sources/club/events/1', json: long }),
    await send('POST', '//cal/service/v1/series?dry_run=true', { ...long, recurrence: 'FREQ=DAILY;COUNT=8' }),
  ]
  assert.deepEqual(
    refused.map(({ status, body }) => `${status} ${body.code}`),
    refused.map(() => '403 quota-exceeded'),
  )

  // Smaller texts and removals are possible, and what is published no longer counts.
  assert.equal(
    (await send('PATCH', `/events/${second.body.id}`, { description: kilobytes(30), scope: 'all' })).status,
    200,
  )
  assert.equal((await send('DELETE', `/events/${second.body.id}`)).status, 200)
  assert.equal((await send('POST', '/events', long)).status, 403, 'the trash counts')
  await changed(app, `/events/${first.body.id}`, { status: 'publish', scope: 'all' })
  assert.equal((await send('POST', '/events', long)).status, 201)

  // Others have no quota.
  for (const _ of Array.from({ length: 20 })) await givenEvent(app, { description: kilobytes(60) })
})
