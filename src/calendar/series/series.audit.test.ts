// What the audit log says of writes that change several dates: docs/decisions/0059-series.md.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { violationsIn } from '../../../test/support/content.checks.ts'

const friday = { title: 'Yoga', start_date: '2030-05-03 18:30:00', end_date: '2030-05-03 19:30:00' }
const weekly = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } }
const service = '//cal/service/v1'

interface Entry {
  readonly action: string
  readonly changes: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>
}

async function startCalendar(t: TestContext) {
  const app = await startTestApp(t)
  const write = async (method: 'POST' | 'PATCH', path: string, json: object) => {
    const answer = await app.send({ as: 'administrator', method, path, json })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }
  /** Makes several writes in one transaction. */
  const batch = async (...operations: readonly object[]) => {
    const { results } = await write('POST', `${service}/batch`, { atomic: true, operations })
    for (const { status, body } of results) assert.ok(status < 300, JSON.stringify(body))
  }
  const entriesOf = async (path: string): Promise<readonly Entry[]> =>
    (await app.send({ as: 'administrator', path: `${service}${path}` })).body.entries
  const afterOf = ({ action, changes }: Entry) => [
    action,
    Object.fromEntries(Object.entries(changes).map(([name, { after }]) => [name, after])),
  ]
  return { app, write, batch, entriesOf, afterOf }
}

test('an event that becomes a series keeps what else the request changed in its history', async (t) => {
  const { app, write, entriesOf, afterOf } = await startCalendar(t)
  const { id } = await write('POST', '/events', { ...friday, slug: 'yoga' })
  await write('PATCH', `/events/${id}`, { title: 'Pilates', cost: '5', ...weekly })

  const entries = await entriesOf(`/events/${id}/history`)
  assert.deepEqual(entries.map(afterOf), [
    ['update', { title: 'Pilates', cost: ['5'], slug: 'yoga-2030-05-03' }],
    ['create', {}],
  ])
  assert.deepEqual(await violationsIn(app), [])
})

test('a change of a series keeps the entries of earlier changes in the same transaction', async (t) => {
  const { app, write, batch, entriesOf, afterOf } = await startCalendar(t)
  const { id, series } = await write('POST', '/events', { ...friday, ...weekly })
  const { dates } = (await app.send({ path: `${service}/series/${series.id}/dates` })).body
  const created = await entriesOf('/audit?kind=series')

  await batch(
    { method: 'PATCH', path: `/events/${id}`, body: { title: 'Own' } },
    { method: 'PATCH', path: `/events/${id}`, body: { scope: 'all', cost: '4' } },
    { method: 'POST', path: `/series/${series.id}/dates`, body: { start_date: '2030-06-20 10:00:00' } },
    { method: 'PATCH', path: `/events/${dates[1].event_id}`, body: { website: 'https://yoga.example/' } },
  )

  const ofDates = await entriesOf(`/events/${id}/history`)
  assert.deepEqual(ofDates.map(afterOf)[0], ['update', { title: 'Own', cost: ['4'] }])
  const ofOther = await entriesOf(`/events/${dates[1].event_id}/history`)
  assert.deepEqual(ofOther.map(afterOf), [['update', { website: 'https://yoga.example/' }]])
  // The other dates have no entry: that of the series says how many there are.
  assert.deepEqual(await entriesOf(`/events/${dates[2].event_id}/history`), [])
  const [ofSeries, ...earlier] = await entriesOf('/audit?kind=series')
  assert.equal(earlier.length, created.length)
  const [action, after] = afterOf(ofSeries as Entry) as [string, Record<string, unknown>]
  const { dates_added, dates_dropped, dates_changed, cost } = after
  assert.deepEqual([action, cost, dates_added, dates_changed], ['update', ['4'], 1, 3])
  assert.equal(dates_dropped ?? 0, 0)
  assert.deepEqual(await violationsIn(app), [])
})
