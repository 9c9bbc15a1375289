import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent } from '../../../../test/support/given.ts'
import type { Role } from '../../../access/auth/actor.ts'

const yoga = {
  title: 'Yoga',
  ...{ start_date: '2030-01-18 19:00:00', end_date: '2030-01-18 20:30:00' },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=6' },
}
const chess = {
  title: 'Chess',
  ...{ start_date: '2030-01-20 14:00:00', end_date: '2030-01-20 16:00:00' },
  recurrence: { dates: ['2030-01-21', '2030-02-03'] },
}

async function listed(app: TestApp, query: string, as?: Role): Promise<readonly string[]> {
  const { status, body, text } = await app.send({ path: `/events?per_page=50&${query}`, ...(as ? { as } : {}) })
  assert.equal(status, 200, text)
  return body.events.map((event: { title: string; start_date: string }) =>
    [event.title, event.start_date.slice(5, 10)].join(' '),
  )
}

test('a list may show only the next date of each series, and its pages and total count these', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)
  await givenEvent(app, chess)
  await givenEvent(app, { title: 'Concert' })

  assert.equal((await listed(app, '')).length, 10)
  assert.deepEqual(await listed(app, 'occurrences=next'), ['Yoga 01-18', 'Chess 01-20', 'Concert 01-22'])
  assert.deepEqual(await listed(app, 'occurrences=next&order=desc'), ['Concert 01-22', 'Chess 01-20', 'Yoga 01-18'])
  assert.deepEqual(await listed(app, 'occurrences=next&orderby=title'), ['Chess 01-20', 'Concert 01-22', 'Yoga 01-18'])
  assert.deepEqual(await listed(app, 'occurrences=next&start_date=2030-01-26'), ['Yoga 02-01', 'Chess 02-03'])
  const { body } = await app.send({ path: '/events?occurrences=next&per_page=1&page=2' })
  assert.deepEqual([body.events[0].title, body.total, body.total_pages], ['Chess', 3, 3])
  assert.match(body.next_rest_url, /&occurrences=next/)
  const beyond = await app.send({ path: '/events?occurrences=next&per_page=1&page=4' })
  assert.equal(beyond.status, 404)
})

test('the next date is the first one that the reader sees and the filters leave', async (t) => {
  const app = await startTestApp(t)
  const { id, series } = await givenEvent(app, yoga)
  const { body } = await app.send({ path: `/events?series=${series.id}` })
  await changed(app, `/events/${id}`, { status: 'draft' })
  await changed(app, `/events/${body.events[2].id}`, { featured: true })
  await changed(app, `/events/${body.events[3].id}`, { title: 'Yoga outdoors' })

  assert.deepEqual(await listed(app, 'occurrences=next'), ['Yoga 01-25'])
  assert.deepEqual(await listed(app, 'occurrences=next', 'editor'), ['Yoga 01-18'])
  assert.deepEqual(await listed(app, 'occurrences=next', 'administrator'), ['Yoga 01-18'])
  assert.deepEqual(await listed(app, 'occurrences=next&featured=true'), ['Yoga 02-01'])
  assert.deepEqual(await listed(app, 'occurrences=next&search=outdoors'), ['Yoga outdoors 02-08'])
  assert.deepEqual(await listed(app, `occurrences=next&include=${body.events[4].id},${body.events[3].id}`), [
    'Yoga outdoors 02-08',
  ])
})

test('a list may have the dates of some series only, by a filter or as the children of one', async (t) => {
  const app = await startTestApp(t)
  const { series: yogas } = await givenEvent(app, yoga)
  const { series: chesses } = await givenEvent(app, chess)
  await givenEvent(app, { title: 'Concert' })

  const dates = ['Chess 01-20', 'Chess 01-21', 'Chess 02-03']
  assert.deepEqual(await listed(app, `series=${chesses.id}`), dates)
  assert.deepEqual(await listed(app, `post_parent=${chesses.id}`), dates)
  assert.deepEqual(await listed(app, `post_parent=${chesses.id}&occurrences=next`), ['Chess 01-20'])
  assert.equal((await listed(app, `series=${chesses.id},${yogas.id}`)).length, 9)
  assert.deepEqual(await listed(app, `series=${chesses.id}&post_parent=${yogas.id}`), [])
})

test('ids of no series and other words are refused, with what is allowed', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app)

  for (const [query, name] of [
    [`series=${id}`, 'series'],
    ['series=99999', 'series'],
    ['series=yoga', 'series'],
    ['occurrences=all', 'occurrences'],
  ] as const) {
    const { status, body } = await app.send({ path: `/events?${query}` })
    assert.deepEqual([status, Object.keys(body.data.params)], [400, [name]], query)
  }
  const french = await app.send({ path: '//fr/cal/events/v1/events?occurrences=all' })
  assert.match(french.text, /each, next/)
})

test('the table of editors and its counts fold series too', async (t) => {
  const app = await startTestApp(t)
  const { id } = await givenEvent(app, yoga)
  await changed(app, `/events/${id}`, { status: 'draft' })
  await givenEvent(app, { title: 'Concert' })

  const at = (path: string) => app.send({ path: `//cal/service/v1/events${path}`, as: 'editor' })
  const rows = await at('?occurrences=next&status=any')
  const counts = await at('/counts?occurrences=next')

  assert.deepEqual(
    [rows.status, rows.body.total, rows.body.events.map(({ title }: { title: string }) => title)],
    [200, 2, ['Yoga', 'Concert']],
  )
  assert.deepEqual([counts.body.any, counts.body.draft, counts.body.publish], [2, 1, 2])
})

test('the structured data of a date names its series', async (t) => {
  const app = await startTestApp(t)
  const [date, event] = [await givenEvent(app, yoga), await givenEvent(app)]
  const dataOf = async ({ id }: { readonly id: number }) => (await app.send({ path: `/events/${id}` })).body.json_ld

  assert.deepEqual((await dataOf(date)).superEvent, { '@type': 'EventSeries', url: 'http://calendar.test/event/yoga/' })
  assert.equal('superEvent' in (await dataOf(event)), false)
})
