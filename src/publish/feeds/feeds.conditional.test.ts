import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { changed, givenEvent, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { createSeriesOf } from '../../../test/support/series.calls.ts'
import { service } from '../../../test/support/signing.ts'
import { FEED_FORMATS } from './feed.ts'

test('who has a feed gets it again only if it shows something else, and no event is read to know that', async (t) => {
  const app = await startTestApp(t, { READERS: '0', CACHE_MEGABYTES: '0' })
  const [music, dance] = [
    await givenTerm(app, 'categories', { name: 'Music' }),
    await givenTerm(app, 'tags', { name: 'Dance' }),
  ]
  const venue = await givenVenue(app, { venue: 'Hall' })
  const linked = { categories: [music.id], tags: [dance.id], venue: venue.id }
  const events = [await givenEvent(app, linked), await givenEvent(app), await givenEvent(app)]
  const later = { start_date: '2060-01-01', end_date: '2060-01-02' }
  const draft = await givenEvent(app, { ...linked, ...later, status: 'draft' })
  const series = await createSeriesOf(app, { rrule: 'FREQ=WEEKLY;COUNT=3' })
  for (const format of FEED_FORMATS) {
    let etag = ''
    const statusAfter = async (change: () => Promise<unknown>): Promise<number> => {
      await change()
      app.statements()
      const { status, headers } = await app.send({ path: `/events.${format}`, headers: { 'if-none-match': etag } })
      const hasReadEvents = app.statements().some((text) => /select .*records\.content_html,/s.test(text))
      assert.equal(hasReadEvents, status === 200, `${format}: ${status}`)
      etag = headers.etag ?? ''
      return status
    }
    const update = (path: string, body: Record<string, string>) => () => changed(app, path, body)
    const statuses = [
      await statusAfter(async () => {}),
      await statusAfter(async () => {}),
      await statusAfter(update(`/events/${events[1]?.id}`, { title: `For ${format}` })),
      // The numbers of events of the terms change, and no feed shows them.
      await statusAfter(update(`/events/${draft.id}`, { status: 'publish' })),
      await statusAfter(update(`/events/${draft.id}`, { status: 'draft' })),
      await statusAfter(update(`/categories/${music.id}`, { name: `Songs for ${format}` })),
      await statusAfter(update(`/venues/${venue.id}`, { venue: `House for ${format}` })),
      await statusAfter(() =>
        app.send({
          ...{ method: 'PATCH', path: service(`/series/${series.series.id}`), as: 'editor' },
          json: { title: `Yoga for ${format}` },
        }),
      ),
      await statusAfter(async () => {}),
    ]
    assert.deepEqual(statuses, [200, 304, 200, 304, 304, 200, 200, 200, 304], format)
  }
})

test('a client that only knows dates gets a feed again only if it changed, also within one second or after a removal', async (t) => {
  const app = await startTestApp(t, { READERS: '0' })
  const [event, other] = [await givenEvent(app), await givenEvent(app)]
  const paths = [
    ...FEED_FORMATS.map((format) => `/events.${format}`),
    ...['//events/feed/', `//event/${event.slug}/ical/`, `//event/${event.slug}/?ical=1`],
  ]
  for (const path of paths) {
    for (const as of [undefined, 'editor'] as const) {
      const ask = (date?: string, headers = {}) =>
        app.send({ path, ...(as ? { as } : {}), headers: { ...(date && { 'if-modified-since': date }), ...headers } })
      app.pass(1)
      const first = await ask()
      const date = first.headers['last-modified'] ?? ''
      app.pass(60)
      const same = await ask(date)
      const later = await ask(new Date((app.deps.now() + 1) * 1000).toUTCString())
      const earlier = await ask(new Date(Date.parse(date) - 1000).toUTCString())
      const ignored = await ask(date, { 'if-none-match': '"another"' })
      const odd = await ask('yesterday')
      await changed(app, `/events/${event.id}`, { title: `Changed ${path} ${as}` })
      const changedOnce = await ask(date)
      await changed(app, `/events/${event.id}`, { title: `Changed again ${path} ${as}` })
      const changedTwice = await ask(changedOnce.headers['last-modified'])

      const where = `${path} as ${as}`
      assert.equal(new Date(date).toUTCString(), date, where)
      assert.deepEqual(
        [same, later].map(({ status, text }) => [status, text]),
        [
          [304, ''],
          [304, ''],
        ],
        where,
      )
      assert.deepEqual([same.headers.etag, same.headers['last-modified']], [first.headers.etag, date], where)
      for (const answer of [earlier, ignored, odd, changedOnce, changedTwice]) assert.equal(answer.status, 200, where)
      assert.ok(changedTwice.text.includes('Changed again'), where)
    }
  }
  const { headers } = await app.send({ path: '/events.ics' })
  app.pass(1)
  await app.send({ method: 'DELETE', path: `/events/${other.id}`, as: 'editor' })
  const date = { 'if-modified-since': headers['last-modified'] ?? '' }
  assert.equal((await app.send({ path: '/events.ics', headers: date })).status, 200)
})
