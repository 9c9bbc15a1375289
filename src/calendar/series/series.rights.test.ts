// Who may change what of a series: docs/decisions/0059-series.md.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'
import type { Role } from '../../access/auth/actor.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }
const ever = 'start_date=2020-01-01&end_date=2040-01-01&per_page=50'
const service = '//cal/service/v1'

interface Json {
  readonly id: number
  readonly start_date: string
  readonly series: { readonly id: number }
}

/** Starts a calendar. Its writes must leave the database sound. */
async function startCalendar(t: TestContext) {
  const app = await startTestApp(t)
  const write = async (as: Role, method: 'POST' | 'PATCH' | 'DELETE', path: string, json?: object) => {
    const { status, body } = await app.send({ as, method, path, ...(json ? { json } : {}) })
    return { status, body, code: body.code as string | undefined }
  }
  const add = async (as: Role, path: string, json: object): Promise<Json> => {
    const { status, body } = await write(as, 'POST', path, json)
    assert.equal(status, 201, JSON.stringify(body))
    return body
  }
  return { app, write, add }
}

async function startsOf(app: TestApp, { as, query = '' }: { readonly as?: Role; readonly query?: string } = {}) {
  const { body } = await app.send({ ...(as ? { as } : {}), path: `/events?${ever}${query}` })
  return (body.events as Json[]).map(({ start_date }) => start_date)
}

const refusal = { status: 403, code: 'rest_forbidden' }
const refusalOf = ({ status, code }: { readonly status: number; readonly code: string | undefined }) => ({
  status,
  code,
})

test('who may not restore a date does not bring it back through its series', async (t) => {
  const { app, write, add } = await startCalendar(t)
  const { series } = await add('contributor', '/events', { ...friday, ...weekly })
  const path = `${service}/series/${series.id}`
  const { body } = await app.send({ as: 'editor', path: `${path}/dates` })
  const last = body.dates.at(-1)
  await write('editor', 'PATCH', `/events/${last.event_id}`, { status: 'publish' })
  await write('editor', 'DELETE', `/events/${last.event_id}`)

  const again = await write('contributor', 'POST', `${path}/dates`, { start_date: last.start_date })
  assert.deepEqual(refusalOf(again), refusal)
  const ruled = await write('contributor', 'PATCH', path, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } })
  assert.deepEqual(refusalOf(ruled), refusal)
  assert.deepEqual(await startsOf(app), [])

  const byEditor = await write('editor', 'POST', `${path}/dates`, { start_date: last.start_date })
  assert.equal(byEditor.status, 200, JSON.stringify(byEditor.body))
  assert.deepEqual(await startsOf(app), [last.start_date])
  assert.deepEqual(await violationsIn(app), [])
})

test('an event with a translation of another user becomes a series only for who may change both', async (t) => {
  const { app, write, add } = await startCalendar(t)
  const event = await add('contributor', '/events', friday)
  const translation = { title: 'Yoga doux', ml_translation_of: event.id, status: 'publish' }
  await add('editor', '/events?ml_language=fr-CA', translation)

  const repeated = await write('contributor', 'PATCH', `/events/${event.id}`, weekly)
  assert.deepEqual(refusalOf(repeated), refusal)
  assert.deepEqual(await startsOf(app, { query: '&ml_language=fr-CA' }), [friday.start_date])

  const byEditor = await write('editor', 'PATCH', `/events/${event.id}`, weekly)
  assert.equal(byEditor.status, 200, JSON.stringify(byEditor.body))
  assert.equal((await startsOf(app, { query: '&ml_language=fr-CA' })).length, 3)
  assert.deepEqual(await violationsIn(app), [])
})

test('the dates of a series in two languages are for those who may change both', async (t) => {
  const { app, write, add } = await startCalendar(t)
  const event = await add('author', '/events', friday)
  const { body: first } = await write('author', 'PATCH', `/events/${event.id}`, weekly)
  const path = `${service}/series/${first.series.id}`
  await add('editor', `${path}/translations?ml_language=fr-CA`, { title: 'Yoga doux', status: 'publish' })
  const other = await add('author', '/events', { ...friday, start_date: '2030-07-01', end_date: '2030-07-01' })
  const before = await startsOf(app, { query: '&ml_language=fr-CA' })
  const body = { start_date: '2030-06-20 10:00:00' }

  const refused = [
    await write('author', 'POST', `${path}/dates`, body),
    await write('author', 'PATCH', path, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' } }),
    await write('author', 'POST', `${path}/from-events`, { event_ids: [other.id] }),
    await write('author', 'DELETE', `/events/${event.id}?scope=all`),
    await write('author', 'DELETE', `/events/${event.id}?scope=following`),
  ]
  assert.deepEqual(
    refused.map(refusalOf),
    refused.map(() => refusal),
  )
  assert.deepEqual(await startsOf(app, { query: '&ml_language=fr-CA' }), before)

  const byEditor = await write('editor', 'POST', `${path}/dates`, body)
  assert.equal(byEditor.status, 200, JSON.stringify(byEditor.body))
  assert.deepEqual(await startsOf(app, { query: '&ml_language=fr-CA' }), [...before, body.start_date])
  assert.deepEqual(await violationsIn(app), [])
})

test('a series is translated only by who may change all its dates', async (t) => {
  const { app, write, add } = await startCalendar(t)
  const { series } = await add('author', '/events', { ...friday, ...weekly })
  const path = `${service}/series/${series.id}`
  const { body } = await app.send({ as: 'editor', path: `${path}/dates` })
  const last = body.dates.at(-1)
  await write('editor', 'PATCH', `/events/${last.event_id}`, { author: 4, status: 'draft', cost: 'a secret' })

  const translated = await write('author', 'POST', `${path}/translations?ml_language=fr-CA`, { title: 'Yoga doux' })
  assert.deepEqual(refusalOf(translated), refusal)
  await add('editor', `${path}/translations?ml_language=fr-CA`, { title: 'Yoga doux' })
  assert.deepEqual(await violationsIn(app), [])
})

test('a date whose translation has another owner follows the times of its series only for an editor', async (t) => {
  const { app, write, add } = await startCalendar(t)
  const { id, series } = await add('author', '/events', { ...friday, ...weekly })
  // The series has no template in French, so its dates there are only translations of a date.
  const french = await add('editor', '/events?ml_language=fr-CA', { title: 'Yoga doux', ml_translation_of: id })
  const moved = { start_date: '2030-05-03 20:00:00', end_date: '2030-05-03 21:00:00' }
  await write('editor', 'PATCH', `/events/${french.id}`, moved)
  const follow = { fields: ['start_date'] }

  const byAuthor = await write('author', 'POST', `${service}/events/${id}/follow`, follow)
  assert.deepEqual(refusalOf(byAuthor), refusal)
  const byEditor = await write('editor', 'POST', `${service}/events/${id}/follow`, follow)
  assert.equal(byEditor.status, 200, JSON.stringify(byEditor.body))
  const { body } = await app.send({ as: 'editor', path: `/events/${french.id}` })
  assert.equal(body.start_date, friday.start_date, `series ${series.id}`)
  assert.deepEqual(await violationsIn(app), [])
})
