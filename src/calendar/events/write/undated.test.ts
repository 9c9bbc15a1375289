import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'

const undated = { start_date: '9999-01-01', end_date: '9999-01-01', all_day: true }

test('a draft without a date does not become public, at once, later, in a batch or by its source', async (t) => {
  const app = await startTestApp(t)
  const send = (path: string, json: object, method: 'POST' | 'PUT' = 'POST') =>
    app.send({ as: 'editor', method, path, json })
  const named = '//cal/service/v1/sources/club/events/a'
  const draft = await send('/events', { title: 'Idea', status: 'draft', ...undated })
  await send(named, { title: 'Idea of a source', status: 'draft', ...undated }, 'PUT')
  const { id } = draft.body
  const path = `/events/${id}`

  const refused = [
    await send(path, { status: 'publish' }),
    await send(path, { status: 'publish', date: '2031-01-01 10:00:00' }),
    await send(path, { ...draft.body, status: 'publish' }, 'PUT'),
    await send(named, { title: 'Idea of a source', status: 'publish', ...undated }, 'PUT'),
  ]
  for (const { status, body } of refused) {
    assert.equal(status, 400)
    assert.match(JSON.stringify(body), /start_date/)
  }
  const operations = [{ method: 'POST', path, body: { status: 'publish' } }]
  const batch = await send('//cal/service/v1/batch', { operations })
  assert.match(batch.text, /start_date/)

  const { body } = await app.send({ path: '/events?start_date=2030-01-01&end_date=9999-12-31' })
  assert.deepEqual(body.events, [])
  const dated = await send(path, { status: 'publish', start_date: '2030-02-01', end_date: '2030-02-01' })
  assert.deepEqual([dated.status, dated.body.status], [200, 'publish'])
})
