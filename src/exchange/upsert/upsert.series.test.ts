import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'

const base = '//cal/service/v1/sources/s'
const yoga = {
  ...{ title: 'Yoga', start_date: '2035-06-01 18:00', end_date: '2035-06-01 19:00', timezone: 'America/Toronto' },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' },
}
const second = { recurrence_of: 'y', recurrence_id: '2035-06-08 18:00:00' }
const { recurrence: _, ...once } = yoga
const moved = {
  ...{ ...once, ...second, title: 'Yoga outside' },
  ...{ start_date: '2035-06-08 20:00', end_date: '2035-06-08 21:00' },
}

async function lines(app: TestApp, sent: readonly object[], query = '') {
  const payload = Buffer.from(sent.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const headers = { 'content-type': 'application/x-ndjson' }
  const answer = await app.send({ as: 'author', method: 'POST', path: `${base}/import${query}`, payload, headers })
  return answer.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .slice(0, -1)
}

const statuses = (answers: readonly { readonly status: number }[]) => answers.map(({ status }) => status)

async function dates(app: TestApp) {
  const { body } = await app.send({ path: '/events?start_date=2030-01-01&end_date=2037-01-01&per_page=50' })
  return body.events as readonly { id: number; title: string; start_date: string; event_status?: string }[]
}
const starts = async (app: TestApp) => (await dates(app)).map(({ start_date }) => start_date.slice(5, 16))
const put = (app: TestApp, id: string, json: object) =>
  app.send({ as: 'author', method: 'PUT', path: `${base}/events/${id}`, json })

test('a source sends a series under one id, and its dates that differ under ids of their own', async (t) => {
  const app = await startTestApp(t)

  assert.deepEqual(
    statuses(
      await lines(app, [
        { external_id: 'y', ...yoga },
        { external_id: 'y2', ...moved },
      ]),
    ),
    [201, 201],
  )

  assert.deepEqual(await starts(app), ['06-01 18:00', '06-08 20:00', '06-15 18:00', '06-22 18:00'])
  assert.deepEqual(
    (await dates(app)).map(({ title }) => title),
    ['Yoga', 'Yoga outside', 'Yoga', 'Yoga'],
  )
  assert.deepEqual(
    statuses(
      await lines(app, [
        { external_id: 'y', ...yoga },
        { external_id: 'y2', ...moved },
      ]),
    ),
    [204, 204],
  )
  const longer = {
    external_id: 'y',
    ...yoga,
    title: 'Ashtanga',
    recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5', except: ['2035-06-15'] },
  }
  assert.deepEqual(statuses(await lines(app, [longer])), [200])
  assert.deepEqual(await starts(app), ['06-01 18:00', '06-08 20:00', '06-22 18:00', '06-29 18:00'])
  assert.deepEqual(
    (await dates(app)).map(({ title }) => title),
    ['Ashtanga', 'Yoga outside', 'Ashtanga', 'Ashtanga'],
  )
  const [first] = await dates(app)
  const { body } = await app.send({ as: 'author', path: `/events/${first?.id}` })
  assert.equal(body.source.external_id, 'y')
})

test('what was edited here about the rule stays, and other fields follow the source', async (t) => {
  const app = await startTestApp(t)
  await lines(app, [{ external_id: 'y', ...yoga }])
  const [, , third] = await dates(app)
  await app.send({ as: 'author', method: 'DELETE', path: `/events/${third?.id}` })

  const answer = await put(app, 'y', { ...yoga, title: 'Ashtanga', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' } })

  assert.equal(answer.status, 200)
  assert.deepEqual(String(answer.headers['x-fields-kept']).split(', ').includes('recurrence'), true)
  assert.deepEqual(
    (await dates(app)).map(({ title }) => title),
    ['Ashtanga', 'Ashtanga', 'Ashtanga'],
  )
})

test('an event that begins to repeat keeps its id, and one that ends to repeat has one date left', async (t) => {
  const app = await startTestApp(t)
  const { body } = await put(app, 'y', once)
  const many = await put(app, 'y', yoga)
  assert.deepEqual([many.status, (await dates(app))[0]?.id, (await starts(app)).length], [200, body.id, 4])
  assert.equal((await put(app, 'y', yoga)).status, 204)

  assert.equal((await put(app, 'y', once)).status, 200)
  assert.deepEqual(await starts(app), ['06-01 18:00'])
  assert.equal((await put(app, 'y', yoga)).status, 200)
  assert.equal((await starts(app)).length, 4)
})

test('a series that its source no longer has is canceled or trashed from today on, and comes back', async (t) => {
  const app = await startTestApp(t)
  const own = { ...yoga, start_date: '2030-01-04 18:00', end_date: '2030-01-04 19:00' }
  await lines(app, [{ external_id: 'y', ...own }])
  app.pass(60)
  const sweep = async (action: string, isDry = false) => {
    const json = { seen_since: new Date(app.deps.now() * 1000).toISOString(), action, dry_run: isDry }
    return (await app.send({ as: 'author', method: 'POST', path: `${base}/sweep`, json })).body.count
  }

  assert.deepEqual([await sweep('cancel', true), await sweep('cancel'), await sweep('cancel')], [1, 1, 0])
  assert.deepEqual(
    (await dates(app)).map(({ event_status }) => event_status),
    [undefined, undefined, 'canceled', 'canceled'],
  )
  assert.equal((await put(app, 'y', own)).status, 200)
  assert.equal(
    (await dates(app)).some(({ event_status }) => event_status === 'canceled'),
    false,
  )
  app.pass(60)
  assert.deepEqual([await sweep('trash'), await sweep('trash')], [1, 0])
  assert.deepEqual(await starts(app), ['01-04 18:00', '01-11 18:00'])
  assert.equal((await put(app, 'y', own)).status, 200)
  assert.equal((await starts(app)).length, 4)
})

test('a date of no series and a start that no rule gives are refused, and a dry run writes nothing', async (t) => {
  const app = await startTestApp(t)
  const dry = await lines(
    app,
    [
      { external_id: 'y', ...yoga },
      { external_id: 'y2', ...moved },
    ],
    '?dry_run=true',
  )
  assert.deepEqual([statuses(dry), (await dates(app)).length], [[201, 201], 0])
  assert.deepEqual(statuses(await lines(app, [{ external_id: 'y2', ...moved }])), [400])
  const stray = { external_id: 'y3', ...moved, recurrence_id: '2035-06-09 18:00:00' }
  const answers = await lines(app, [{ external_id: 'y', ...yoga }, stray, { external_id: 'z', ...plainEvent }])
  assert.deepEqual(statuses(answers), [201, 400, 201])
  assert.match(JSON.stringify(answers[1]), /recurrence_id.*must be the start of a date/)
})
