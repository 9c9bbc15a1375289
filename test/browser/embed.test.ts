import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { languageParameterNames } from '../../src/access/http/addresses.ts'
import { serviceNamespaceOf } from '../../src/access/http/service.ts'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenTerm, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { onceForFile } from '../support/process.end.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'
import { looksAt } from './looks.ts'

/**
 * A service with custom settings, and events in both languages. The current day of the calendar is that of the browser.
 */
async function startCalendar(t: Pick<TestContext, 'after'>, environment: Readonly<Record<string, string>> = {}) {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto', RATE_LIMIT: '0', ...environment })
  const { config } = app.deps
  const words = languageParameterNames(config)
  const inFrench = ({ id }: { readonly id: number }) => ({ [words.language]: 'fr-CA', [words.translationOf]: id })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Musique', ...inFrench(music) })
  const hall = await givenVenue(app, { venue: 'Old Hall', city: 'Laval' })
  const { body } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: `/${config.restPrefix}/${serviceNamespaceOf(config)}/media` },
    ...form(await picture(800, 600)),
  })
  const times = { start_date: '2031-01-22 19:00:00', end_date: '2031-01-22 21:00:00' }
  const shared = { timezone: 'America/Toronto', venue: hall.id }
  const concert = await givenEvent(app, {
    ...{
      ...shared,
      title: 'Rock &amp; <em>roll</em> &#8211; “live”',
      image: body.id,
      categories: [music.id],
      featured: true,
    },
    ...times,
  })
  await givenEvent(app, { title: 'Récital d’hiver', ...inFrench(concert), ...times })
  const fair = { start_date: '2031-01-10', end_date: '2031-01-13', all_day: true }
  await givenEvent(app, { ...shared, title: 'Winter fair', ...fair })
  for (let number = 1; number <= 7; number += 1) {
    const title = `${'A meeting with a rather long name '.repeat(number % 3)}${number}`
    await givenEvent(app, { ...shared, title, start_date: '2031-01-25 10:00:00', end_date: '2031-01-25 11:00:00' })
  }
  return app.server.listen({ host: '127.0.0.1', port: 0 })
}

const calendar = onceForFile(startCalendar)

/** The policy that docs/embed.md requires of a page without any other. */
const policyFor = (service: string) =>
  `default-src 'none'; script-src ${service}; connect-src ${service}; img-src ${service}; require-trusted-types-for 'script'`

