import assert from 'node:assert/strict'
import { test } from 'node:test'
import ICAL from 'ical.js'
import { site, startTestApp, type TestApp } from '../../../test/support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../../../test/support/given.ts'
import { page } from '../../../test/support/pages.ts'

/** Returns the names of the events in the calendar at an address, and the address from which it was served. */
async function calendarOf(app: TestApp, path: string) {
  const asked = `/${path}${path.includes('?') ? '&' : '?'}ical=1`
  const { text, headers, status } = await app.send({ path: asked })
  assert.equal(status, 200, `${path}: ${text}`)
  assert.match(String(headers['content-type']), /^text\/calendar/)
  const again = await app.send({ path: asked, headers: { 'if-none-match': String(headers.etag) } })
  assert.equal(again.status, 304)
  const calendar = new ICAL.Component(ICAL.parse(text))
  const url = String(calendar.getFirstPropertyValue('source'))
  assert.ok(url.startsWith(`${site}/`), url)
  return { url, titles: titlesOf(text), text }
}

function titlesOf(text: string): readonly string[] {
  const events = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents('vevent')
  return events.map((event) => String(event.getFirstPropertyValue('summary')))
}

async function fill(app: TestApp) {
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  const hall = await givenVenue(app)
  const club = await givenOrganizer(app)
  const on = (start: string, end = start) => ({ start_date: `${start} 19:00:00`, end_date: `${end} 21:00:00` })
  await givenEvent(app, { title: 'Over', ...on('2030-01-02'), venue: hall.id, categories: [music.id] })
  await givenEvent(app, { title: 'Whole day', start_date: '2030-01-14', end_date: '2030-01-14', all_day: true })
  await givenEvent(app, { title: 'Long', ...on('2030-01-10', '2030-01-20') })
  const linked = { venue: hall.id, organizer: club.id, categories: [music.id], tags: ['Loud'] }
  await givenEvent(app, { title: 'Concert', ...on('2030-01-22'), ...linked })
  await givenEvent(app, { title: 'Later', ...on('2030-03-01') })
}

test('each page is a calendar of what it shows as well', async (t) => {
  for (const zone of ['UTC', 'America/Toronto']) {
    const app = await startTestApp(t, { SITE_TIMEZONE: zone })
    await fill(app)

    for (const [path, expected] of [
      ['/events/', ['Long', 'Concert', 'Later']],
      ['/events/?from=2030-01-15', ['Long', 'Concert', 'Later']],
      ['/events/?to=2030-01-10', ['Over', 'Long']],
      ['/events/?past=1', ['Over', 'Whole day']],
      ['/events/?category=music&tag=loud&venue=hall&search=concert', ['Concert']],
      ['/events/?category=none', []],
      ['/events/?venue=nowhere', []],
      ['/events/month/2030-01/', ['Over', 'Long', 'Whole day', 'Concert']],
      ['/events/month/2030-03/?category=music', []],
      ['/events/2030-01-15/', ['Long']],
      ['/events/2030-01-14/', ['Long', 'Whole day']],
      ['/events/category/music/', ['Concert']],
      ['/events/category/music/?past=1', ['Over']],
      ['/tag/loud/', ['Concert']],
      ['/venue/hall/', ['Concert']],
      ['/venue/hall/?past=1', ['Over']],
      ['/organizer/club/', ['Concert']],
      ['/event/concert/', ['Concert']],
    ] as const) {
      const { titles, url } = await calendarOf(app, path)
      assert.deepEqual(titles.toSorted(), [...expected].toSorted(), `${zone} ${path}`)
      const { text } = await app.send({ path: `/${url.slice(site.length)}` })
      assert.deepEqual(titlesOf(text), titles, `${path}: ${url}`)
    }
  }
})

test('a page names the calendar of what it shows', async (t) => {
  const app = await startTestApp(t)
  await fill(app)

  for (const path of ['/events/', '/fr/events/', '/events/month/2030-01/', '/venue/hall/', '/event/concert/']) {
    const { url } = await calendarOf(app, path)
    const { text } = await page(app, path)
    const named = `<link rel="alternate" type="text/calendar"[^>]* href="${RegExp.escape(url.replaceAll('&', '&amp;'))}">`
    assert.match(text, new RegExp(named), path)
  }
})

test('what is not there has no calendar, and what is protected tells no more than its page', async (t) => {
  const app = await startTestApp(t)
  await givenEvent(app, { title: 'Members', event_password: 'sesame', description: 'Knock twice' })

  for (const path of ['/event/none/?ical=1', '/events/?ical=1&from=x', '/venue/none/?ical=1'])
    assert.ok((await page(app, path)).status >= 400, path)
  const { text } = await calendarOf(app, '/event/members/')
  assert.doesNotMatch(text, /Knock/)
})
