import assert from 'node:assert/strict'
import { test } from 'node:test'
import { site, startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { changed, givenEvent, plainEvent } from '../../../../test/support/given.ts'
import { dataIn, elementIn, page } from '../../../../test/support/pages.ts'

const yoga = {
  ...{
    title: 'Yoga',
    start_date: '2030-01-04 18:30:00',
    end_date: '2030-01-04 19:30:00',
    description: '<p>Breathe</p>',
  },
  recurrence: { rrule: 'FREQ=WEEKLY;COUNT=5' },
}
const path = (url: string) => url.slice(site.length)
const french = { ml_language: 'fr-CA' }

/** Returns the ids of the dates of a series by their day. */
async function dateIds(app: TestApp, id: number): Promise<Readonly<Record<string, number>>> {
  const query = `series=${id}&start_date=2020-01-01&end_date=2040-01-01&per_page=100&status=any`
  const { body } = await app.send({ as: 'administrator', path: `/events?${query}` })
  return Object.fromEntries(
    body.events.map((event: { id: number; start_date: string }) => [event.start_date.slice(0, 10), event.id]),
  )
}

/** Returns the links to dates on a page, without the address that they share. */
function linksTo({ text }: { readonly text: string }, base: string): readonly string[] {
  return [...text.matchAll(new RegExp(`<a (?:[^>]* )?href="/event/${base}/([^"]+)"`, 'g'))].map(([, end = '']) => end)
}

test('the page of a series shows its next date, the other ones, and when it repeats', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  const answer = await page(app, '/event/yoga/')

  assert.equal(answer.status, 200)
  assert.equal(elementIn(answer, 'h1'), 'Yoga')
  assert.match(
    answer.text,
    /<p class="kind">Next date<\/p>\s*<p class="event-when"><time datetime="2030-01-18T18:30:00/,
  )
  assert.match(
    answer.text,
    /<p class="event-repeats">Every Friday, 5 times · <a href="\/event\/yoga\/all\/">See all dates/,
  )
  assert.deepEqual(linksTo(answer, 'yoga'), ['all/', '2030-01-18/ical/', '2030-01-25/', '2030-02-01/', 'all/'])
  assert.match(answer.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/">/)
})

test('a date has an address of its own, and leads to the dates before and after it', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, yoga)

  const answer = await page(app, '/event/yoga/2030-01-11/')
  const first = await page(app, '/event/yoga/2030-01-04/')

  assert.match(answer.text, /<time datetime="2030-01-11T18:30:00/)
  assert.match(answer.text, /<a rel="prev" href="\/event\/yoga\/2030-01-04\/"/)
  assert.match(answer.text, /<a rel="next" href="\/event\/yoga\/2030-01-18\/"/)
  assert.match(answer.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/2030-01-11\/">/)
  assert.match(answer.text, /Every Friday, 5 times/)
  assert.doesNotMatch(first.text, /rel="prev"/)
})

test('all dates are listed in pages, those to come first', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { ...yoga, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=60' } })

  const [first, second, past, beyond] = [
    await page(app, '/event/yoga/all/'),
    await page(app, '/event/yoga/all/?page=2'),
    await page(app, '/event/yoga/all/?past=1'),
    await page(app, '/event/yoga/all/?page=3'),
  ]

  assert.equal(elementIn(first, 'h2'), '58 dates')
  assert.equal(linksTo(first, 'yoga').filter((end) => end.startsWith('20')).length, 50)
  assert.equal(linksTo(second, 'yoga').filter((end) => end.startsWith('20')).length, 8)
  assert.deepEqual(
    linksTo(past, 'yoga').filter((end) => end.startsWith('20')),
    ['2030-01-11/', '2030-01-04/'],
  )
  assert.equal(beyond.status, 404)
  assert.match(second.text, /<link rel="canonical" href="http:\/\/calendar\.test\/event\/yoga\/all\/\?page=2">/)
})