/** A page of another origin that shows the calendar, under a strict policy. */
async function startHost(t: TestContext, service: string): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host')
    const lang = searchParams.get('lang') ?? 'en'
    response.writeHead(200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyFor(service),
    })
    response.end(`<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>Host</title>
<meta name="viewport" content="width=device-width">
<script src="${service}/embed.js" type="module"></script></head>
<body><main><h1>A page of somebody else</h1><cal-events ${searchParams.get('attributes') ?? ''}></cal-events></main></body></html>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

interface Options extends BrowserContextOptions {
  readonly environment?: Readonly<Record<string, string>>
}

/** Opens a browser with the page of another site, and collects the faults. */
async function open(t: TestContext, { environment, ...options }: Options = {}) {
  const service = await (environment ? startCalendar(t, environment) : calendar())
  const host = await startHost(t, service)
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 }, ...options })
  const faults = watchFaults(browser, service, host)
  const page = await browser.newPage()
  const show = async (attributes: string, lang = 'en') => {
    await page.goto(`${host}/?${new URLSearchParams({ attributes, lang })}`)
    await page.locator('cal-events .calendar:not([aria-busy]) .title').waitFor()
  }
  return { page, show, faults, service, host, browser }
}

const titleIs = (page: Page, name: string) => page.getByRole('heading', { level: 2, name, exact: true }).waitFor()

test('the calendar stands in a page of another origin: accessible, in its room, in both languages and themes', async (t) => {
  const { page, show, faults } = await open(t, { reducedMotion: 'reduce' })
  for (const [index, view] of (['list', 'month', 'day'] as const).entries()) {
    for (const lang of ['en', 'fr'] as const) {
      const { colorScheme: theme, isNarrow } = looksAt(index)[lang]
      const width = isNarrow ? 320 : 1440
      const look = `embed-${view}-${lang}-${theme}-${width}`
      const date = view === 'day' ? '2031-01-25' : '2031-01-01'
      await page.setViewportSize({ width, height: 900 })
      await show(`view="${view}" date="${date}" theme="${theme}" language="${lang}" views="list month"`, lang)
      const violations = await violationsOf(page)
      await screenshot(page, look, { isWhole: true })
      const overflow = await page.evaluate<number>(
        'document.documentElement.scrollWidth - document.documentElement.clientWidth',
      )

      assert.deepEqual(violations, [], look)
      assert.equal(overflow, 0, look)
    }
  }
  assert.deepEqual(faults, [])
})

test('names are texts, whatever stands in them, and lead to the page of the event', async (t) => {
  const { page, show, faults, service } = await open(t)

  await show('date="2031-01-01"')
  const link = page.getByRole('link', { name: 'Rock & roll – “live”', exact: true })

  assert.equal(await link.getAttribute('href'), `${service}/event/rock-roll-live/`)
  assert.match(String(await page.locator('cal-events .card-place').first().textContent()), /^Old Hall, Laval$/)
  assert.deepEqual(faults, [])
})

test('date, title and place of an event are read in this order, once, and each calendar of a page has its name', async (t) => {
  const { page, show, faults } = await open(t)
  const names = () =>
    page.locator('cal-events .calendar').evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  const add = (attributes: string) =>
    page.evaluate(`new Promise((done) => {
      const calendar = document.createElement('cal-events')
      ${attributes}
      calendar.addEventListener('cal-load', () => done(), { once: true })
      document.querySelector('main').append(calendar)
    })`)

  await show('date="2031-01-01" category="music"')
  const card = await page.locator('cal-events .card').ariaSnapshot()
  await page.emulateMedia({ forcedColors: 'active' })
  await screenshot(page, 'embed-forced-colors')
  const badge = await page.evaluate<string>(
    "getComputedStyle(document.querySelector('cal-events').shadowRoot.querySelector('.badge')).borderTopWidth",
  )
  const alone = await names()
  await add('')
  await page.evaluate("document.querySelector('cal-events').refresh()")
  await page.getByRole('region', { name: 'Events 1', exact: true }).waitFor()
  await add("calendar.setAttribute('label', 'Concerts')")

  assert.equal(
    card.replace(/^ *- \/url: .*\n/gm, ''),
    `- listitem:
  - paragraph:
    - time: Wednesday, January 22, 2031, 7–9 p.m.
    - text: Featured
  - heading "Rock & roll – “live”" [level=4]:
    - link "Rock & roll – “live”":
  - paragraph: Old Hall, Laval`,
  )
  assert.equal(badge, '1px')
  assert.deepEqual(alone, ['Events'])
  assert.deepEqual(await names(), ['Events 1', 'Events 2', 'Concerts'])
  assert.deepEqual(faults, [])
})

test('a month is walked through by keys, and a day is opened and left again', async (t) => {
  const { page, show, faults } = await open(t)
  const focused = () =>
    page.evaluate<string>(
      "document.querySelector('cal-events').shadowRoot.activeElement.querySelector('time')?.dateTime",
    )

  await show('view="month" date="2031-01"')
  await page.locator('cal-events .day-link').first().focus()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End']) await page.keyboard.press(key)
  assert.equal(await focused(), '2031-01-31')
  await page.keyboard.press('PageDown')
  await titleIs(page, 'February 2031')
  assert.equal(await focused(), '2031-02-01')
  await page.keyboard.press('PageUp')
  await titleIs(page, 'January 2031')
  await page.getByRole('button', { name: /^Saturday, January 25.*7 events$/ }).press('Enter')
  await titleIs(page, 'Saturday, January 25, 2031')
  assert.equal(await page.locator('cal-events .card').count(), 7)
  await page.getByRole('button', { name: 'Month', exact: true }).click()
  await titleIs(page, 'January 2031')

  assert.deepEqual(faults, [])
})

test('a month has bars over days, and where there is little room the events of the chosen day below it', async (t) => {
  const { page, show, faults } = await open(t)
  const bars = page.locator('cal-events .bar')
  const agenda = page.locator('cal-events .agenda')

  await show('view="month" date="2031-01"')
  assert.deepEqual(await bars.evaluateAll((all) => all.map((bar) => bar.className)), [
    'bar lane-1 over-2 goes-on',
    'bar lane-1 over-2 begun',
  ])
  assert.equal(await bars.last().textContent(), 'Winter fair (continued, until Monday, January 13)')
  // The chosen day, and its events.
  assert.deepEqual(
    await page.locator('cal-events [tabindex="0"]').evaluateAll((all) => all.map((one) => one.className)),
    ['day-link', ''],
  )
  assert.equal(await agenda.isVisible(), false)
  await page.getByRole('heading', { name: 'Saturday, January 25, 7 events' }).waitFor()

  await page.setViewportSize({ width: 390, height: 844 })
  await agenda.getByRole('heading', { name: 'Friday, January 10', exact: true }).waitFor()
  await page.getByRole('button', { name: /^Saturday, January 25/ }).click()
  await agenda.getByRole('heading', { name: 'Saturday, January 25', exact: true }).waitFor()
  assert.equal(await agenda.locator('.card').count(), 7)
  await page.locator('cal-events [role="status"]', { hasText: 'Saturday, January 25, 7 events' }).waitFor()
  await titleIs(page, 'January 2031')
  assert.deepEqual(faults, [])
})

test('attributes narrow it, and are read again when they change', async (t) => {
  const { page, show, faults } = await open(t)
  const cards = page.locator('cal-events .card')
  const set = (name: string, value: string) =>
    page.evaluate(`new Promise((done) => {
      const calendar = document.querySelector('cal-events')
      calendar.addEventListener('cal-load', () => done(), { once: true })
      calendar.setAttribute('${name}', '${value}')
    })`)

  await show('date="2031-01-01" limit="4"')
  assert.equal(await cards.count(), 4)
  await page.getByRole('button', { name: 'Show more events' }).click()
  await cards.nth(7).waitFor()
  await set('status', 'canceled,postponed')
  assert.equal(await cards.count(), 0)
  await set('status', 'scheduled')
  await set('attendance', 'online,mixed')
  assert.equal(await cards.count(), 0)
  await set('attendance', 'offline')
  await cards.nth(7).waitFor()
  await set('category', 'music')
  await page.getByText('1 event', { exact: true }).waitFor()
  await set('venue', 'old-hall')
  await set('search', 'nothing like it')
  await page.getByText('No events match your search.').waitFor()
  await set('search', '')
  await set('language', 'fr-CA')
  await page.getByRole('link', { name: 'Récital d’hiver' }).waitFor()

  const when = await cards.first().locator('time').textContent()
  assert.equal(when?.replaceAll('\u00a0', ' '), 'Mercredi 22 janvier 2031, de 19 h à 21 h')
  assert.deepEqual(faults, [])
})

test('what the page around does with an event is up to it', async (t) => {
  const { page, show, faults, host } = await open(t)
  await page.addInitScript(
    "addEventListener('cal-select', (event) => { event.preventDefault(); window.selected = event.detail.slug })",
  )

  await show('date="2031-01-01" category="music"')
  await page.locator('cal-events .card a').click()

  assert.equal(await page.evaluate('window.selected'), 'rock-roll-live')
  assert.ok(page.url().startsWith(host))
  assert.deepEqual(faults, [])
})

test('a service that does not answer is told of, and asked again on request', async (t) => {
  const { page, host, service } = await open(t)
  await page.route(`${service}/cal/**`, (route) => route.abort())

  await page.goto(`${host}/?attributes=view%3Dmonth`)
  await page.getByRole('alert').getByText('The calendar could not be loaded.').waitFor()
  await screenshot(page, 'embed-error')
  await page.unroute(`${service}/cal/**`)
  await page.getByRole('button', { name: 'Try again' }).click()

  await page.locator('cal-events .month').waitFor()
})

test('it follows the words, the prefix and the origins that the service is set to', async (t) => {
  const environment = {
    ...{ REST_PREFIX: '/wp-json', VENDOR_WORD: 'vendor', LANGUAGE_PARAMETER: 'lang' },
    ...{ CORS_ORIGINS: 'https://app.example, *', PAGES: 'false' },
  }
  const { page, faults, show } = await open(t, { environment })

  await show('date="2031-01-01" language="fr" category="musique"', 'fr')
  await page.getByRole('link', { name: 'Récital d’hiver' }).waitFor()

  assert.equal(await page.getByRole('link', { name: 'Tout le calendrier' }).count(), 0)
  assert.equal(await page.locator('cal-events .card').count(), 1)
  assert.deepEqual(faults, [])
})
