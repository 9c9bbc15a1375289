import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Page } from 'playwright-core'
import { startTestApp } from '../support/app.ts'
import { givenEvent, givenVenue } from '../support/given.ts'
import { form, picture } from '../support/pictures.ts'
import { onceForFile } from '../support/process.end.ts'
import { screenshot, startChromium, watchFaults } from './chromium.ts'

/** A concert with picture and place, and an exhibition in progress. Now is 15 January 2030, noon in UTC. */
const calendar = onceForFile(async (t) => {
  const app = await startTestApp(t, { SITE_TIMEZONE: 'America/Toronto' })
  const hall = await givenVenue(app, { venue: 'Hall', address: '1 Main Street', city: 'Laval' })
  const { body } = await app.send({
    ...{ as: 'administrator', method: 'POST', path: '//cal/service/v1/media' },
    ...form(await picture(1600, 1000)),
  })
  const shared = { venue: hall.id, timezone: 'America/Toronto', cost: '10', categories: ['Music'] }
  await givenEvent(app, { ...shared, title: 'Concert', image: body.id, featured: true, description: '<p>Haydn.</p>' })
  await givenEvent(app, { title: 'Art', start_date: '2030-01-02 10:00', end_date: '2030-02-28 17:00', venue: hall.id })
  return app.server.listen({ host: '127.0.0.1', port: 0 })
})

async function open(t: TestContext, path: string, options: Parameters<typeof startChromium>[1] = {}) {
  const origin = await calendar()
  const browser = await startChromium(t, { viewport: { width: 390, height: 844 }, ...options })
  const faults = watchFaults(browser, origin)
  const page = await browser.newPage()
  await page.goto(`${origin}${path}`)
  return { page, faults }
}

/** The texts of a part of a page in the order in which a screen reader reads them. */
async function readAloud(page: Page, part: string): Promise<string> {
  const tree = await page.locator(part).first().ariaSnapshot()
  return [
    ...tree.matchAll(/(?:time|text|paragraph|listitem|definition|term|strong)(?:: "?| ")(.*?)"?$|heading "(.*?)"/gm),
  ]
    .map(([, text, heading]) => heading ?? text)
    .join(' | ')
}

test('of an event a list reads date, title and place aloud, in this order, once', async (t) => {
  const { page, faults } = await open(t, '/events/')

  assert.equal(
    await readAloud(page, '.cards .card'),
    'Tuesday, January 22, 2030, 7–9 p.m. | Featured | Concert | Hall, Laval | Cost: $10 | Music',
  )
  await page.locator('.going summary').click()
  assert.equal(await readAloud(page, '.going li'), 'Until February 28, 2030 | Art | Hall, Laval')
  assert.deepEqual(faults, [])
})

test('when, where and for how much an event is come first, above the picture on a phone, beside it on a desk', async (t) => {
  const { page, faults } = await open(t, '/event/concert/')
  const placeOf = async (one: string) => (await page.locator(one).first().boundingBox()) ?? assert.fail(one)

  const read = await readAloud(page, '.event-head')
  const [facts, image] = [await placeOf('.event-facts'), await placeOf('.event-picture')]

  assert.match(
    read,
    /^Featured \| Tuesday, January 22, 2030, 7–9 p\.m\. \| Eastern Time \(EST\) \| Concert \| Where \| Hall \|/,
  )
  assert.match(read, /1 Main Street.*\| Cost \| \$10$/)
  assert.ok(facts.y + facts.height <= image.y && facts.y + facts.height < 844, JSON.stringify({ facts, image }))
  assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390)
  await page.setViewportSize({ width: 1280, height: 800 })
  const [wide, side, prose] = [await placeOf('.event-facts'), await placeOf('.event-picture'), await placeOf('.prose')]
  assert.ok(wide.x + wide.width <= side.x && side.y < wide.y, JSON.stringify({ wide, side }))
  assert.ok(prose.y + prose.height < 800, JSON.stringify(prose))
  assert.deepEqual(faults, [])
})

