import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenOrganizer, givenTerm, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { onceForFile } from '../support/process.end.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'
import { type Look, looksAt } from './looks.ts'

const french = { ml_language: 'fr-CA' }

/** A calendar with a record of each kind, in both languages. Now is 15 January 2030, noon in UTC. */
const calendar = onceForFile(async (t) => {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto' })
  const music = await givenTerm(app, 'categories', { name: 'Music' })
  await givenTerm(app, 'categories', { name: 'Musique', ...french, ml_translation_of: music.id })
  await givenTerm(app, 'categories', { name: 'Jazz', parent: music.id })
  const hall = await givenVenue(app, {
    ...{ venue: 'Hall', city: 'Laval', address: '1 Main Street', geo_lat: 45.56, geo_lng: -73.71 },
    ...{ phone: '450 555-0100', website: 'https://hall.example.org/', description: '<p>A hall.</p>' },
  })
  await givenVenue(app, { venue: 'Salle', city: 'Laval', ...french, ml_translation_of: hall.id })
  const far = await givenVenue(app, { venue: 'Far Away', city: 'Québec', geo_lat: 46.81, geo_lng: -71.22 })
  const club = await givenOrganizer(app, { organizer: 'Club', email: 'club@example.org', description: '<p>Us.</p>' })
  const shared = { timezone: 'America/Toronto', venue: hall.id, organizer: club.id, categories: [music.id] }
  const { body } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(1600, 1000)),
  })
  const description =
    '<h1>Programme</h1><p style="color: yellow">Haydn, <em>Bartók</em>.</p><table><tr><th>7:00</th><td>Doors</td></tr></table>'
  const concert = await givenEvent(app, {
    ...{ ...shared, title: 'Concert', description, image: body.id, cost: '10', featured: true, tags: ['Indoors'] },
    ...{ start_date: '2030-01-22 19:00:00', end_date: '2030-01-22 21:00:00' },
  })
  await givenEvent(app, { title: 'Récital', ...french, ml_translation_of: concert.id })
  for (let number = 1; number <= 30; number += 1) {
    const title = number % 7 === 0 ? `${'Very long title of a meeting '.repeat(5)}${number}` : `Meeting ${number}`
    const event = { ...shared, title, start_date: '2030-01-26 10:00:00', end_date: '2030-01-26 11:00:00' }
    const { id } = await givenEvent(app, { ...event, ...(number % 3 === 0 ? { venue: far.id } : {}) })
    await givenEvent(app, { ...event, title: `Réunion ${number}`, ...french, ml_translation_of: id })
  }
  const fair = {
    ...shared,
    title: 'Fair of winter sports and crafts',
    start_date: '2030-01-10',
    end_date: '2030-01-28',
    all_day: true,
  }
  await givenEvent(app, fair)
  await givenEvent(app, { ...shared, title: 'Members', event_password: 'sesame' })
  const gone = await givenEvent(app, { title: 'Gone' })
  await app.send({ as: 'administrator', method: 'DELETE', path: `/events/${gone.id}` })
  return app.server.listen({ host: '127.0.0.1', port: 0 })
})

const pages = {
  en: {
    list: '/events/',
    'list-filtered': '/events/?category=music&from=2030-01-20',
    empty: '/events/?search=zzz',
    month: '/events/month/2030-01/',
    'month-empty': '/events/month/2031-01/',
    day: '/events/2030-01-26/',
    map: '/events/map/',
    event: '/event/concert/',
    protected: '/event/members/',
    venue: '/venue/hall/',
    organizer: '/organizer/club/',
    category: '/events/category/music/',
    tag: '/tag/indoors/',
    '404': '/event/none/',
    '410': '/event/gone/',
  },
  fr: {
    list: '/fr/events/',
    'list-filtered': '/fr/events/?category=musique&from=2030-01-20',
    empty: '/fr/events/?search=zzz',
    month: '/fr/events/month/2030-01/',
    'month-empty': '/fr/events/month/2031-01/',
    day: '/fr/events/2030-01-26/',
    map: '/fr/events/map/',
    event: '/fr/event/recital/',
    venue: '/fr/venue/salle/',
    category: '/fr/events/category/musique/',
    '404': '/fr/event/none/',
  },
} as const

