import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { onceForFile } from '../support/process.end.ts'
import { givenEventsInStates } from '../support/states.ts'
import { violationsOf } from './accessibility.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'
import { looksAt } from './looks.ts'

const calendar = onceForFile(async (t) => {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto', RATE_LIMIT: '0' })
  await givenEventsInStates(app)
  return app.server.listen({ host: '127.0.0.1', port: 0 })
})

/** A page of another site that shows the calendar. */
async function startHost(t: TestContext, service: string): Promise<string> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://host')
    response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><html lang="${searchParams.get('lang')}"><head><meta charset="utf-8"><title>Host</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<script src="${service}/embed.js" type="module"></script></head>
<body><main><h1>Another site</h1><cal-events ${searchParams.get('attributes')}></cal-events></main></body></html>`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const paths = {
  en: {
    list: '/events/',
    month: '/events/month/2030-01/',
    canceled: '/event/winter-recital/',
    postponed: '/event/craft-fair/',
    rescheduled: '/event/the-seagull/',
    online: '/event/talk-on-birds/',
  },
  fr: {
    list: '/fr/events/',
    month: '/fr/events/month/2030-01/',
    canceled: '/fr/event/recital-dhiver/',
    postponed: '/fr/event/foire-dartisanat/',
    rescheduled: '/fr/event/la-mouette/',
    online: '/fr/event/conference-sur-les-oiseaux/',
  },
} as const

/** Pages that are looked at in English only. */
const otherPaths = {
  day: '/events/2030-01-26/',
  map: '/events/map/',
  venue: '/venue/old-hall/',
  mixed: '/event/book-club/',
  frame: '/event/winter-recital/embed/',
}

/** A screen of 1280 pixels, and the same at a zoom of 400 %. */
const widths = { wide: 1280, narrow: 320 }

async function assertAccessible(page: Page, look: string): Promise<void> {
  const found = await violationsOf(page)
  await screenshot(page, `states-${look}`, { isWhole: true })
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  assert.deepEqual([found, overflow], [[], 0], look)
}

test('pages and the embedded calendar show events in all states accessibly, in both languages and themes', async (t) => {
  const service = await calendar()
  const host = await startHost(t, service)
  const browser = await startChromium(t, { reducedMotion: 'reduce' })
  const faults = watchFaults(browser, service, host)
  const page = await browser.newPage()
  const shown = { en: Object.entries({ ...paths.en, ...otherPaths }), fr: Object.entries(paths.fr) }
  for (const language of ['en', 'fr'] as const) {
    const setLook = async (name: string, index: number) => {
      const { colorScheme, isNarrow } = looksAt(index)[language]
      const width = isNarrow ? widths.narrow : widths.wide
      await page.setViewportSize({ width, height: 900 })
      await page.emulateMedia({ colorScheme })
      return { colorScheme, look: `${name}-${language}-${colorScheme}-${width}` }
    }
    for (const [index, [name, path]] of shown[language].entries()) {
      const { look } = await setLook(name, index)
      await page.goto(`${service}${path}`)
      await assertAccessible(page, look)
    }
    for (const [index, view] of ['list', 'month'].entries()) {
      const { look, colorScheme } = await setLook(`embed-${view}`, 2 * index + 1)
      const attributes = `view="${view}" date="2030-01-15" theme="${colorScheme}" language="${language}"`
      await page.goto(`${host}/?${new URLSearchParams({ attributes, lang: language })}`)
      await page.locator('cal-events .calendar:not([aria-busy]) .title').waitFor()
      await assertAccessible(page, look)
    }
  }
  // A frame has no icon of its own, so the browser asks for one.
  assert.deepEqual(
    faults.filter((fault) => !/status of 404/.test(fault)),
    [],
  )
})

/** The texts of a part of a page in the order in which a screen reader reads them. */
async function readAloud(page: Page, part: string): Promise<string> {
  const tree = await page.locator(part).first().ariaSnapshot()
  return [
    ...tree.matchAll(
      /(?:time|text|paragraph|deletion|listitem|definition|term|strong)(?:: "?| ")(.*?)"?$|(?:heading|link) "(.*?)"/gm,
    ),
  ]
    .map(([, text = '', name = text]) => name)
    .filter((text, place, all) => text !== all[place - 1])
    .join(' | ')
}

test('screen readers hear of a canceled event before and after its title, and in lists beside its time', async (t) => {
  const service = await calendar()
  const host = await startHost(t, service)
  const browser = await startChromium(t, { viewport: { width: 390, height: 844 } })
  const page = await browser.newPage()
  const readAt = async (path: string, part: string) => {
    await page.goto(path.startsWith('http') ? path : `${service}${path}`)
    await page.locator(part).first().waitFor()
    return readAloud(page, part)
  }
  const embed = new URLSearchParams({ attributes: 'date="2030-01-20" language="fr-CA"', lang: 'fr' })

  assert.equal(
    await readAt('/event/winter-recital/', '.event-head'),
    'Featured | Canceled: | Tuesday, January 22, 2030, 7–9 p.m. | Eastern Time (EST) | Winter recital | This event is canceled. | The hall has no heating. | Announced on January 15, 2030 | Where | Old Hall | 1 Main Street Laval | Cost | $10',
  )
  assert.equal(
    await readAt('/fr/event/la-mouette/', '.event-head'),
    'Mardi 29 janvier 2030, de 19 h à 21 h | Heure de l’Est (HNE) | La Mouette | Cet événement a une nouvelle date. | Un comédien est malade. | Auparavant : Jeudi 24 janvier 2030, de 19 h à 21 h | Annoncé le 15 janvier 2030 | Où | Old Hall | 1 Main Street Laval | Prix | 10 $',
  )
  assert.equal(
    await readAt('/event/talk-on-birds/', '.event-head'),
    'Saturday, January 26, 2030, 7–9 p.m. | Eastern Time (EST) | Talk on birds | This event has moved online. | The roads are icy. | Announced on January 15, 2030 | Where | Online | Join online (meet.example.org) | Formerly: | Old Hall | 1 Main Street Laval | Cost | $10',
  )
  assert.equal(
    await readAt('/events/', '.card.off'),
    'Tuesday, January 22, 2030, 7–9 p.m. | Canceled Featured | Winter recital | Old Hall, Laval | Cost: $10',
  )
  assert.equal(
    await readAt(`${host}/?${embed}`, 'cal-events .card.off'),
    'Du 2 janv. 2030 à 10 h au 20 févr. 2030 à 17 h | Annulé | Exposition | Old Hall, Laval',
  )
  await page.setViewportSize({ width: 1280, height: 900 })
  assert.equal(
    await readAt('/events/month/2030-01/', '.days li:has(> a .state.canceled):not(.bar)'),
    'Canceled 7p Winter recital',
  )
})

test('in forced colours and on paper the shapes and the banner keep their lines', async (t) => {
  const service = await calendar()
  const browser = await startChromium(t, { viewport: { width: 390, height: 844 }, forcedColors: 'active' })
  const page = await browser.newPage()
  const style = (selector: string, pseudo: string | null, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}'), ${JSON.stringify(pseudo)}).${name}`)

  await page.goto(`${service}/events/`)
  await screenshot(page, 'states-list-forced-colors', { isWhole: true })
  assert.match(await style('.state.canceled', '::before', 'clipPath'), /^polygon/)
  assert.notEqual(await style('.state.canceled', '::before', 'borderTopWidth'), '0px')
  assert.equal(await style('.card.off .card-hours', null, 'textDecorationLine'), 'line-through')
  await page.goto(`${service}/event/winter-recital/`)
  await screenshot(page, 'states-canceled-forced-colors', { isWhole: true })
  assert.equal(await style('.event-state', null, 'borderTopWidth'), '1px')
  await page.emulateMedia({ media: 'print', forcedColors: 'none' })
  await screenshot(page, 'states-canceled-print', { isWhole: true })
  assert.notEqual(await style('.event-state', null, 'display'), 'none')
})
