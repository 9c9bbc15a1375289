import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { changed, givenEvent, givenVenue } from '../support/given.ts'
import { onceForFile } from '../support/process.end.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'
import { looksAt } from './looks.ts'

/** Starts a calendar with a weekly story time in both languages, of which one date is canceled and one is elsewhere. */
const calendar = onceForFile(async (t) => {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto', RATE_LIMIT: '0' })
  const library = await givenVenue(app, { venue: 'Public library', address: '1 Main Street', city: 'Laval' })
  const park = await givenVenue(app, { venue: 'River park', city: 'Laval' })
  const { series } = await givenEvent(app, {
    ...{ title: 'Story time', slug: 'story-time', description: '<p>Stories for children and parents.</p>', cost: '0' },
    ...{ start_date: '2030-01-05 10:00:00', end_date: '2030-01-05 11:00:00', timezone: 'America/Toronto' },
    ...{ venue: library.id, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=60' } },
  })
  const json = { title: 'L’heure du conte', description: '<p>Des histoires.</p>', ml_language: 'fr-CA' }
  const path = `//cal/service/v1/series/${series.id}/translations`
  const { status, text } = await app.send({ as: 'administrator', method: 'POST', path, json })
  assert.equal(status, 201, text)
  const { body } = await app.send({ path: `/events?series=${series.id}&start_date=2030-01-01&ml_language=en` })
  const [, , , second, third] = body.events as readonly { readonly id: number }[]
  await changed(app, `/events/${second?.id}`, { event_status: 'canceled', event_status_reason: 'Snow' })
  await changed(app, `/events/${third?.id}`, { title: 'Story time at the river', venue: park.id })
  await givenEvent(app, { title: 'Concert', venue: library.id })
  return app.server.listen({ host: '127.0.0.1', port: 0 })
})

const paths = {
  en: {
    base: '/event/story-time/',
    date: '/event/story-time/2030-01-26/',
    all: '/event/story-time/all/',
    list: '/events/?occurrences=next',
  },
  fr: {
    base: '/fr/event/lheure-du-conte/',
    date: '/fr/event/lheure-du-conte/2030-01-26/',
    all: '/fr/event/lheure-du-conte/all/',
    list: '/fr/events/?occurrences=next',
  },
} as const

const widths = { wide: 1280, narrow: 320 }

async function assertAccessible(page: Page, look: string): Promise<void> {
  const found = await violationsOf(page)
  await screenshot(page, `series-${look}`, { isWhole: true })
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.deepEqual([found, overflow], [[], 0], look)
}

test('pages of a series are accessible in both languages, themes and widths, and read in a sensible order', async (t) => {
  const service = await calendar()
  const browser = await startChromium(t, { reducedMotion: 'reduce' })
  const page = await browser.newPage()
  const faults = watchFaults(browser, service)

  for (const [place, name] of (Object.keys(paths.en) as (keyof typeof paths.en)[]).entries()) {
    for (const language of ['en', 'fr'] as const) {
      const { colorScheme, isNarrow } = looksAt(place)[language]
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: isNarrow ? widths.narrow : widths.wide, height: 900 })
      await page.goto(`${service}${paths[language][name]}`)
      await assertAccessible(page, `${name}-${language}-${colorScheme}-${isNarrow ? 'narrow' : 'wide'}`)
    }
  }
  await page.goto(`${service}${paths.en.base}`)
  const read = await page.locator('main').ariaSnapshot()
  const wanted = [
    ...['Next date', 'Saturday, January 19, 2030', 'heading "Story time" [level=1]', 'Every Saturday, 60 times'],
    ...['link "See all dates"', 'heading "More dates" [level=2]', 'link "Saturday, January 26, 2030', 'Canceled'],
    ...['Story time at the river', 'River park'],
  ]
  const places = wanted.map((part) => read.indexOf(part))
  assert.ok(!places.includes(-1), `${wanted[places.indexOf(-1)]} is not in ${read}`)
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
    read,
  )
  // Without a mouse: from a date to all dates, and to the next one.
  await page.goto(`${service}${paths.en.date}`)
  await page.getByRole('link', { name: 'See all dates' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(`${service}${paths.en.all}`)
  assert.equal(await page.locator('h1').textContent(), 'Story time')
  assert.deepEqual(faults, [])
})

/** A page of another site that shows the list with each series once. */
async function startHost(t: TestContext, service: string): Promise<string> {
  const server = createServer((request, response) => {
    const lang = new URL(request.url ?? '/', 'http://host').searchParams.get('lang') ?? 'en'
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Host</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<script src="${service}/embed.js" type="module"></script></head>
<body><main><h1>Another site</h1><cal-events occurrences="next" views="list month" date="2030-01-15"></cal-events></main></body></html>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

test('the calendar on another site shows each series once in a list, and each date in a month', async (t) => {
  const service = await calendar()
  const host = await startHost(t, service)
  const browser = await startChromium(t, { reducedMotion: 'reduce' })
  const faults = watchFaults(browser, service, host)
  const page = await browser.newPage()
  // The calendar begins on the day of the browser if that is later.
  await page.clock.setFixedTime(new Date('2030-01-15T12:00:00Z'))

  for (const [place, language] of (['en', 'fr'] as const).entries()) {
    await page.emulateMedia({ colorScheme: place === 0 ? 'light' : 'dark' })
    await page.setViewportSize({ width: place === 0 ? widths.narrow : widths.wide, height: 900 })
    await page.goto(`${host}/?lang=${language}`)
    const link = page.getByRole('link', { name: language === 'en' ? 'See all dates' : 'Voir toutes les dates' })
    await link.waitFor()
    assert.equal(await link.count(), 1)
    assert.equal(await link.getAttribute('href'), `${service}${paths[language].all}`)
    const words = language === 'en' ? /^Every Saturday, 60 times · / : /^Tous les samedis, 60 fois · /
    assert.match((await page.locator('.card-series').textContent()) ?? '', words)
    await assertAccessible(page, `embed-${language}`)
  }
  await page.goto(`${host}/?lang=en`)
  await page.getByRole('button', { name: 'Month' }).click()
  // The list stays until the month is loaded, and has one link.
  const dates = page.getByRole('link', { name: 'Story time' })
  await dates.nth(4).waitFor()
  assert.equal(await dates.count(), 5)
  assert.deepEqual(faults, [])
})