/** Pages of the same template as another one, with other data. Axe reads them once only. */
const twins: readonly string[] = ['organizer', 'tag', '410']

/** Each page in its looks: in the opposite one again if it exists in one language only. */
function* visits(): Generator<
  { readonly path: string; readonly width: number; readonly look: string; readonly isRead: boolean } & Look
> {
  const english: Readonly<Record<string, string>> = pages.en
  const french: Readonly<Record<string, string | undefined>> = pages.fr
  for (const [index, [name, path]] of Object.entries(english).entries()) {
    const looks = looksAt(index)
    for (const language of ['en', 'fr'] as const) {
      const { colorScheme, isNarrow } = looks[language]
      const width = isNarrow ? 320 : 1440
      const shown = language === 'fr' ? french[name] : path
      const look = `${name}-${shown ? language : 'en'}-${colorScheme}-${width}`
      const isRead = language === 'en' || !twins.includes(name)
      yield { path: shown ?? path, colorScheme, isNarrow, width, look, isRead }
    }
  }
}

test('every page is accessible, fits the screen and asks nobody else, in both languages and themes', async (t) => {
  const origin = await calendar()
  const browser = await startChromium(t, { reducedMotion: 'reduce' })
  const faults = watchFaults(browser, origin)
  const page = await browser.newPage()
  for (const { path, look, width, colorScheme, isRead } of visits()) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const answer = await page.goto(`${origin}${path}`)
    const violations = isRead ? await violationsOf(page) : []
    await screenshot(page, `page-${look}`, { isWhole: true })
    const overflow = await page.evaluate<number>(
      'document.documentElement.scrollWidth - document.documentElement.clientWidth',
    )
    // Long texts of a day stay within it, except for the bars of events that last several days.
    const wide = await page.evaluate<number>(
      `[...document.querySelectorAll('.days li li:not(.bar)')].filter((item) =>
        item.getBoundingClientRect().right > item.closest('.days > li').getBoundingClientRect().right).length`,
    )
    const bytes = (await answer?.body())?.length ?? 0

    assert.deepEqual(violations, [], look)
    assert.deepEqual([overflow, wide], [0, 0], look)
    assert.ok(bytes > 0 && bytes < 60_000, `${look}: ${bytes} bytes`)
  }
  // Two of the pages are about a missing page.
  assert.deepEqual(
    faults.filter((fault) => !/status of 4(?:04|10)/.test(fault)),
    [],
  )
})

/** Opens a page with scripts, and collects the faults on it. */
async function open(
  t: TestContext,
  path: string,
  options: Parameters<typeof startChromium>[1] = {},
  start: (t: TestContext) => Promise<string> = calendar,
) {
  const origin = await start(t)
  const browser = await startChromium(t, { viewport: { width: 1280, height: 900 }, ...options })
  const faults = watchFaults(browser, origin)
  const page = await browser.newPage()
  await page.goto(`${origin}${path}`)
  // A reload of the page removes this mark.
  await page.evaluate('window.isSame = true')
  const isSame = () => page.evaluate<boolean>('window.isSame === true')
  return { page, origin, faults, isSame, browser }
}

const headingIs = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor()

test('months follow each other without a reload, by links, keys and the way back', async (t) => {
  const { page, faults, isSame } = await open(t, '/events/month/2030-01/')
  const focused = () => page.evaluate<string>("document.activeElement.querySelector('time')?.dateTime")

  await page.getByRole('link', { name: 'Next month: February 2030' }).click()
  await headingIs(page, 'February 2030')
  assert.match(page.url(), /\/events\/month\/2030-02\/$/)
  await page.goBack()
  await headingIs(page, 'January 2030')

  await page.locator('.day-link').first().focus()
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'End']) await page.keyboard.press(key)
  assert.equal(await focused(), '2030-01-31')
  await page.keyboard.press('PageUp')
  await headingIs(page, 'December 2029')
  assert.equal(await isSame(), true)
  assert.deepEqual(faults, [])
})

test('a list is narrowed while one types and chooses', async (t) => {
  const { page, faults, isSame } = await open(t, '/events/')

  await page.getByRole('searchbox', { name: 'Search' }).fill('concert')
  await page
    .locator('.count')
    .filter({ hasText: /^1 event with “concert”$/ })
    .waitFor()
  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Tag').selectOption('Indoors')
  await page.waitForURL(/tag=indoors/)
  await page.getByRole('link', { name: 'Clear all filters' }).click()
  await page.waitForURL(/\/events\/$/)

  assert.equal(await isSame(), true)
  assert.deepEqual(faults, [])
})

