import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { plainEvent } from '../../../test/support/given.ts'

const base = '//cal/service/v1/sources/s'
const toronto = { timezone: 'America/Toronto' }

const put = (app: TestApp, id: string, json: object) =>
  app.send({ as: 'author', method: 'PUT', path: `${base}/events/${id}`, json })
const lines = async (app: TestApp, sent: readonly object[], headers: Readonly<Record<string, string>> = {}) => {
  const payload = Buffer.from(sent.map((line) => `${JSON.stringify(line)}\n`).join(''))
  const own = { 'content-type': 'application/x-ndjson', ...headers }
  const { text } = await app.send({ as: 'author', method: 'POST', path: `${base}/import`, payload, headers: own })
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Times as a source may send them, and the start and the end in Toronto. */
const times: readonly (readonly [sent: object, start: string, end: string])[] = [
  [
    { start_date: '2030-01-22T19:00:00Z', end_date: '2030-01-22T21:00:00+00:00' },
    '2030-01-22 14:00:00',
    '2030-01-22 16:00:00',
  ],
  [
    { start_date: '2030-01-22 19:00:00-05:00', end_date: '2030-01-22T23:00' },
    '2030-01-22 19:00:00',
    '2030-01-22 23:00:00',
  ],
  [
    { start_date: '2030-07-01T01:30:00+0200', end_date: '2030-07-01T02:00:00+02' },
    '2030-06-30 19:30:00',
    '2030-06-30 20:00:00',
  ],
  [
    { start_date: '2030-01-22 10:00 Europe/Paris', end_date: '1895324400' },
    '2030-01-22 04:00:00',
    '2030-01-22 10:00:00',
  ],
  [{ start_date: '2030-03-10T07:30:00Z' }, '2030-03-10 03:30:00', '2030-03-10 03:30:00'],
  [{ start_date: '2030-01-22T19:00:00Z', all_day: true }, '2030-01-22 00:00:00', '2030-01-22 23:59:59'],
  [{ start_date: '2030-01-22 19:00', end_date: '' }, '2030-01-22 19:00:00', '2030-01-22 19:00:00'],
  [{ start_date: '2030-01-22 19:00', end_date: null }, '2030-01-22 19:00:00', '2030-01-22 19:00:00'],
]

test('an instant with an offset is converted to the zone of the event, and a missing end is no end', async (t) => {
  const app = await startTestApp(t)
  const answers = await lines(
    app,
    times.map(([sent], n) => ({ external_id: `l${n}`, title: `L${n}`, ...toronto, ...sent })),
  )
  for (const [n, [sent, start, end]] of times.entries()) {
    const { body, status, text } = await put(app, `p${n}`, { title: `P${n}`, ...toronto, ...sent })
    assert.deepEqual([status, body.start_date, body.end_date], [201, start, end], `${JSON.stringify(sent)} ${text}`)
    const { body: line } = await app.send({ path: `/events/${answers[n].id}` })
    assert.deepEqual([line.start_date, line.end_date], [start, end], JSON.stringify(sent))
  }
})

test('a change is converted to the zone that the event has', async (t) => {
  const app = await startTestApp(t)
  await put(app, '1', { title: 'T', ...toronto, start_date: '2030-01-22 19:00', end_date: '2030-01-22 21:00' })

  const moved = await put(app, '1', {
    title: 'T',
    start_date: '2030-01-23T00:00:00Z',
    end_date: '2030-01-23T03:00:00Z',
  })
  const open = await put(app, '1', { title: 'T', start_date: '2030-01-24T00:00:00Z' })

  assert.deepEqual([moved.body.start_date, moved.body.end_date], ['2030-01-22 19:00:00', '2030-01-22 22:00:00'])
  assert.equal(moved.headers['x-adjusted-parameters'], undefined)
  assert.deepEqual([open.body.start_date, open.body.end_date], ['2030-01-23 19:00:00', '2030-01-23 19:00:00'])
  // The namespace of events drops the offset, as the reference does.
  const json = { ...plainEvent, ...toronto, start_date: '2030-01-22T19:00:00Z', end_date: '2030-01-22T21:00:00Z' }
  const { body } = await app.send({ as: 'author', method: 'POST', path: '/events', json })
  assert.equal(body.start_date, '2030-01-22 19:00:00')
})

test('what has no effect in a line is told in its answer, or refused by a strict request', async (t) => {
  const app = await startTestApp(t)
  const sent = [
    { external_id: '1', ...plainEvent, fax: 1, venue: { venue: 'Hall', town: 'Laval' } },
    { external_id: '2', ...plainEvent, start_date: 'soon', colour: 'red' },
    { external_id: '3', kind: 'venue', venue: 'Barn', title: 'Barn', force: true },
    { external_id: '4', ...plainEvent },
  ]

  const answers = await lines(app, sent)
  const again = await lines(app, sent.slice(0, 1))
  const strict = await lines(
    app,
    sent.slice(0, 1).map((line) => ({ ...line, external_id: '9' })),
    {
      prefer: 'handling=strict',
    },
  )

  assert.deepEqual(
    answers.slice(0, 4).map(({ status, ignored }) => [status, ignored]),
    [
      [201, ['fax', 'venue.town']],
      [400, ['colour']],
      [201, ['title', 'force']],
      [201, undefined],
    ],
  )
  assert.deepEqual([again[0].status, again[0].ignored], [204, ['fax']])
  assert.deepEqual([strict[0].status, Object.keys(strict[0].problem.errors)], [400, ['fax', 'venue.town']])
})
