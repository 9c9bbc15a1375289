// The version of a series, and in which language writes answer: docs/decisions/0059-series.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=6' }
const service = '//cal/service/v1'

type Method = 'POST' | 'PATCH' | 'DELETE'

test('every change of rules, times or dates is a new version, so that no writer undoes another', async (t) => {
  const app = await startTestApp(t)
  const send = (method: Method, path: string, json?: object, headers = {}) =>
    app.send({ as: 'administrator', method, path, headers, ...(json ? { json } : {}) })
  const { body: series } = await send('POST', `${service}/series`, { ...friday, recurrence })
  const path = `${service}/series/${series.id}`
  const { body: other } = await send('POST', '/events', { ...friday, start_date: '2030-09-01', end_date: '2030-09-01' })
  const version = async () => {
    const { headers } = await app.send({ as: 'administrator', path })
    return { version: Number(headers['x-record-version']), etag: headers.etag ?? '' }
  }
  const { body: listed } = await app.send({ path: `${path}/dates` })
  const [, second, , fourth, fifth] = listed.dates

  const changes: readonly (readonly [Method, string, object?])[] = [
    ['PATCH', path, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=7' } }],
    ['PATCH', path, { start_date: '2030-05-03 19:00:00', end_date: '2030-05-03 20:00:00' }],
    ['POST', `${path}/dates`, { start_date: '2030-05-20 10:00:00' }],
    ['POST', `${path}/from-events`, { event_ids: [other.id] }],
    ['DELETE', `/events/${second.event_id}`],
    ['POST', `${service}/events/${second.event_id}/restore`],
    ['PATCH', `/events/${fourth.event_id}?scope=following`, { start_date: '2030-05-24 19:30:00' }],
    ['DELETE', `/events/${fifth.event_id}?scope=following&drop=true`],
    ['DELETE', path],
    ['POST', `${path}/restore`],
  ]
  for (const [place, [method, where, json]] of changes.entries()) {
    const before = await version()
    app.pass(60)
    const { status, text } = await send(method, where, json)
    assert.equal(status, 200, `${method} ${where}: ${text}`)
    const after = await version()
    assert.ok(after.version > before.version, `${place}: ${method} ${where}`)
    const late = await send('PATCH', path, { recurrence }, { 'if-match': before.etag })
    assert.equal(late.status, 412, `${method} ${where}: ${late.text}`)
    const since = new Date((app.deps.now() - 30) * 1000).toUTCString()
    const old = await send('PATCH', path, { recurrence }, { 'if-unmodified-since': since })
    assert.equal(old.status, 412, `${method} ${where}: ${old.text}`)
  }
  assert.deepEqual(await violationsIn(app), [])
})

test('a series that did not change need not be read again', async (t) => {
  const app = await startTestApp(t)
  const json = { ...friday, recurrence }
  const { body } = await app.send({ as: 'administrator', method: 'POST', path: `${service}/series`, json })
  const path = `${service}/series/${body.id}`
  const { headers } = await app.send({ path })
  const again = await app.send({ path, headers: { 'if-none-match': headers.etag ?? '' } })
  assert.equal(again.status, 304)
  assert.equal(again.headers.etag, headers.etag)
})

test('a write answers in the language of the template that it names, with its version', async (t) => {
  const app = await startTestApp(t)
  const send = (method: Method, path: string, json?: object, headers = {}) =>
    app.send({ as: 'administrator', method, path, headers, ...(json ? { json } : {}) })
  const { body: english } = await send('POST', `${service}/series`, { ...friday, recurrence })
  const translations = `${service}/series/${english.id}/translations?ml_language=fr-CA`
  const key = { 'idempotency-key': 'a-key-for-the-translation' }
  const french = await send('POST', translations, { title: 'Yoga doux', status: 'publish' }, key)
  assert.deepEqual([french.status, french.body.language, french.body.title], [201, 'fr-CA', 'Yoga doux'])
  const repeated = await send('POST', translations, { title: 'Yoga doux', status: 'publish' }, key)
  assert.deepEqual([repeated.status, repeated.body.language], [201, 'fr-CA'])

  const path = `${service}/series/${french.body.translations['fr-CA']}`
  const writes: readonly (readonly [Method, string, object?])[] = [
    ['PATCH', path, { title: 'Yoga très doux' }],
    ['POST', `${path}/dates`, { start_date: '2030-06-20 10:00:00' }],
    ['DELETE', path],
    ['POST', `${path}/restore`],
  ]
  for (const [method, where, json] of writes) {
    const { headers } = await app.send({ as: 'administrator', path })
    const answer = await send(method, where, json, { 'if-match': headers.etag ?? '' })
    assert.deepEqual([answer.status, answer.body.language], [200, 'fr-CA'], `${method} ${where}: ${answer.text}`)
    const { headers: after } = await app.send({ as: 'administrator', path })
    assert.equal(answer.headers['x-record-version'], after['x-record-version'], `${method} ${where}`)
  }
  const { body: dates } = await app.send({ path: `${path}/dates` })
  await send('PATCH', `/events/${dates.dates[1].event_id}`, { title: 'Autre' })
  const follow = { fields: ['title'] }
  const followed = await send('POST', `${service}/events/${dates.dates[1].event_id}/follow`, follow)
  assert.deepEqual([followed.status, followed.body.language], [200, 'fr-CA'], followed.text)
  assert.deepEqual(await violationsIn(app), [])
})
