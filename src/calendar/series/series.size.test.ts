import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'

const service = '//cal/service/v1'
const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const daily = (count: number) => ({ recurrence: { rrule: `FREQ=DAILY;COUNT=${count}` } })
const textOf = (kilobytes: number) => `<p>${'word '.repeat((kilobytes * 1024) / 5)}</p>`
const send = (app: TestApp, method: 'POST' | 'PATCH', path: string, json: object) =>
  app.send({ as: 'editor', method, path, json })
const totalOf = async (app: TestApp) =>
  (await app.send({ as: 'editor', path: '/events?status=any&start_date=2020-01-01&per_page=1' })).body.total

test('the texts of a series times its dates are bounded, and the answer says what to do', async (t) => {
  const app = await startTestApp(t)

  const { status, body } = await send(app, 'POST', '/events', { ...friday, ...daily(600), description: textOf(60) })
  assert.deepEqual([status, body.code], [400, 'rest_invalid_param'], JSON.stringify(body))
  assert.match(body.data.params.description, /600 dates.*8 MB.*less than 13 KB, or send a rule with fewer dates/)
  const path = '//fr/cal/events/v1/events'
  const french = await send(app, 'POST', path, { ...friday, ...daily(600), description: textOf(60) })
  assert.match(french.body.data.params.description, /Chacune des 600 dates.*moins de 13 Ko/)
  assert.equal(await totalOf(app), 0)

  const one = await send(app, 'POST', '/events', { ...friday, description: textOf(60) })
  assert.equal(one.status, 201)
  const made = await send(app, 'PATCH', `/events/${one.body.id}`, daily(600))
  assert.equal(made.status, 400, 'an event that becomes a series')
  const short = await send(app, 'POST', '/events', { ...friday, ...daily(40), description: textOf(60) })
  assert.equal(short.status, 201, short.text)
})

test('a series grows beyond the bound neither by its text, its rule nor a translation', async (t) => {
  const app = await startTestApp(t)
  const { body } = await send(app, 'POST', '/events', { ...friday, ...daily(200), description: textOf(1) })
  const path = `${service}/series/${body.series.id}`

  const longer = await send(app, 'PATCH', path, { description: textOf(60) })
  const scoped = await send(app, 'PATCH', `/events/${body.id}`, { description: textOf(60), scope: 'all' })
  const translation = { title: 'Yoga', description: textOf(60) }
  const translated = await send(app, 'POST', `${path}/translations?ml_language=fr-CA`, translation)
  const fine = await send(app, 'PATCH', path, { description: textOf(20) })
  const more = await send(app, 'PATCH', path, daily(700))

  assert.deepEqual(
    [longer, scoped, translated, fine, more].map(({ status }) => status),
    [400, 400, 400, 200, 400],
    [longer, scoped, translated, fine, more].map(({ text }) => text).join('\n'),
  )
  assert.match(more.text, /700 dates/)
  assert.equal(await totalOf(app), 200)
})

test('the series of a batch are bounded together', async (t) => {
  const app = await startTestApp(t)
  const series = (n: number) => ({
    ...{ method: 'POST', path: '/events' },
    body: { ...friday, ...daily(100), title: `S${n}`, description: textOf(60) },
  })

  const { body } = await send(app, 'POST', `${service}/batch`, { operations: [1, 2, 3, 4].map(series) })

  assert.deepEqual(
    body.results.map(({ status }: { status: number }) => status),
    [201, 201, 400, 400],
    JSON.stringify(body.results[0].body),
  )
  assert.match(JSON.stringify(body.results[2].body), /16 MB.*several requests/)
})