async function startWithManyVenues(t: TestContext) {
  const app = await startTestApp(t)
  for (let number = 1; number <= 50; number += 1) await givenVenue(app, { venue: `Place ${number}` })
  const { id } = await givenVenue(app, { venue: 'Jack’s & Jill’s' })
  await givenEvent(app, { title: 'Concert', start_date: '2030-02-01', end_date: '2030-02-01', venue: id })
  await givenEvent(app, { title: 'Reading', start_date: '2030-02-01', end_date: '2030-02-01' })
  return app.server.listen({ host: '127.0.0.1', port: 0 })
}

test('where there are too many venues to choose from, names are suggested for what is typed', async (t) => {
  const { page, faults, isSame } = await open(t, '/events/', {}, startWithManyVenues)

  await page.getByText('Filters', { exact: true }).click()
  await page.getByLabel('Venue').fill('jill')
  await page
    .locator('.count')
    .filter({ hasText: /^1 event$/ })
    .waitFor()
  await page.locator('#f-venue-names option:only-child').waitFor({ state: 'attached' })
  const suggested = await page.locator('#f-venue-names option').getAttribute('value')
  await screenshot(page, 'filter-by-name')

  assert.equal(suggested, 'Jack’s & Jill’s')
  assert.equal(await isSame(), true)
  assert.deepEqual(faults, [])
})

test('an event is taken into a calendar, copied as a link, and shown on the clock of the visitor', async (t) => {
  const { page, faults, browser, origin } = await open(t, '/event/concert/', { timezoneId: 'Europe/Paris' })
  await browser.grantPermissions(['clipboard-read', 'clipboard-write'], { origin })
  const time = page.locator('.event-when time')

  await page.getByText('Add to calendar').click()
  const links = await page
    .locator('.menu a')
    .evaluateAll((all) => all.map((link) => new URL(link.getAttribute('href') ?? '', 'http://here').host))
  assert.deepEqual(links, ['here', 'calendar.google.com', 'outlook.live.com'])
  await page.keyboard.press('Escape')
  assert.equal(await page.locator('.menu a').first().isVisible(), false)

  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByRole('button', { name: 'Link copied' }).waitFor()
  assert.equal(await page.evaluate<string>('navigator.clipboard.readText()'), `${origin}/event/concert/`)

  const there = await time.textContent()
  await page.getByRole('button', { name: 'Show in my time zone' }).click()
  assert.match(String(await time.textContent()), /January 23, 2030, 1–3\u00a0a\.m\./)
  await page.getByRole('button', { name: 'Show in the event’s time zone' }).click()
  assert.equal(await time.textContent(), there)
  assert.deepEqual(faults, [])
})

test('without scripts the same is there, one page after the other, and nothing is offered that does not work', async (t) => {
  const { page, origin } = await open(t, '/events/')
  const browser = await startChromium(t, { javaScriptEnabled: false })
  const plain = await browser.newPage()
  await page.close()

  await plain.goto(`${origin}/events/`)
  await plain.getByRole('searchbox', { name: 'Search' }).fill('concert')
  await plain.getByRole('button', { name: 'Search', exact: true }).click()
  await plain.getByRole('link', { name: 'Concert' }).click()
  await headingIs(plain, 'Concert')
  await plain.getByText('Add to calendar').click()

  assert.equal(await plain.locator('.menu a').first().isVisible(), true)
  assert.equal(await plain.locator('.event-actions button').filter({ visible: true }).count(), 0)
  await plain.getByRole('link', { name: /Français/ }).click()
  await headingIs(plain, 'Récital')
})

test('nothing moves while a page is loaded', async (t) => {
  const { page, origin } = await open(t, '/events/')
  await page.addInitScript(`
    window.moves = []
    new PerformanceObserver((list) => window.moves.push(...list.getEntries().map((entry) => entry.value)))
      .observe({ type: 'layout-shift', buffered: true })`)

  for (const path of ['/events/', '/event/concert/', '/events/month/2030-01/']) {
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })

    assert.deepEqual(await page.evaluate('window.moves'), [], path)
  }
})