test('on paper an event has its address and that of its page, and nothing to press', async (t) => {
  const { page } = await open(t, '/event/concert/')

  await page.emulateMedia({ media: 'print' })
  await screenshot(page, 'event-print', { isWhole: true })
  const shown = await page.locator('body').innerText()

  assert.match(shown, /Tuesday, January 22, 2030[\s\S]*Hall\n1 Main Street\nLaval[\s\S]*\/event\/concert\//)
  assert.doesNotMatch(shown, /Add to calendar|Copy link|Français|Previous event|More at this venue|Subscribe/)
  assert.equal(await page.locator('button, summary, form').filter({ visible: true }).count(), 0)
})

test('where colours are the reader’s own, cards, badges, panels and the focus keep their lines', async (t) => {
  const { page, faults } = await open(t, '/events/', { forcedColors: 'active' })
  const style = (selector: string, name: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${name}`)

  await page.locator('.card h3 a').focus()
  await screenshot(page, 'list-forced-colors', { isWhole: true })

  for (const [selector, name] of [
    ['.card', 'borderBottomWidth'],
    ['.badge', 'borderTopWidth'],
    ['.going', 'borderTopWidth'],
  ] as const)
    assert.equal(await style(selector, name), '1px', selector)
  await page.keyboard.press('Shift+Tab')
  assert.notEqual(await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle'), 'none')
  assert.deepEqual(faults, [])
})

test('a fault of a filter stands at its field with scripts as without', async (t) => {
  const { page } = await open(t, '/events/', { viewport: { width: 1280, height: 900 } })
  const to = page.getByLabel('To', { exact: true })
  const fault = async () => [
    await to.getAttribute('aria-invalid'),
    await page.locator(`#${await to.getAttribute('aria-describedby')}`).textContent(),
  ]

  await page.locator('.filters summary').click()
  await page.getByLabel('From', { exact: true }).fill('2030-02-02')
  await to.fill('2030-02-01')
  await page.locator('#f-to-fault').waitFor()
  const live = await fault()
  const told = await page.locator('[data-status]').textContent()
  await page.reload()
  const plain = await fault()
  await to.fill('2030-02-03')
  await page.locator('#f-to-fault').waitFor({ state: 'detached' })

  assert.equal(live[0], 'true')
  assert.deepEqual(live, plain)
  assert.equal(told, live[1])
  assert.equal(await to.getAttribute('aria-invalid'), null)
})

test('a date is searched for when it is whole, and all that is chosen at once is one step of the history', async (t) => {
  const { page, faults } = await open(t, '/events/', { viewport: { width: 1280, height: 900 } })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).search))
  const from = page.getByLabel('From', { exact: true })
  const steps = await page.evaluate<number>('history.length')

  await page.locator('.filters summary').click()
  await from.focus()
  await page.keyboard.type('02032027')
  assert.equal(await from.inputValue(), '2027-02-03')
  await page.waitForURL(/from=2027-02-03$/)
  await page.getByLabel('Category').focus()
  await page.keyboard.press('ArrowDown')
  await page.waitForURL(/category=music/)
  await page.keyboard.press('ArrowUp')
  await page.waitForURL((url) => !url.search.includes('music'))

  assert.deepEqual(
    asked.filter((search) => search.includes('from=')),
    ['?from=2027-02-03', '?category=music&from=2027-02-03', '?from=2027-02-03'],
  )
  assert.equal(await page.evaluate('history.length'), steps + 1)
  await page.goBack()
  await page.waitForURL(/\/events\/$/)
  // A later choice is a separate step.
  await page.getByRole('searchbox').fill('haydn')
  await page.waitForURL(/search=haydn/)
  assert.equal(await page.evaluate('history.length'), steps + 1)
  await page.getByRole('link', { name: 'Concert' }).focus()
  await page.getByRole('searchbox').fill('art')
  await page.waitForURL(/search=art/)
  assert.equal(await page.evaluate('history.length'), steps + 2)
  assert.deepEqual(faults, [])
})

test('without scripts a category is narrowed by its form, and usual days are links', async (t) => {
  const { page } = await open(t, '/events/category/music/', { javaScriptEnabled: false })

  await page.getByRole('link', { name: 'This month' }).click()
  await page.getByRole('link', { name: 'This month', exact: true }).and(page.locator('[aria-current]')).waitFor()
  await page.getByRole('searchbox', { name: 'Search' }).fill('art')
  await page.getByRole('button', { name: 'Search' }).click()
  await page.locator('.empty').waitFor()
  await page.getByRole('link', { name: 'Clear all filters' }).click()

  const concert = page.getByRole('link', { name: 'Concert' })
  await concert.waitFor()
  assert.equal(await concert.count(), 1)
})
