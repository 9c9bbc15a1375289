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
          json: { slug: `yoga-${format}` },
        }),
      ),
      await statusAfter(async () => {}),
    ]
    assert.deepEqual(statuses, [200, 304, 200, 304, 304, 200, 200, 200, 304], format)
  }
})
