import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../../../test/support/app.ts'
import { givenEvent, givenVenue } from '../../../../test/support/given.ts'
import { hasDueRecords, publishBatch, publishDue } from './schedule.ts'

const title = 'Unveiling'
const later = { title, status: 'publish', date: '2030-01-15 13:00', tags: ['Loud'] }

test('an event whose time has come is in every list, feed and page that was kept without it', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Other' })
  const { slug } = await givenEvent(app, later)
  const paths = [
    ...['/events', '/events?search=unveiling', '/tags', '//events/', '//sitemap-1.xml'],
    ...['ics', 'rss', 'atom', 'csv'].map((form) => `/events.${form}`),
  ]
  const before = await Promise.all(
    paths.map(async (path) => {
      const { status, text, headers } = await app.send({ path })
      assert.equal(status, 200, path)
      return { path, text, etag: headers.etag ?? '' }
    }),
  )

  app.pass(3600)
  await publishDue(app.deps)

  for (const { path, text, etag } of before) {
    const after = await app.send({ path, headers: { 'if-none-match': etag } })
    assert.equal(after.status, 200, path)
    const named = path === '//sitemap-1.xml' ? slug : path === '/tags' ? 'Loud' : title
    assert.deepEqual([text.includes(named), after.text.includes(named)], [false, true], path)
  }
})

test('a hundred due records are published at a time, venues as well as events', async (t) => {
  const app = await startTestApp(t)
  const scheduled = { status: 'publish', date: '2030-01-15 13:00' }
  const venues = await Promise.all(
    Array.from({ length: 100 }, (_, number) => givenVenue(app, { venue: `Hall ${number}`, ...scheduled })),
  )
  await givenEvent(app, { ...later, date: '2030-01-15 13:30' })
  assert.equal(await hasDueRecords(app.deps), false)

  app.pass(3600)
  assert.equal(await hasDueRecords(app.deps), true)
  assert.deepEqual([await publishBatch(app.deps), await hasDueRecords(app.deps)], [true, false])
  app.pass(1800)
  assert.deepEqual([await publishBatch(app.deps), await hasDueRecords(app.deps)], [false, false])

  const { body } = await app.send({ path: `/venues/${venues[0].id}` })
  assert.deepEqual([body.status, body.modified_utc], ['publish', '2030-01-15 13:00:00'])
})
