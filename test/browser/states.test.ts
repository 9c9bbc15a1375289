import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { givenEventsInStates } from '../support/states.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

async function startCalendar(t: TestContext): Promise<string> {
  const app = await startTestApp(t, { SITE_NAME: 'Town Calendar', SITE_TIMEZONE: 'America/Toronto', RATE_LIMIT: '0' })
  await givenEventsInStates(app)
  return app.server.listen({ host: '127.0.0.1', port: 0 })
}

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
    day: '/events/2030-01-26/',
    map: '/events/map/',
    venue: '/venue/old-hall/',
    canceled: '/event/winter-recital/',
    postponed: '/event/craft-fair/',
    rescheduled: '/event/the-seagull/',
    online: '/event/talk-on-birds/',
    mixed: '/event/book-club/',
    'frame-canceled': '/event/winter-recital/embed/',
  },
  fr: {
    list: '/fr/events/',
    month: '/fr/events/month/2030-01/',
    day: '/fr/events/2030-01-26/',
    map: '/fr/events/map/',
    venue: '/fr/venue/old-hall/',
    canceled: '/fr/event/recital-dhiver/',
    postponed: '/fr/event/foire-dartisanat/',
    rescheduled: '/fr/event/la-mouette/',
    online: '/fr/event/conference-sur-les-oiseaux/',
    mixed: '/fr/event/club-de-lecture/',
    'frame-canceled': '/fr/event/recital-dhiver/embed/',
  },
} as const

const looks = [
  { language: 'en', colorScheme: 'light', width: 1280 },
  { language: 'en', colorScheme: 'dark', width: 390 },
  { language: 'fr', colorScheme: 'light', width: 390 },
  { language: 'fr', colorScheme: 'dark', width: 1280 },
  // A screen of 1280 pixels at a zoom of 400 %.
  { language: 'en', colorScheme: 'light', width: 320 },
] as const

async function assertAccessible(page: Page, look: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  await screenshot(page, `states-${look}`, { isWhole: true })
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)
  assert.deepEqual([found, overflow], [[], 0], look)
}

test('pages and the embedded calendar show events in all states accessibly, in both languages and themes', async (t) => {
  const service = await startCalendar(t)
  const host = await startHost(t, service)
  for (const { language, colorScheme, width } of looks) {
    const browser = await startChromium(t, { viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce' })
    const faults = watchFaults(browser, service, host)
    const page = await browser.newPage()
    const look = (name: string) => `${name}-${language}-${colorScheme}-${width}`
    for (const [name, path] of Object.entries(paths[language])) {
      await page.goto(`${service}${path}`)
      await assertAccessible(page, look(name))
    }
    for (const view of ['list', 'month']) {
      const attributes = `view="${view}" date="2030-01-15" theme="${colorScheme}" language="${language}"`
      await page.goto(`${host}/?${new URLSearchParams({ attributes, lang: language })}`)
      await page.locator('cal-events .calendar:not([aria-busy]) .title').waitFor()
      await assertAccessible(page, look(`embed-${view}`))
    }
    // A frame has no icon of its own, so the browser asks for one.
    assert.deepEqual(
      faults.filter((fault) => !/status of 404/.test(fault)),
      [],
    )
  }
})
